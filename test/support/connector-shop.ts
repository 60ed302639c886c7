import type { Connector } from '../../src/commerce/connector.ts'
import type { RemoteAnswer, Transport } from '../../src/commerce/remote.ts'
import type { AnyFields, Shop, ShopFacts } from '../../src/commerce/shop.ts'
import type { PlatformStand, StandCall } from '../../src/commerce/stand.ts'
import { shopWith } from '../../src/domain/shop/shop-remote.ts'

/**
 * Shops for the tests of one connector, opened the way the program opens them, with everything written down that they
 * were asked. The types are those of the connector's own settings and credentials.
 */
export interface TriedShop<S, C> {
  shop: Shop<S, C>
  asked: StandCall[]
}

/** A stand, as it answers. */
export const openStand = <S, C>(
  connector: Connector,
  stand: PlatformStand,
  { settings = {}, credentials = {} }: { settings?: AnyFields; credentials?: AnyFields } = {},
): TriedShop<S, C> =>
  opened(connector, (call) => stand.answer(call), {
    facts: { ...stand.facts, settings: { ...stand.facts.settings, ...settings } },
    credentials: { ...stand.credentials, ...credentials },
  })

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
  answer: (call: StandCall) => RemoteAnswer | Promise<RemoteAnswer>,
  { facts, credentials }: { facts: ShopFacts; credentials: AnyFields },
): TriedShop<S, C> {
  const asked: StandCall[] = []
  const transport: Transport = async (call) => {
    asked.push(call)
    return await answer(call)
  }
  return { asked, shop: shopWith({ transport }, connector, facts, credentials) as unknown as Shop<S, C> }
}
