import type { LevelToSet } from '../../../commerce/inventory.ts'
import { Fault } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { fingerprint } from '../../operations/operation.ts'
import type { OpenShop } from '../../shop/open-remote.ts'
import { fitTo } from './fit.ts'
import { lookAt } from './look-at.ts'
import type { Told } from './settle-store.ts'
import type { Telling } from './tell-store.ts'

export interface Answer {
  settle(trx: Db): Promise<unknown>
  told: readonly Told[]
  /** Not told: the shop shows something else than was expected, again and again. */
  stale: readonly Telling[]
  refused: readonly { telling: Telling; said: string | null }[]
}

/** A shop that sells all the time is told from what it shows so often without a pause. */
const rounds = 3
/** A shop that does not answer when it is looked at is told all the same after so many attempts. */
const blindAfter = 3

/**
 * Platforms that compare set nothing where they show something else than expected; they are told again from there. The others are looked at just before: what they have
 * sold in between is then seen as well, but for the moment of the request itself.
 */
export async function send({ write, connector, shop }: OpenShop, due: readonly Telling[]): Promise<Answer> {
  const { set, compares = false } = connector.inventory ?? {}
  if (!set) throw new Error('Nothing can be set.')
  const insists = due.every(({ attempts }) => attempts < blindAfter)
  const before = compares ? [] : await lookAt({ connector, shop }, due, { insists })
  const seen = due.map((telling, n) => ({ telling: fitTo(telling, before[n] ?? null), isSeen: before[n] != null }))
  // What is so already need not be sent.
  const isSame = ({ telling, isSeen }: (typeof seen)[number]) => isSeen && isThere(telling)
  const told: Told[] = seen.filter(isSame).map(({ telling }) => ({ ...telling, unsent: true }))
  const refused: { telling: Telling; said: string | null }[] = []
  const settles: ((trx: Db) => Promise<unknown>)[] = []
  let left = seen.filter((one) => !isSame(one)).map(({ telling }) => telling)
  for (let round = 1; left.length > 0 && round <= rounds; round++) {
    const settings = left.map((telling) => settingOf(telling, compares))
    // A telling is a change of its own: the same level as before, told by somebody who died over it, proves nothing of what is there now.
    const key = fingerprint([settings, left.map((one) => one.telling_id), round])
    const written = await write({ kind: 'set_inventory', key, input: settings }, set).catch((error: unknown) => {
      // What was accepted before stays accepted.
      if (round === 1 || !(error instanceof Fault)) throw error
      return null
    })
    if (written === null) break
    const { result, settle } = written
    settles.push(settle)
    told.push(...left.filter((_, n) => result[n]?.ok))
    for (const [n, telling] of left.entries())
      if (!result[n]?.ok && result[n]?.found === undefined) refused.push({ telling, said: result[n]?.error ?? null })
    const fitted = left.flatMap((telling, n) => {
      const found = result[n]?.ok ? undefined : result[n]?.found
      return found === undefined ? [] : [fitTo(telling, found)]
    })
    told.push(...fitted.filter(isThere).map((telling): Told => ({ ...telling, unsent: true })))
    left = fitted.filter((telling) => !isThere(telling))
  }
  const settle = async (trx: Db) => {
    for (const one of settles) await one(trx)
  }
  return { settle, told, stale: left, refused }
}

const isThere = ({ quantity, expected }: Telling): boolean => quantity === expected

/** Always the level itself, never a difference: told twice, it does no harm. */
const settingOf = ({ sku, remote_id: id, quantity, location, expected }: Telling, compares: boolean): LevelToSet => ({
  sku,
  ...(id !== sku && { variant_remote_id: id }),
  quantity,
  location: location === '' ? null : location,
  ...(compares && expected !== null && { expected }),
})
