import { dataPlane } from './data-plane.ts'

/** Which planes a transaction has written. */
export interface Planes {
  control: boolean
  data: boolean
}

const distributed: ReadonlySet<string> = new Set(dataPlane)

// Not the one of `for update` and `do update`.
const writing =
  /\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|(?<!\bfor\s+|\bkey\s+|\bdo\s+)update)\s+(?:only\s+)?"?(\w+)/gi

/** Which planes a statement writes. In doubt the control plane: that costs a commit in two phases, and never a half commit. */
export function planesWritten(text: string): Planes {
  const written: Planes = { control: false, data: false }
  for (const [, table = ''] of text.matchAll(writing)) written[planeOf(table.toLowerCase())] = true
  return written
}

const planeOf = (table: string): keyof Planes =>
  // Logs have a table for each month.
  distributed.has(table) || table.startsWith('integration_logs_') ? 'data' : 'control'
