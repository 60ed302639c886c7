import { type Door, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { createAuth, tokenIn } from './auth.ts'
import { cancellationRoutes } from './cancellations.ts'
import { orderIdOf, productIdOf, skuIdOf, warehouseIdOf } from './ids.ts'
import { statusOf } from './order-view.ts'
import { createOrders } from './orders.ts'
import { currency, productRoutes } from './products.ts'
import { createLimits, expired, no, ok, tooMany } from './reply.ts'
import { returnRoutes } from './returns.ts'
import { createWebhooks } from './webhooks.ts'

/** A seller on TikTok Shop: every call signed, every answer in an envelope, every piece of an order a line of its own. */
export const tiktokShop: PlatformDefinition = { domain: 'tiktok.example', tokenSeconds: 604_800, currency, open }

const region = 'US'
/** Where sellers say yes: one for all, one for those in the United States. */
const consentHosts = ['services.tiktokshop.com', 'services.us.tiktokshop.com']
const week = 604_800

function open(world: World): Platform {
  const { secretFor, settings } = world
  const auth = createAuth(world, region)
  const limited = createLimits(world)
  const number = Number.parseInt(secretFor('shop', 12), 16)
  const shop = {
    ...{ id: `7494${String(number).padStart(15, '0').slice(-15)}`, code: `USLC${secretFor('code', 8).toUpperCase()}` },
    ...{ name: 'Harbour Goods', region, seller_type: 'LOCAL', cipher: `ROW_${secretFor('cipher', 32)}` },
  }
  const webhooks = createWebhooks(world, auth.client, shop.id)
  const orders = createOrders(world)
  const shops = '/authorization/202309/shops'
  const rows: readonly RouteRow[] = [
    ...auth.routes,
    ['GET', shops, 'shops.list', () => ok({ shops: [shop] })],
    ...orders.routes,
    ...cancellationRoutes(world, orders),
    ...returnRoutes(world),
    ...productRoutes(world),
    ...webhooks.routes,
  ]
  const lacked = lacking(world, () =>
    no(401, 105_005, 'Access denied. The access token has not been granted this scope.'),
  )
  const door: Door = {
    holder: (call) => auth.grants.holder(tokenIn(call)),
    denied: expired,
    refuses: (operation, call) =>
      lacked(operation) ??
      (call.path === shops || call.query.get('shop_cipher') === shop.cipher
        ? null
        : no(200, 106_013, "The 'shop_cipher' is missing or invalid.")),
    unknown: () => no(404, 36_009_009, 'Invalid path.'),
    around: (call, operation, run) => auth.refusalOf(call) ?? limited(operation, run),
  }
  const { app_key, app_secret } = auth.client
  /** What sellers type who have made an app of their own. */
  const issue = (seconds: number = settings.tokenSeconds) => {
    const { access_token: _, ...typed } = auth.keep(seconds || week)
    return typed
  }

  return {
    install: {
      shop: shop.code.toLowerCase(),
      settings: { shop_cipher: shop.cipher, shop_id: shop.id, region },
      client: auth.client,
    },
    hosts: ['open-api.tiktokglobalshop.com', 'auth.tiktok-shops.com', ...consentHosts],
    wrong: { access_token: 'ROW_wrong', refresh_token: 'ROW_wrong', app_key, app_secret },
    issue,
    keep: auth.keep,
    messages: webhooks.messages,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => (status === 429 ? tooMany() : no(status, 36_009_003, 'Internal error.')).body,
    expire: (call) => auth.grants.expire(tokenIn(call) ?? ''),
    expireAll: auth.grants.expireAll,
    orderId: orderIdOf,
    remoteStatus: statusOf,
    tellsArrival: true,
    productId: productIdOf,
    variantId: ({ product, position }) => skuIdOf(product, position),
    locationId: warehouseIdOf,
  }
}
