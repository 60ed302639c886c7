import { createTokens } from '../../auth/tokens.ts'
import { answer, type Call, type Door, type Handle, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { feedRoutes } from './feeds.ts'
import { groupOf, itemRoutes, nodeOf } from './items.ts'
import { numberOf, orderIdOf, orderRoutes, statusOf } from './orders.ts'
import { createLimits, gateway, invalid, no, tooMany } from './reply.ts'
import { returnRoutes } from './returns.ts'
import { createWebhooks } from './webhooks.ts'

/** A seller on Walmart Marketplace: tokens of minutes, orders to be acknowledged, lines that move one by one. */
export const walmart: PlatformDefinition = { domain: 'walmart.example', tokenSeconds: 900, currency: 'USD', open }

const usual = { orders: 'full_access', item: 'view_only', inventory: 'full_access', price: 'no_access' }

function open(world: World): Platform {
  const { settings, clock, shop } = world
  const limited = createLimits(world)
  const partner = String(100_000 + (Number.parseInt(world.secretFor('partner', 6), 16) % 900_000))
  const webhooks = createWebhooks(world, partner)
  const tokens = createTokens(world, 'eyJ')
  const sellers = new Map<string, { secret: string; name: string; seconds: number }>()

  function issue(seconds = settings.tokenSeconds) {
    const name = `seller-${sellers.size + 1}`
    const keys = {
      client_id: world.secretFor(name, 36),
      client_secret: world.secretFor(`secret of ${name}`, 64),
    }
    sellers.set(keys.client_id, { secret: keys.client_secret, name, seconds })
    return keys
  }
  function keep(seconds = settings.tokenSeconds) {
    const keys = issue(seconds)
    return { ...keys, access_token: tokens.mint(`seller-${sellers.size}`, seconds) }
  }

  const unauthorized = () =>
    answer(401, gateway('UNAUTHORIZED', 'Unauthorized token or incorrect authorization header.'))

  const token: Handle = (call, record) => {
    const [client, secret] = call.basic() ?? ['', '']
    const seller = sellers.get(client)
    if (!isNamed(call)) return nameless()
    if (!seller || seller.secret !== secret) return unauthorized()
    if (call.fields()['grant_type'] !== 'client_credentials') return invalid('TOKEN', 'The grant type is not known.')
    const { name, seconds } = seller
    record.caller(name)
    const date = new Date(clock.now() / 1000).toUTCString()
    const given = { access_token: tokens.mint(name, seconds), token_type: 'Bearer', expires_in: seconds }
    return answer(200, given, { date })
  }

  const detail = () => {
    const now = Math.floor(clock.now() / 1000)
    const times = { expire_at: String(now + settings.tokenSeconds * 1000), issued_at: String(now) }
    const { lacks, may = 'no_access' } = settings.variant
    const scopes = { ...usual, ...(lacks === undefined ? {} : { [lacks]: may }) }
    return answer(200, { ...times, is_valid: true, is_channel_match: true, scopes })
  }

  const rows: readonly RouteRow[] = [
    ['POST', '/v3/token', 'token', token, { open: true, careful: true }],
    ['GET', '/v3/token/detail', 'token.detail', detail],
    ...orderRoutes(world),
    ...returnRoutes(world),
    ...itemRoutes(world),
    ...feedRoutes(world),
    ...webhooks.rows,
  ]
  const tokenIn = (call: Call) => call.header('wm_sec.access_token')
  const door: Door = {
    holder: (call) => tokens.holder(tokenIn(call)),
    denied: unauthorized,
    refuses: lacking(world, () => answer(403, gateway('FORBIDDEN', 'Access denied.'))),
    unknown: () => no(404, 'NOT_FOUND', 'There is no such resource.'),
    around: (call, operation, run) =>
      isNamed(call) ? limited(operation, tokens.holder(tokenIn(call)), run) : nameless(),
  }

  return {
    install: {
      shop: `${partner}.walmart.com`,
      settings: { tracking_url: 'https://parcels.example.com/?id={number}' },
    },
    hosts: ['marketplace.walmartapis.com', 'sandbox.walmartapis.com'],
    keep,
    wrong: { ...issue(), client_secret: 'wrong', access_token: 'wrong' },
    issue,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => (status === 429 ? tooMany : gateway('SYSTEM_ERROR', 'Internal server error.')),
    expire: (call) => tokens.expire(tokenIn(call) ?? ''),
    expireAll: tokens.expireAll,
    orderId: orderIdOf,
    orderNumber: numberOf,
    remoteStatus: statusOf,
    tellsArrival: true,
    shown: (moment) => moment - (moment % 1000),
    productId(index) {
      const [only, ...others] = shop.stockroom.product(index)?.variants ?? []
      return only && others.length === 0 ? only.sku : `group:${groupOf({ index })}`
    },
    variantId: ({ sku }) => sku,
    locationId: nodeOf,
    messages: webhooks.messages,
  }
}

/** Every call says what it is for, and has a number by which it is found again. */
const isNamed = (call: Call): boolean =>
  call.header('wm_svc.name') === 'Walmart Marketplace' && (call.header('wm_qos.correlation_id') ?? '') !== ''
const nameless = () => no(400, 'INVALID_REQUEST_HEADER.GMP_GATEWAY_API', 'A header that is required is missing.')
