import type { Connector } from '../../src/commerce/connector.ts'
import type { RemoteAnswer, Transport } from '../../src/commerce/remote.ts'
import type { AnyFields, Shop, ShopFacts } from '../../src/commerce/shop.ts'
import { shopWith } from '../../src/domain/shop/shop-remote.ts'
import type { SentCall } from './imitation.ts'

/**
 * Shops for the tests of one connector, opened the way the program opens them, with everything written down that they
 * were asked. The types are those of the connector's own settings and credentials.
 */
export interface TriedShop<S, C> {
  shop: Shop<S, C>
  asked: SentCall[]
}

/** A shop that gives these answers, one after the other, then nothing but emptiness. */
export function scriptedShop<S, C>(
  connector: Connector,
  known: { facts: ShopFacts; credentials: AnyFields },
  answers: readonly Partial<RemoteAnswer>[],
): TriedShop<S, C> {
  const left = [...answers]
  return opened(connector, () => ({ status: 200, headers: {}, body: {}, ...left.shift() }), known)
}

function opened<S, C>(
  connector: Connector,
  answer: (call: SentCall) => RemoteAnswer | Promise<RemoteAnswer>,
  { facts, credentials }: { facts: ShopFacts; credentials: AnyFields },
): TriedShop<S, C> {
  const asked: SentCall[] = []
  const transport: Transport = async (call) => {
    asked.push(call)
    return await answer(call)
  }
  return { asked, shop: shopWith({ transport }, connector, facts, credentials) as unknown as Shop<S, C> }
}
