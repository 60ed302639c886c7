/**
 * Whether what has come is older than what we hold. Versions grow with every change in the shop and compare as text
 * (`remote_version` in `src/commerce`). Without a version on either side nothing can be said: then the later arrival
 * counts.
 */
export const isOlderVersion = (come: string | null, held: string | null): boolean =>
  come !== null && held !== null && come < held

interface HeldRow {
  remote_version: string | null
  deleted: boolean
  /** Deleted, and not because the shop had it no longer. */
  removed: boolean
}

/** By the shop's id; without what the shop had no longer. */
export const versionsIn = (held: ReadonlyMap<string, HeldRow>): Map<string, string | null> =>
  new Map([...held].flatMap(([key, row]) => (row.deleted && !row.removed ? [] : [[key, row.remote_version] as const])))
