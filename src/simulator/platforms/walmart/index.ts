import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type Door, type RouteRow, routeIn } from '../../http/route-table.ts'
import type { Credentials, Platform, PlatformDefinition } from '../../platform.ts'
import { createTokens, secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { createItems, groupOf, nodeOf } from './items.ts'
import { numberOf, orderIdOf, orderStatus } from './order-view.ts'
import { createOrders } from './orders.ts'
import { createLimits, gateway, invalid, no } from './reply.ts'

/** A seller on Walmart Marketplace: tokens of minutes, orders to be acknowledged, lines that move one by one. */
export const walmart: PlatformDefinition = { domain: 'walmart.example', tokenSeconds: 900, currency: 'USD', open }

const scopes = { orders: 'full_access', item: 'view_only', inventory: 'full_access', price: 'no_access' }

function open(world: World): Platform {
  const { settings, clock, shop } = world
  const orders = createOrders(world)
  const items = createItems(world)
  const limited = createLimits(world)
  const tokens = createTokens(settings.seed, 'eyJ', clock)
  const sellers = new Map<string, { secret: string; name: string; seconds: number }>()

  function issue(seconds = settings.tokenSeconds): Credentials & { client_id: string; client_secret: string } {
    const number = sellers.size + 1
    const client_id = secretFor(settings.seed, `seller ${number}`, 36)
    const client_secret = secretFor(settings.seed, `seller secret ${number}`, 64)
    sellers.set(client_id, { secret: client_secret, name: `seller-${number}`, seconds })
    return { client_id, client_secret }
  }
  function keep(seconds = settings.tokenSeconds): Credentials {
    const keys = issue(seconds)
    const name = sellers.get(keys.client_id)?.name ?? ''
    return { ...keys, access_token: tokens.mint(name, seconds).token }
  }

  const unauthorized = () =>
    answer(401, gateway('UNAUTHORIZED', 'Unauthorized token or incorrect authorization header.'))

  function token(call: Call, record: Recorder): Answer {
    const [client, secret] = call.basic() ?? ['', '']
    const seller = sellers.get(client)
    if (!isNamed(call)) return nameless()
    if (!seller || seller.secret !== secret) return unauthorized()
    if (call.fields()['grant_type'] !== 'client_credentials') return invalid('TOKEN', 'The grant type is not known.')
    record.caller(seller.name)
    const date = new Date(clock.now() / 1000).toUTCString()
    const { token: access_token } = tokens.mint(seller.name, seller.seconds)
    return answer(200, { access_token, token_type: 'Bearer', expires_in: seller.seconds }, { date })
  }

  const detail = () => {
    const now = Math.floor(clock.now() / 1000)
    const times = { expire_at: String(now + settings.tokenSeconds * 1000), issued_at: String(now) }
    return answer(200, { ...times, is_valid: true, is_channel_match: true, scopes })
  }

  const rows: readonly RouteRow[] = [
    ['POST', '/v3/token', 'token', token, { open: true, careful: true }],
    ['GET', '/v3/token/detail', 'token.detail', detail],
    ['GET', '/v3/orders', 'orders.list', (call) => orders.list(call)],
    ['GET', '/v3/orders/:id', 'orders.get', (_, __, [id]) => orders.get(id)],
    ['POST', '/v3/orders/:id/acknowledge', 'orders.acknowledge', (_, record, [id]) => orders.acknowledge(id, record)],
    ['POST', '/v3/orders/:id/cancel', 'orders.cancel', (call, record, [id]) => orders.cancel(id, call, record)],
    ['POST', '/v3/orders/:id/shipping', 'orders.ship', (call, record, [id]) => orders.ship(id, call, record)],
    ['GET', '/v3/items', 'items.list', (call) => items.list(call)],
    ['GET', '/v3/items/:sku', 'items.get', (_, __, [sku]) => items.get(sku)],
    ['GET', '/v3/inventories', 'inventory.list', (call) => items.listLevels(call)],
    ['PUT', '/v3/inventory', 'inventory.set', (call, record) => items.setLevel(call, record)],
  ]
  const holder = (call: Call) => tokens.holder(call.header('wm_sec.access_token'))
  const door: Door = {
    holder,
    denied: unauthorized,
    unknown: () => no(404, 'NOT_FOUND', 'There is no such resource.'),
    around(call, operation, run) {
      if (!isNamed(call)) return nameless()
      const name = holder(call)
      return name === null ? run() : limited(operation, name, run)
    },
  }

  return {
    install: {
      type: 'walmart',
      shop: `${100_000 + (Number.parseInt(secretFor(settings.seed, 'partner', 6), 16) % 900_000)}.walmart.com`,
      settings: { tracking_url: 'https://parcels.example.com/?id={number}' },
      credentials: issue(),
      client: {},
    },
    hosts: ['marketplace.walmartapis.com', 'sandbox.walmartapis.com'],
    keep,
    wrong: { ...issue(), client_secret: 'wrong', access_token: 'wrong' },
    issue,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) =>
      status === 429
        ? gateway('REQUEST_THRESHOLD_VIOLATED', 'Request threshold violated.')
        : gateway('SYSTEM_ERROR', 'Internal server error.'),
    expire(call) {
      tokens.expire(call.header('wm_sec.access_token') ?? '')
      return true
    },
    expireAll: tokens.expireAll,
    orderId: orderIdOf,
    orderNumber: numberOf,
    orderStatus,
    shown: (moment) => moment - (moment % 1000),
    productId(index) {
      const variants = shop.stockroom.product(index)?.variants ?? []
      return variants.length === 1 ? (variants[0]?.sku ?? '') : `group:${groupOf({ index })}`
    },
    variantId: ({ sku }) => sku,
    locationId: nodeOf,
  }
}

/** Every call says what it is for, and has a number by which it is found again. */
const isNamed = (call: Call): boolean =>
  call.header('wm_svc.name') === 'Walmart Marketplace' && (call.header('wm_qos.correlation_id') ?? '') !== ''
const nameless = () => no(400, 'INVALID_REQUEST_HEADER.GMP_GATEWAY_API', 'A header that is required is missing.')
