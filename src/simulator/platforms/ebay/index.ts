import { day } from '../../clock.ts'
import { type Door, type RouteRow, routeIn } from '../../http/route-table.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import { secretFor } from '../../tokens.ts'
import { answer, type World } from '../../world.ts'
import { createAuth } from './auth.ts'
import { locationKeyOf, orderIdOf } from './ids.ts'
import { createListings, inventory } from './listings.ts'
import { createNotifications } from './notifications.ts'
import { marketplace, orderStatus } from './order-view.ts'
import { createOrders, fulfillment } from './orders.ts'
import { badToken, no } from './reply.ts'
import { ownKeyId, publicKeyView } from './signatures.ts'

/** A seller on eBay.de: lists by time, articles in groups, signatures where money goes back, and no push but sales. */
export const ebay: PlatformDefinition = { domain: 'ebay.com', tokenSeconds: 7200, currency: marketplace.currency, open }

const cancellation = '/post-order/v2/cancellation'
const identity = '/commerce/identity/v1/user/'

function open(world: World): Platform {
  const { settings } = world
  const { shop } = settings
  const username = (shop.split('.')[0] ?? '').replaceAll('-', '_')
  const user = { userId: secretFor(settings.seed, 'user', 11), username }
  const auth = createAuth(world)
  const orders = createOrders(world)
  const listings = createListings(world)
  const notifications = createNotifications(world, user)
  const about = { ...user, accountType: 'BUSINESS', status: 'CONFIRMED', registrationMarketplaceId: marketplace.id }

  const rows: readonly RouteRow[] = [
    ...auth.routes,
    ['GET', identity, 'user.get', () => answer(200, about)],
    ['GET', `${fulfillment}/order`, 'orders.list', orders.list],
    ['GET', `${fulfillment}/order/:id`, 'orders.get', orders.get],
    ['GET', `${fulfillment}/order/:id/shipping_fulfillment`, 'shipments.list', orders.parcels],
    ['POST', `${fulfillment}/order/:id/shipping_fulfillment`, 'shipments.create', orders.send],
    ['POST', `${cancellation}/check_eligibility`, 'cancellation.check', orders.checkCancel, { writes: false }],
    ['POST', cancellation, 'cancellation.create', orders.cancel],
    ['POST', `${cancellation}/:id/approve`, 'cancellation.approve', orders.approve],
    ['GET', `${inventory}/location`, 'locations.list', listings.locations],
    ['GET', `${inventory}/inventory_item`, 'items.list', listings.items],
    ['GET', `${inventory}/inventory_item/:sku`, 'items.get', listings.item],
    ['POST', `${inventory}/bulk_get_inventory_item`, 'items.get_some', listings.someItems, { writes: false }],
    ['GET', `${inventory}/inventory_item_group/:key`, 'groups.get', listings.group],
    ['GET', `${inventory}/offer`, 'offers.list', listings.offers],
    ['POST', `${inventory}/bulk_update_price_quantity`, 'inventory.set', listings.setQuantity],
    [
      ...(['GET', '/commerce/notification/v1/public_key/:id', 'public_key.get'] as const),
      (call, _, [id]) => {
        if (!auth.isApp(call)) return badToken()
        return id === ownKeyId ? answer(200, publicKeyView) : no(404, 195_001, 'The public key was not found.')
      },
      { open: true },
    ],
  ]

  const isWithinDay = createDays(world)
  /** Who somebody is is asked at a host of its own. */
  const isAtHome = (origin: string, path: string) =>
    !/ebay\.com$/.test(origin) ||
    /\/\/(api|apiz)\.ebay\.com$/.exec(origin)?.[1] === (path === identity ? 'apiz' : 'api')

  const door: Door = {
    holder: (call) => (isAtHome(call.origin, call.path) ? auth.grants.holder(auth.tokenIn(call)) : null),
    denied: badToken,
    unknown: () => no(404, 2002, 'Resource not found'),
    around: async ({ path }, _, run) => {
      const made = isWithinDay(path) ? await run() : tooMany()
      return { ...made, headers: { ...auth.dated(), ...made.headers } }
    },
  }

  return {
    install: { type: 'ebay', shop, settings: {}, credentials: null, client: auth.client },
    hosts: ['api.ebay.com', 'apiz.ebay.com', 'auth.ebay.com'],
    keep: auth.keep,
    wrong: { access_token: 'v^1.1#wrong', refresh_token: 'v^1.1#wrong' },
    issue: auth.keep,
    messages: notifications.messages,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => (status === 429 ? tooMany() : no(status, 20_500, 'System error.')).body,
    expire(call) {
      const token = auth.tokenIn(call)
      if (token !== null) auth.grants.expire(token)
      return token !== null
    },
    expireAll: auth.grants.expireAll,
    orderId: orderIdOf,
    orderNumber: ({ index }) => orderIdOf(index),
    orderStatus,
    shown: (moment) => moment - (moment % 1000),
    productId: listings.productId,
    variantId: ({ sku }) => sku,
    locationId: listings.placed ? locationKeyOf : null,
  }
}

const tooMany = () => no(429, 2001, 'Too many requests. The request limit has been reached for the resource.')

/** The calls of an app in a day: so many for stock, and fewer for each of the others. No answer says how many are left. */
function createDays({ clock, weather }: World): (path: string) => boolean {
  const used = new Map<string, number>()
  let today = 0
  return (path) => {
    const date = Math.floor(clock.now() / day)
    if (date !== today) used.clear()
    today = date
    const api = path.split('/', 3).join('/')
    const count = (used.get(api) ?? 0) + 1
    used.set(api, count)
    return count <= (path.startsWith(inventory) ? 2_000_000 : 100_000) * weather.now().limit_scale
  }
}
