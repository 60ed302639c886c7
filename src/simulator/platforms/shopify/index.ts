import { answer, type Call, type Route, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { type Asked, guarded } from './asked.ts'
import { createBulk, storageHost } from './bulk.ts'
import { createEndpoint, unauthorized } from './endpoint.ts'
import { createGoodsMutations } from './goods-mutations.ts'
import { createGoodsViews } from './goods-views.ts'
import { gid, orderName, partOf } from './ids.ts'
import { createOAuth } from './oauth.ts'
import { createOrderMutations, done } from './order-mutations.ts'
import { createOrderViews } from './order-views.ts'
import { createQueries } from './queries.ts'
import { createWebhooks } from './webhooks.ts'
import { books, orderStatus, remoteStatus } from './words.ts'

/** GraphQL that is charged by its cost, tokens that end, bulk operations, signed messages. */
export const shopify: PlatformDefinition = { domain: 'myshopify.com', tokenSeconds: 3600, currency: books, open }

function open(world: World): Platform {
  const oauth = createOAuth(world)
  const webhooks = createWebhooks(world, oauth.client.client_secret)
  const goods = createGoodsViews(world)
  const parts = { world, goods, orders: createOrderViews(world, goods) }
  const bulk = createBulk(parts)

  const root = guarded({
    ...createQueries(parts),
    ...bulk.queries,
    ...createOrderMutations(parts),
    ...createGoodsMutations(parts),
    ...webhooks.fields,
    ...bulk.mutations,
    appUninstall(_: unknown, { caller, record }: Asked) {
      record.effect('app.uninstall', caller)
      oauth.revoke(caller)
      webhooks.uninstalled()
      return done({})
    },
  })
  const graphql = createEndpoint(world, oauth, root)

  const door = {
    holder: () => null,
    denied: () => answer(401, unauthorized),
    unknown: () => answer(404, { errors: 'Not Found' }),
  }

  function route(call: Call): Route {
    if (URL.parse(call.origin)?.hostname === storageHost)
      return { operation: 'bulk.download', writes: false, run: () => bulk.download(call) }
    if (call.method === 'POST' && /^\/admin\/api\/\d{4}-\d\d\/graphql\.json$/.test(call.path)) return graphql(call)
    return routeIn(oauth.routes, door, call)
  }

  return {
    install: { client: oauth.client },
    // One shop under all the names that there may be.
    hosts: [`*.${shopify.domain}`, storageHost],
    keep: oauth.keep,
    wrong: { access_token: 'shpat_wrong', refresh_token: 'shprt_wrong' },
    issue: oauth.typed,
    route,
    errorBody: (status) => ({ errors: status === 429 ? 'Exceeded API rate limit' : 'Internal Server Error' }),
    expire: (call) => oauth.expire(call.header('x-shopify-access-token') ?? ''),
    expireAll: oauth.expireAll,
    messages: webhooks.messages,
    orderId: (index) => gid('Order', index),
    orderNumber: ({ index }) => orderName(index),
    orderStatus,
    remoteStatus,
    productId: (index) => gid('Product', index),
    variantId: (variant) => gid('ProductVariant', partOf(variant)),
    locationId: (location) => gid('Location', location),
  }
}
