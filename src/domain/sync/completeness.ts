import { addTo, comparedFrom, emptyTally, type Pass, type SyncKind, syncKinds, type Tally } from './sync.ts'

export type Passes = readonly (readonly [SyncKind, Pass])[]

/** What a comparison of our copy with the shop has shown. */
export interface Completeness {
  proven_at: string
  /** When everything was last compared. */
  whole_at: string | null
  /** In the order of changes in the shop, as far back as it shows any; null is from the beginning. */
  window: { from: string | null; to: string }
  compared: number
  missing: number
  stale: number
  /** Of them, read again although the shop's date of change had not moved. */
  rechecked: number
  /** The shop does not say whether it still has them. */
  uncertain: number
  healed: number
  deleted: number
  set_aside: number
  /** Placed so long ago that the app does not keep them. */
  expired: number
  suspicious_deletes: number
  /** By kind, each as it was last compared. */
  resources: Readonly<Partial<Record<SyncKind, ComparedKind>>>
}

interface ComparedKind extends ReturnType<typeof compared> {
  proven_at: string
  /** Of orders: when they were placed. */
  from: string | null
}

export function completenessOf(passes: Passes, { at, before }: { at: string; before: unknown }): Completeness {
  const total = passes.reduce((sum, [, { tally }]) => addTo(sum, tally), emptyTally)
  const whole = passes.every(([, { since }]) => since === null)
  const [from = null] = passes.map(([, pass]) => comparedFrom(pass)).sort()
  const to = passes.map(([, { startedAt }]) => startedAt).sort()[0] ?? at
  return {
    proven_at: at,
    whole_at: whole ? at : wholeAt(before),
    window: { from, to },
    ...compared(total),
    resources: {
      ...resourcesIn(before),
      ...Object.fromEntries(
        passes.map(([kind, pass]) => [kind, { proven_at: at, from: comparedFrom(pass), ...compared(pass.tally) }]),
      ),
    },
  }
}

const compared = ({
  read,
  missing,
  stale,
  rechecked,
  uncertain,
  inserted,
  updated,
  deleted,
  set_aside,
  expired,
  suspicious_deletes,
}: Tally) => ({
  compared: read,
  missing,
  stale,
  rechecked,
  uncertain,
  healed: inserted + updated,
  deleted,
  set_aside,
  expired: expired ?? 0,
  suspicious_deletes,
})

/** When the copy was last compared with all of the shop, as the integration says. */
export const wholeAt = (completeness: unknown): string | null => textIn(completeness, 'whole_at')

/** When one kind of record was last compared. Earlier versions said it for all of them together. */
export const provenAt = (completeness: unknown, kind: SyncKind): string | null =>
  textIn(resourcesIn(completeness)[kind], 'proven_at')

function resourcesIn(completeness: unknown): Partial<Record<SyncKind, ComparedKind>> {
  const { resources } = Object(completeness)
  return Object.fromEntries(
    Object.entries(Object(resources)).filter(([name]) => syncKinds.some((kind) => kind === name)),
  )
}

function textIn(fields: unknown, name: string): string | null {
  const value: unknown = Object(fields)[name]
  return typeof value === 'string' ? value : null
}

/** What a sync of one kind has done, for the result of its run. */
export function syncResult({ mode, since, tally, unreported }: Pass): Record<string, unknown> {
  const { missing: _, stale: __, rechecked: ___, uncertain: ____, ...counts } = tally
  return { mode, since, ...counts, ...(unreported && { unreported: unreported.count }) }
}
