import type { Connector } from '../../src/commerce/connector.ts'
import type { RemoteAnswer, RemoteRequest, Transport } from '../../src/commerce/remote.ts'
import type { Shop } from '../../src/commerce/shop.ts'
import type { PlatformStand } from '../../src/commerce/stand.ts'
import { shopWith } from '../../src/domain/shop/shop-remote.ts'

export interface OpenStand {
  shop: Shop
  /** What was asked, oldest first; may be emptied. */
  asked: RemoteRequest[]
  transport: Transport
}

/** A connector on the stand of its platform. `before` may answer in the platform's place. */
export function openStand(
  connector: Connector,
  stand: PlatformStand,
  before: (request: RemoteRequest) => RemoteAnswer | null = () => null,
): OpenStand {
  const asked: RemoteRequest[] = []
  const transport: Transport = async (call) => {
    asked.push(call.request)
    return before(call.request) ?? (await stand.answer(call))
  }
  return { shop: shopWith({ transport }, connector, stand.facts, stand.credentials), asked, transport }
}
