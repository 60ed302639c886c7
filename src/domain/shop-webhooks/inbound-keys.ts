import { hash } from 'node:crypto'
import type { Delivery } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields, ShopFacts } from '../../commerce/shop.ts'
import { Fault, unavailable } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { remoteFor } from '../shop/open-remote.ts'

/** A platform's key changes rarely; one that it has withdrawn is believed for no longer than this. */
const trustedMs = 3_600_000
/** What the platform refused to an app is not asked for again with it for so long. */
const unknownMs = 300_000
/** Anybody can name any id: so many are asked for in a minute with each app, and no more; what comes for one uses up nothing of the others. */
const askedPerMinute = 10
const maxKept = 1000

interface Kept {
  until: number
  key: Promise<string | null>
}

/** The keys that platforms sign with, fetched when a message names one. */
export function createKeyCache(context: Pick<Context, 'transport'>) {
  const kept = new Map<string, Kept>()
  /** Until when an app is not asked with again, by key and app: that one is refused, or is of another environment, says nothing about the others. */
  const refused = new Map<string, number>()
  const asked = new Map<string, { since: number; times: number }>()

  function mayAsk(app: string): boolean {
    const now = performance.now()
    const window = asked.get(app)
    if (!window || now - window.since > 60_000) {
      asked.set(app, { since: now, times: 1 })
      return true
    }
    return ++window.times <= askedPerMinute
  }

  /** Null where the connector asks for none, or the platform knows none of this name. */
  return async (
    connector: Connector,
    { facts, client }: { facts: ShopFacts; client: AnyFields },
    delivery: Delivery,
  ): Promise<string | null> => {
    const book = connector.webhooks?.publicKey
    const id = book?.idOf(delivery) ?? null
    if (!book || id === null || id.length > 200) return null
    const name = `${connector.type}|${id}`
    const app = `${connector.type}|${hash('sha256', JSON.stringify(client))}`
    const asker = `${app}|${id}`
    for (let known = kept.get(name); known && known.until > performance.now(); known = kept.get(name)) {
      const key = await known.key
      if (key !== null) return key
    }
    if ((refused.get(asker) ?? 0) > performance.now()) return null
    // Genuine messages come again; strangers do not make us fetch without end.
    if (!mayAsk(app)) throw unavailable(30)
    if (kept.size >= maxKept) kept.clear()
    if (refused.size >= maxKept) refused.clear()
    const remote = remoteFor(context, connector, facts, null)
    const key = book.ask(remote, id, client).catch((error: unknown) => {
      kept.delete(name)
      if (!(error instanceof Fault) || error.kind !== 'upstream_refused') throw unavailable(30, error)
      refused.set(asker, performance.now() + unknownMs)
      return null
    })
    kept.set(name, { until: performance.now() + trustedMs, key })
    return await key
  }
}
