import type { Db } from '../../runtime/db/connection.ts'

/** More are not remembered: then it was an outage, and is noticed as one. */
const maxRemembered = 10_000
/** A shop that was asked is left alone for so long: while the trouble lasts, asking adds to it. */
const restMs = 60_000

interface Memory {
  noted: Set<number>
  /** When each was last taken, of those that rest. */
  taken: Map<number, number>
}

const memories = new WeakMap<Db, Memory>()

function memoryOf(db: Db): Memory {
  const memory = memories.get(db) ?? { noted: new Set(), taken: new Map() }
  memories.set(db, memory)
  return memory
}

/** A genuine message of the shop could not be kept. Its platform may send it again, or never; some switch a webhook off after five such answers. */
export function noteRefused(db: Db, integrationId: number): void {
  const { noted } = memoryOf(db)
  if (noted.size < maxRemembered) noted.add(integrationId)
}

/** Those of this process, once. Whoever rests stays noted, and is taken afterwards. */
export function takeRefused(db: Db, now = performance.now()): number[] {
  const { noted, taken } = memoryOf(db)
  for (const [id, at] of taken) if (now - at >= restMs) taken.delete(id)
  const due = [...noted].filter((id) => !taken.has(id))
  for (const id of due) {
    noted.delete(id)
    taken.set(id, now)
  }
  return due
}

/** They were taken, and could not be asked. */
export function giveBackRefused(db: Db, ids: readonly number[]): void {
  for (const id of ids) {
    memoryOf(db).taken.delete(id)
    noteRefused(db, id)
  }
}
