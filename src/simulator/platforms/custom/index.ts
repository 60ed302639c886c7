import { createTokens } from '../../auth/tokens.ts'
import { answer, below, type Call, lacking, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { orderId, productId, variantId } from './both-manners.ts'
import { linkedRoutes, placeOf, saleStates } from './linked.ts'
import { orderStates, pagedRoutes } from './paged.ts'

/**
 * A service that nobody wrote a connector for, in two manners: `pages` has pages by number, times in ISO 8601 and one
 * figure of stock by article; `links` has cursors and links, Unix times, cents and levels by place.
 */
export const custom: PlatformDefinition = { domain: 'services.example', tokenSeconds: 0, currency: 'EUR', open }

function open(world: World): Platform {
  const { settings, shop } = world
  const linked = settings.variant['manner'] === 'links'
  const keys = createTokens(world, linked ? 'right word ' : 'key-')
  const [base, routes] = linked ? ['/rest', linkedRoutes(world)] : ['/api/v1', pagedRoutes(world)]
  const rows = below(base, routes)
  const door = {
    holder: (call: Call) => keys.holder(linked ? (call.basic()?.[1] ?? null) : call.header('x-api-key')),
    denied: () => answer(401, { message: 'Who are you?' }),
    refuses: lacking(world, () => answer(403, { message: 'You may not see this.' })),
    unknown: () => answer(404, { message: 'Not here.' }),
  }
  return {
    install: { settings: linked ? { base_url: `${world.origin}${base}/` } : {} },
    // Where a service is found by the name of the shop, that name has to lead here.
    hosts: linked ? [] : [settings.shop],
    wrong: linked ? { username: 'shop', password: 'wrong' } : { api_key: 'wrong' },
    issue: () => (linked ? { username: 'shop', password: keys.key() } : { api_key: keys.key() }),
    // An article is a product of its own, where there are no variants.
    counts: linked ? {} : { products: () => shop.stockroom.variantsByChange().length },
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => ({ message: `It did not work (${status}).` }),
    orderId,
    orderNumber: ({ index }) => (linked ? orderId(index) : `R-${orderId(index)}`),
    remoteStatus: ({ stage }) => String((linked ? saleStates : orderStates)[stage]),
    productId,
    variantId,
    locationId: linked ? placeOf : null,
  }
}
