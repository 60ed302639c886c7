import type { Db } from '../../runtime/db/connection.ts'

/** More are not remembered: then it was an outage, and is noticed as one. */
const maxRemembered = 10_000
const refused = new WeakMap<Db, Set<number>>()

/** A genuine message of the shop could not be kept. Its platform may send it again, or never; some switch a webhook off after five such answers. */
export function noteRefused(db: Db, integrationId: number): void {
  const ids = refused.get(db) ?? new Set()
  refused.set(db, ids)
  if (ids.size < maxRemembered) ids.add(integrationId)
}

/** Those of this process, once. */
export function takeRefused(db: Db): number[] {
  const ids = [...(refused.get(db) ?? [])]
  refused.delete(db)
  return ids
}
