import { toSecond } from '../../clock.ts'
import type { Answer, Call, Recorder, Route } from '../../http/call.ts'
import type { Dialect } from '../../platform.ts'
import { createSubscriptions } from '../../subscriptions.ts'
import { answer, type World } from '../../world.ts'
import { createGraphql } from './endpoint.ts'
import { createHooks } from './hooks.ts'
import { gid, partOf } from './ids.ts'
import { createOAuth } from './oauth.ts'
import { orderName } from './order-type.ts'
import { orderStatus } from './words.ts'

/** In the manner of Shopify: GraphQL with prices, OAuth with tokens that end, signed webhooks. */
export function createShopify(world: World): Dialect {
  const subscriptions = createSubscriptions(world.clock)
  const oauth = createOAuth(world)
  const hooks = createHooks(world, subscriptions, oauth.clientSecret)
  const graphql = createGraphql(world, subscriptions, oauth.tokens)

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
      run: (record) => uninstall(call, record),
    }),
  }

  function uninstall(call: Call, record: Recorder): Answer {
    const name = oauth.tokens.holder(call.header('x-shopify-access-token'))
    if (name === null) return answer(401, unauthorized)
    record.caller(name)
    record.effect('app.uninstall', name)
    oauth.revoke(name)
    hooks.uninstalled()
    subscriptions.clear()
    return answer(200, {})
  }

  return {
    issue: oauth.issue,
    route(call) {
      if (call.method === 'POST' && /^\/admin\/api\/\d{4}-\d\d\/graphql\.json$/.test(call.path)) return graphql(call)
      const route = routes[`${call.method} ${call.path}`]?.(call)
      return route ?? { operation: 'unknown', writes: false, run: () => answer(404, { errors: 'Not Found' }) }
    },
    errorBody: (status) => ({ errors: status === 429 ? 'Exceeded API rate limit' : 'Internal Server Error' }),
    expire(call) {
      const token = call.header('x-shopify-access-token')
      if (token) oauth.tokens.expire(token)
      return token !== null
    },
    expireAll: oauth.tokens.expireAll,
    orderId: (index) => gid('Order', index),
    orderNumber: ({ index }) => orderName(index),
    orderStatus,
    shown: toSecond,
    productId: (index) => gid('Product', index),
    variantId: (variant) => gid('ProductVariant', partOf(variant)),
    locationId: (place) => gid('Location', place),
  }
}

const unauthorized = { errors: '[API] Invalid API key or access token (unrecognized login or wrong password)' }
