import { isCredentialsRefusal } from '../../../commerce/remote.ts'
import { isRightsMissing } from '../../../commerce/rules/rights.ts'
import { Fault } from '../../../lib/fault.ts'
import { isOlderVersion } from '../../../lib/remote-version.ts'
import type { ShopReads } from '../kind.ts'
import { askedSince, type Pass, type SyncKind, type Tally } from '../sync.ts'
import { heldVersions } from '../vanished-store.ts'
import { assertRunnable, type Work } from '../work.ts'

/** What a page of the shop brings. */
export interface FetchedPage {
  /** Records as the platform sent them. */
  raws: readonly unknown[]
  /** Further ones that were only named. */
  seen: readonly string[]
  /** Those of them that are to be read, but later. */
  stale?: readonly string[]
  next: string | null
  total: number | null
  count: Partial<Tally>
  /** The rest of the page follows: until that is stored, the page is to be read again. */
  isPart?: true
}

/** As many as a platform may give at once; most give fewer. */
const pageSize = 1000

/** The page that begins at `next`. A comparison takes the cheaper way where the platform has one. */
export async function fetchPage(
  work: Work,
  { kind, reads, pass, next }: { kind: SyncKind; reads: ShopReads; pass: Pass; next: string | null },
): Promise<FetchedPage> {
  await assertRunnable(work)
  const { get, getSeveral, index } = reads
  if (pass.mode === 'compare' && index && get && kind !== 'inventory') {
    return await fetchByIndex(work, { kind, pass, next, index, get, getSeveral, outlines: reads.outlines })
  }
  const query = { updatedSince: askedSince(pass), statuses: [], cursor: next, limit: pageSize }
  const page = await reads.list(work.open.shop, query)
  return { raws: page.items, seen: [], next: page.next, total: page.total, count: { read: page.items.length } }
}

const theBeginning = '1970-01-01T00:00:00.000000Z'
const dayMs = 86_400_000

/** Ids and versions first; only what we lack, or hold in an older version, is read. */
async function fetchByIndex(
  work: Work,
  input: {
    kind: 'orders' | 'products'
    pass: Pass
    next: string | null
    index: NonNullable<ShopReads['index']>
    outlines: ShopReads['outlines']
  } & Asking,
): Promise<FetchedPage> {
  const { kind, pass, next, index } = input
  const { context, claim, open } = work
  // A day more than our clock says: the shop's may be ahead.
  const to = new Date(Date.parse(pass.startedAt) + dayMs).toISOString().replace('Z', '000Z')
  const page = await index(open.shop, { from: askedSince(pass) ?? theBeginning, to, cursor: next })
  const keys = page.items.map(({ remoteId }) => remoteId)
  const held = await heldVersions(context.db, claim.integrationId, { kind, keys })
  const missing = page.items.filter(({ remoteId }) => !held.has(remoteId))
  const stale = page.items.filter(({ remoteId, version }) => isOlderVersion(held.get(remoteId) ?? null, version))
  const wanted = [...missing, ...stale].map(({ remoteId }) => remoteId)
  const count = { read: page.items.length, missing: pass.first ? 0 : missing.length, stale: stale.length }
  const found = { seen: keys, next: page.next, total: null }
  // Reading so many would keep new ones waiting: they are known in outline, and completed by and by.
  if (input.outlines && wanted.length > input.outlines.atOnce) {
    const outlines = missing.flatMap(({ outline }) => (outline === undefined ? [] : [outline]))
    const later = stale.map(({ remoteId }) => remoteId)
    return { ...found, raws: outlines, stale: later, count: { ...count, updated: stale.length } }
  }
  const raws = wanted.length === 0 ? [] : await fetchByKey(work, input, wanted)
  return { ...found, raws, count }
}

interface Asking {
  get: NonNullable<ShopReads['get']>
  getSeveral: ShopReads['getSeveral']
}

async function fetchByKey(
  work: Work,
  { get, getSeveral }: Asking,
  keys: readonly string[],
): Promise<readonly unknown[]> {
  const { shop } = work.open
  await assertRunnable(work)
  if (getSeveral) return await getSeveral(shop, keys)
  const raws: unknown[] = []
  for (const key of keys) {
    await assertRunnable(work)
    const raw = await get(shop, key)
    if (raw !== null) raws.push(raw)
  }
  return raws
}

/** The shop says no to what was asked, and not to who asks. */
export const isPlainRefusal = (error: unknown): boolean =>
  error instanceof Fault && error.kind === 'upstream_refused' && !isCredentialsRefusal(error) && !isRightsMissing(error)
