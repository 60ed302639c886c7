import { toSecond } from '../../clock.ts'
import type { Call, Recorder, Route } from '../../http/call.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { createSubscriptions } from '../../subscriptions.ts'
import { answer, type World } from '../../world.ts'
import type { Asked } from './asked.ts'
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
import { books, orderStatus } from './words.ts'

/** GraphQL that is charged by its cost, tokens that end, bulk operations, signed messages. */
export const shopify: PlatformDefinition = { domain: 'myshopify.com', tokenSeconds: 3600, currency: books, open }

function open(world: World): Platform {
  const { settings } = world
  const subscriptions = createSubscriptions(world.clock)
  const oauth = createOAuth(world)
  const webhooks = createWebhooks(world, subscriptions, oauth.client['client_secret'] ?? '')
  const goods = createGoodsViews(world)
  const parts = { world, goods, orders: createOrderViews(world, goods), subscriptions, subscription: webhooks.view }
  const bulk = createBulk(parts)

  function uninstall(name: string, record: Recorder): void {
    record.effect('app.uninstall', name)
    oauth.revoke(name)
    webhooks.uninstalled()
  }

  const graphql = createEndpoint(world, oauth, {
    ...createQueries(parts),
    ...bulk.queries,
    ...createOrderMutations(parts),
    ...createGoodsMutations(parts),
    ...webhooks.mutations,
    ...bulk.mutations,
    appUninstall(_: unknown, { caller, record }: Asked) {
      uninstall(caller, record)
      return done({})
    },
  })

  const routes: Readonly<Record<string, ((call: Call) => Route) | undefined>> = {
    'GET /admin/oauth/authorize': (call) => ({
      ...{ operation: 'oauth.authorize', writes: false, sheltered: true },
      run: () => oauth.ask(call),
    }),
    'POST /admin/oauth/authorize': (call) => ({
      ...{ operation: 'oauth.decide', writes: true, sheltered: true },
      run: () => oauth.decide(call),
    }),
    'POST /admin/oauth/access_token': (call) => ({
      ...{ operation: 'oauth.token', writes: true, careful: true },
      run: (record) => oauth.exchange(call, record),
    }),
    'DELETE /admin/api_permissions/current.json': (call) => ({
      ...{ operation: 'app.uninstall', writes: true },
      run(record) {
        const holder = oauth.holder(call.header('x-shopify-access-token'))
        if (!holder) return answer(401, unauthorized)
        record.caller(holder.name)
        uninstall(holder.name, record)
        return answer(200, {})
      },
    }),
  }

  function route(call: Call): Route {
    if (URL.parse(call.origin)?.hostname === storageHost)
      return { operation: 'bulk.download', writes: false, run: () => bulk.download(call) }
    if (call.method === 'POST' && /^\/admin\/api\/\d{4}-\d\d\/graphql\.json$/.test(call.path)) return graphql(call)
    const known = routes[`${call.method} ${call.path}`]?.(call)
    return known ?? { operation: 'unknown', writes: false, run: () => answer(404, { errors: 'Not Found' }) }
  }

  return {
    install: { type: 'shopify', shop: settings.shop, settings: {}, credentials: null, client: oauth.client },
    hosts: [settings.shop, storageHost],
    keep: oauth.keep,
    wrong: { access_token: 'shpat_wrong', refresh_token: 'shprt_wrong' },
    issue: oauth.typed,
    route,
    errorBody: (status) => ({ errors: status === 429 ? 'Exceeded API rate limit' : 'Internal Server Error' }),
    expire(call) {
      const token = call.header('x-shopify-access-token')
      if (token === null) return false
      oauth.expire(token)
      return true
    },
    expireAll: oauth.expireAll,
    messages: webhooks.messages,
    orderId: (index) => gid('Order', index),
    orderNumber: ({ index }) => orderName(index),
    orderStatus,
    shown: toSecond,
    productId: (index) => gid('Product', index),
    variantId: (variant) => gid('ProductVariant', partOf(variant)),
    locationId: (location) => gid('Location', location),
  }
}
