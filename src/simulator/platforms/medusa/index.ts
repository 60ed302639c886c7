import { createTokens } from '../../auth/tokens.ts'
import { answer, type Door, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { articleOf, idOf, locationIdOf, orderIdOf, productIdOf, shown } from './ids.ts'
import { inventoryRoutes } from './inventory.ts'
import { words } from './order-view.ts'
import { orderRoutes } from './orders.ts'
import { productRoutes } from './products.ts'
import { broken } from './query.ts'

/** REST with filters in brackets, keys that do not end, no limits and no messages. */
export const medusa: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const keys = createTokens(world, 'sk_')
  const routes: readonly RouteRow[] = [
    ['GET', '/admin/stores', 'stores.list', () => answer(200, stores)],
    ['GET', '/admin/shipping-profiles', 'shipping_profiles.list', () => answer(200, shippingProfiles)],
    ...orderRoutes(world),
    ...productRoutes(world),
    ...inventoryRoutes(world),
  ]
  /** The key is the name of somebody without a password. */
  const door: Door = {
    holder: (call) => keys.holder(call.basic()?.[0] ?? null),
    denied: () => answer(401, { message: 'Unauthorized' }),
    refuses: lacking(world, () => answer(403, { type: 'forbidden', message: 'Forbidden' })),
    unknown: ({ method, path }) => answer(404, `<!DOCTYPE html>\n<pre>Cannot ${method} ${path}</pre>`),
  }
  return {
    install: { settings: { base_url: world.origin } },
    wrong: { secret_key: 'sk_wrong' },
    issue: () => ({ secret_key: keys.key() }),
    route: (call) => routeIn(routes, door, call),
    errorBody: (status) => broken(status).body,
    orderId: orderIdOf,
    orderNumber: ({ index }) => String(index + 1),
    remoteStatus: ({ stage }) => words[stage][0],
    tellsArrival: true,
    shown,
    productId: productIdOf,
    variantId: (variant) => articleOf('variant', variant),
    locationId: locationIdOf,
  }
}

const shippingProfiles = {
  shipping_profiles: [{ id: idOf('sp', 1), name: 'Default Shipping Profile', type: 'default' }],
  ...{ count: 1, offset: 0, limit: 50 },
}

const supported_currencies = ['eur', 'usd'].map((currency_code, n) => ({ currency_code, is_default: n === 0 }))
const stores = {
  stores: [{ id: idOf('store', 1), name: 'Harbour', default_sales_channel_id: idOf('sc', 1), supported_currencies }],
  ...{ count: 1, offset: 0, limit: 1 },
}
