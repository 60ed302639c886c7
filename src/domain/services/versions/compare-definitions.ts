import { isFields } from '../../../commerce/reading.ts'

/** A place at which two descriptions differ. What is not there is null. */
export interface DefinitionDifference {
  at: string
  before: unknown
  after: unknown
}

/** A definition is at most 64 KiB: nobody reads more than this of what differs. */
export const maxDifferences = 500

/** Place by place; a part that only one of them has is one difference. */
export function compareDefinitions(before: unknown, after: unknown): DefinitionDifference[] {
  const found: DefinitionDifference[] = []
  walk(before, after, 'definition', found)
  return found.slice(0, maxDifferences)
}

function walk(before: unknown, after: unknown, at: string, found: DefinitionDifference[]): void {
  if (Object.is(before, after)) return
  const isPair = (Array.isArray(before) && Array.isArray(after)) || (isFields(before) && isFields(after))
  if (!isPair) {
    found.push({ at, before: before ?? null, after: after ?? null })
    return
  }
  const [was, is] = [Object(before), Object(after)]
  for (const name of new Set([...Object.keys(was), ...Object.keys(is)]))
    walk(was[name], is[name], `${at}.${name}`, found)
}
