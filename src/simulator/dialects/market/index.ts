import type { Answer, Call, Recorder, Route } from '../../http/call.ts'
import { match } from '../../http/match.ts'
import type { Credentials, Dialect } from '../../platform.ts'
import { createTokens, secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { itemIdOf, nodeIdOf, orderIdOf } from './ids.ts'
import { createItems } from './items.ts'
import { createLimits } from './limits.ts'
import { createOrders } from './orders.ts'
import { no } from './reply.ts'
import { orderStatus } from './words.ts'

type Handle = (call: Call, record: Recorder, id: string) => Answer

/** In the manner of the large marketplaces: tiny limits, orders to be acknowledged, tokens of minutes, no messages. */
export function createMarket(world: World): Dialect {
  const { settings, clock } = world
  const orders = createOrders(world)
  const items = createItems(world)
  const limited = createLimits(world)
  const tokens = createTokens(settings.seed, 'mkt-', clock)
  const sellers = new Map<string, { secret: string; name: string; seconds: number }>()

  function issue(seconds = settings.tokenSeconds): Credentials {
    const number = sellers.size + 1
    const client = secretFor(settings.seed, `seller ${number}`, 24)
    const secret = secretFor(settings.seed, `seller secret ${number}`, 48)
    sellers.set(client, { secret, name: `seller-${number}`, seconds })
    return { client_id: client, client_secret: secret }
  }

  function token(call: Call, record: Recorder): Answer {
    const [client, secret] = call.basic() ?? ['', '']
    const seller = sellers.get(client)
    if (!seller || seller.secret !== secret) return answer(401, { error: 'invalid_client' })
    if (call.fields()['grant_type'] !== 'client_credentials') return answer(400, { error: 'unsupported_grant_type' })
    record.caller(seller.name)
    const made = tokens.mint(seller.name, seller.seconds)
    return answer(200, { access_token: made.token, token_type: 'Bearer', expires_in: seller.seconds })
  }

  const routes: readonly (readonly [method: string, pattern: string, operation: string, handle: Handle])[] = [
    [
      'GET',
      '/v1/seller',
      'seller.get',
      () => answer(200, { seller: settings.shop, marketplaces: ['MKT-DE', 'MKT-US'] }),
    ],
    ['GET', '/v1/orders', 'orders.list', (call) => orders.list(call)],
    ['GET', '/v1/orders/:id', 'orders.get', (_, __, id) => orders.get(id)],
    ['POST', '/v1/orders/:id/acknowledge', 'orders.acknowledge', (_, record, id) => orders.acknowledge(id, record)],
    ['POST', '/v1/orders/:id/shipments', 'shipments.create', (call, record, id) => orders.ship(id, call, record)],
    ['POST', '/v1/orders/:id/cancel', 'orders.cancel', (call, record, id) => orders.cancel(id, call, record)],
    ['GET', '/v1/items', 'items.list', (call) => items.list(call)],
    ['GET', '/v1/items/:sku', 'items.get', (_, __, sku) => items.get(sku)],
    ['PUT', '/v1/items/:sku', 'items.put', (call, record, sku) => items.put(sku, call, record)],
    ['GET', '/v1/inventory', 'inventory.list', (call) => items.levels(call)],
    ['GET', '/v1/inventory/:sku', 'inventory.get', (_, __, sku) => items.level(sku)],
    ['PUT', '/v1/inventory/:sku', 'inventory.set', (call, record, sku) => items.setLevel(sku, call, record)],
  ]

  function route(call: Call): Route {
    if (call.method === 'POST' && call.path === '/v1/token') {
      return { operation: 'token.issue', writes: true, careful: true, run: (record) => token(call, record) }
    }
    for (const [method, pattern, operation, handle] of routes) {
      const ids = method === call.method ? match(pattern, call.path) : null
      if (!ids) continue
      return {
        operation,
        writes: method !== 'GET',
        run(record) {
          const name = tokens.holder(call.bearer())
          if (name === null) return no(401, 'UNAUTHORIZED', 'The access token is missing or has ended.')
          record.caller(name)
          return limited(operation, name, () => handle(call, record, ids[0] ?? ''))
        },
      }
    }
    return { operation: 'unknown', writes: false, run: () => no(404, 'NOT_FOUND', 'There is no such operation.') }
  }

  return {
    issue,
    route,
    errorBody: (status) =>
      status === 429
        ? { errors: [{ code: 'QUOTA_EXCEEDED', message: 'Too many calls.' }] }
        : { errors: [{ code: 'INTERNAL_FAILURE', message: 'We are having errorBody.' }] },
    expire(call) {
      const given = call.bearer()
      if (given !== null) tokens.expire(given)
      return given !== null
    },
    expireAll: tokens.expireAll,
    orderId: orderIdOf,
    orderNumber: ({ index }) => orderIdOf(index),
    orderStatus,
    shown: (moment) => moment,
    productId: itemIdOf,
    variantId: ({ sku }) => sku,
    locationId: nodeIdOf,
  }
}
