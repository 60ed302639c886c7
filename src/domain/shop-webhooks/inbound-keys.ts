import type { Delivery } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { AnyFields, ShopFacts } from '../../commerce/shop.ts'
import { Fault, unavailable } from '../../lib/fault.ts'
import type { Context } from '../context.ts'
import { remoteFor } from '../shop/open-remote.ts'

/** A platform's key changes rarely; one that it has withdrawn is believed for no longer than this. */
const trustedMs = 3_600_000
/** Ids that the platform did not know are not asked for again for so long. */
const unknownMs = 300_000
/** Anybody can name any id: so many are asked for in a minute, of each platform, and no more. */
const askedPerMinute = 10
const maxKept = 1000

interface Kept {
  until: number
  key: Promise<string | null>
}

/** The keys that platforms sign with, fetched when a message names one. */
export function createKeyCache(context: Pick<Context, 'transport'>) {
  const kept = new Map<string, Kept>()
  const asked = new Map<string, { since: number; times: number }>()

  function mayAsk(type: string): boolean {
    const now = performance.now()
    const window = asked.get(type)
    if (!window || now - window.since > 60_000) {
      asked.set(type, { since: now, times: 1 })
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
    const known = kept.get(name)
    if (known && known.until > performance.now()) return await known.key
    // Genuine messages come again; strangers do not make us fetch without end.
    if (!mayAsk(connector.type)) throw unavailable(30)
    if (kept.size >= maxKept) kept.clear()
    const remote = remoteFor(context, connector, facts, null)
    const entry: Kept = { until: performance.now() + trustedMs, key: book.ask(remote, id, client) }
    entry.key = entry.key.catch((error: unknown) => {
      if (error instanceof Fault && error.kind === 'upstream_refused') {
        entry.until = performance.now() + unknownMs
        return null
      }
      kept.delete(name)
      throw unavailable(30, error)
    })
    kept.set(name, entry)
    return await entry.key
  }
}
