import type { Call } from '../../http/call.ts'
import { type RouteRow, routeIn } from '../../http/route-table.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { createTokens } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { articleOf, ids, shown } from './ids.ts'
import { inventoryRoutes } from './inventory.ts'
import { orderRoutes } from './orders.ts'
import { productRoutes } from './products.ts'
import { broken } from './query.ts'
import { orderStatus } from './words.ts'

/** REST with filters in brackets, keys that do not end, no limits and no messages. */
export const medusa: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 0, currency: null, open }

function open(world: World): Platform {
  const { settings, origin } = world
  const keys = createTokens(settings.seed, 'sk_', world.clock)
  let made = 0
  const issue = () => ({ secret_key: keys.mint(`key-${++made}`, Number.POSITIVE_INFINITY).token })
  const routes: readonly RouteRow[] = [
    ['GET', '/admin/stores', 'stores.list', () => answer(200, stores)],
    ['GET', '/admin/shipping-profiles', 'shipping_profiles.list', () => answer(200, shippingProfiles)],
    ...orderRoutes(world),
    ...productRoutes(world),
    ...inventoryRoutes(world),
  ]
  /** The key is the name of somebody without a password. */
  const door = {
    holder: (call: Call) => keys.holder(call.basic()?.[0] ?? null),
    denied: () => answer(401, { message: 'Unauthorized' }),
    unknown: ({ method, path }: Call) => answer(404, `<!DOCTYPE html>\n<pre>Cannot ${method} ${path}</pre>`),
  }
  const credentials = issue()

  return {
    install: { type: 'medusa', shop: settings.shop, settings: { base_url: origin }, credentials, client: {} },
    hosts: [],
    keep: issue,
    wrong: { secret_key: 'sk_wrong' },
    issue,
    route: (call) => routeIn(routes, door, call),
    errorBody: (status) => broken(status).body,
    expire: () => false,
    expireAll: () => {},
    orderId: ids.order,
    orderNumber: ({ index }) => String(index + 1),
    orderStatus,
    shown,
    productId: ids.product,
    variantId: (variant) => articleOf('variant', variant),
    locationId: ids.location,
  }
}

const shippingProfiles = {
  shipping_profiles: [{ id: ids.of('sp', 1), name: 'Default Shipping Profile', type: 'default' }],
  ...{ count: 1, offset: 0, limit: 50 },
}

const stores = {
  stores: [
    {
      ...{ id: ids.of('store', 1), name: 'Harbour', default_sales_channel_id: ids.of('sc', 1) },
      supported_currencies: ['eur', 'usd'].map((currency_code, n) => ({ currency_code, is_default: n === 0 })),
    },
  ],
  ...{ count: 1, offset: 0, limit: 1 },
}
