import type { Fields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall } from '../../commerce/stand.ts'
import { bare, list, store, wrong } from './stand-list.ts'
import { makeOrders, type StandParcel } from './stand-orders.ts'
import {
  ids,
  makeItem,
  makeLevel,
  makeProduct,
  makeProducts,
  makeVariant,
  places,
  priceRow,
  timeAt,
} from './stand-records.ts'

const key = 'sk_stand_0123456789'

const ok = (body: unknown): RemoteAnswer => ({ status: 200, headers: {}, body })
const no = (status: number, type: string, message: string): RemoteAnswer => ({
  status,
  headers: {},
  body: { type, message },
})
const notAllowed = (message: string) => no(400, 'not_allowed', message)

const times = { created_at: timeAt(0), updated_at: timeAt(0), deleted_at: timeAt(0) }

type Handler = (parts: readonly string[], query: Fields, body: Fields) => RemoteAnswer

/** A server with two stock locations. Changes happen long after everything else, a minute apart. */
export function makeStand(): PlatformStand {
  const products = makeProducts()
  const orders = makeOrders(products, 63)
  const items = products.flatMap((product) => product.variants).map(makeItem)
  const doubles: string[] = []
  let made = 1000
  let minute = 100_000
  const now = () => timeAt(++minute)
  const free = orders
    .filter(({ status, fulfillments }) => status === 'pending' && fulfillments.length === 0)
    .map(({ id }) => id)

  const payments = () =>
    orders.flatMap((order) =>
      order.payment_collections.flatMap((collection) =>
        collection.payments.map((payment) => ({
          ...payment,
          payment_collection: { ...bare(collection), order: { id: order.id } },
        })),
      ),
    )
  const variants = () =>
    products.flatMap((product) =>
      product.variants.map((one) => ({ ...one, product: { id: product.id, updated_at: product.updated_at } })),
    )

  const change = (id: string | undefined, work: (order: (typeof orders)[number]) => RemoteAnswer): RemoteAnswer => {
    const order = orders.find((one) => one.id === id)
    return order ? work(order) : no(404, 'not_found', `Order id not found: ${id}`)
  }

  const routes: Record<string, Handler> = {
    'GET stores': () => ok({ stores: [store], count: 1, offset: 0, limit: 1 }),
    'GET orders': (_, query) => list('orders', orders, query),
    'GET orders/*': ([, id]) => change(id, (order) => ok({ order })),
    'GET payments': (_, query) => list('payments', payments(), query),
    'GET products': (_, query) => list('products', products, query),
    'GET product-variants': (_, query) => list('variants', variants(), query),
    'GET inventory-items': (_, query) => list('inventory_items', items, query),
    'GET shipping-profiles': () =>
      ok({
        shipping_profiles: [{ id: ids('sp', 1), name: 'Default', type: 'default', metadata: {}, ...times }],
        count: 1,
        offset: 0,
        limit: 50,
      }),
    'GET stock-locations': () =>
      ok({ stock_locations: places.map((id) => ({ id, name: id, address_id: '' })), count: 2, offset: 0, limit: 50 }),
    'GET products/*'([, id]) {
      const product = products.find((one) => one.id === id)
      return product ? ok({ product }) : no(404, 'not_found', `Product with id: ${id} was not found`)
    },
    'POST orders/*/cancel': ([, id]) =>
      change(id, (order) => {
        if (order.status === 'canceled') return notAllowed(`Order with id ${id} has been canceled.`)
        if (order.fulfillments.length > 0)
          return notAllowed('All fulfillments must be canceled before canceling an order')
        Object.assign(order, { status: 'canceled', payment_status: 'canceled', canceled_at: now(), updated_at: now() })
        order.version++
        return ok({ order })
      }),
    'POST orders/*/fulfillments': ([, id], _, { items: wanted, metadata }) =>
      change(id, (order) => {
        if (order.status === 'canceled') return no(400, 'invalid_data', `Order with id ${id} has been canceled.`)
        const lines = wanted as { id: string; quantity: number }[]
        for (const { id: line, quantity } of lines) {
          const item = order.items.find((one) => one.id === line)
          if (!item || item.detail.fulfilled_quantity + quantity > item.quantity)
            return no(400, 'invalid_data', `No stock reservation found for item ${line}`)
        }
        const number = (metadata as Fields)['tracking_number']
        if (order.fulfillments.some((one) => one.metadata['tracking_number'] === number))
          doubles.push(`parcel ${number}`)
        for (const { id: line, quantity } of lines) {
          const item = order.items.find((one) => one.id === line)
          if (item) item.detail.fulfilled_quantity += quantity
        }
        const at = now()
        const parcel: StandParcel = {
          ...{
            id: ids('ful', ++made),
            location_id: places[0] ?? '',
            packed_at: at,
            shipped_at: null,
            delivered_at: null,
            canceled_at: null,
          },
          ...{
            requires_shipping: true,
            data: {},
            provider_id: 'manual',
            shipping_option_id: ids('so', 1),
            created_at: at,
            updated_at: at,
          },
          ...{
            metadata: metadata as Fields,
            labels: [],
            items: lines.map((line) => ({ line_item_id: line.id, quantity: line.quantity })),
          },
        }
        order.fulfillments.push(parcel)
        Object.assign(order, { updated_at: at, fulfillment_status: 'fulfilled', version: order.version + 1 })
        return ok({ order })
      }),
    'POST orders/*/fulfillments/*/shipments': ([, id, , parcelId], _, { labels }) =>
      change(id, (order) => {
        const parcel = order.fulfillments.find((one) => one.id === parcelId)
        if (!parcel) return no(404, 'not_found', `Fulfillment with id: ${parcelId} was not found`)
        if (parcel.shipped_at !== null) return notAllowed('Shipment has already been created')
        const at = now()
        Object.assign(parcel, { shipped_at: at, updated_at: at, labels })
        for (const { line_item_id: line, quantity } of parcel.items) {
          const item = order.items.find((one) => one.id === line)
          if (item) item.detail.shipped_quantity += quantity
        }
        Object.assign(order, { updated_at: at, fulfillment_status: 'shipped', version: order.version + 1 })
        return ok({ order })
      }),
    'POST inventory-items/location-levels/batch'(_, __, { create, update }) {
      for (const { inventory_item_id: id, location_id: place, stocked_quantity: quantity } of [
        ...(create as Fields[]),
        ...(update as Fields[]),
      ]) {
        const item = items.find((one) => one.id === id)
        if (!item) return no(404, 'not_found', `Item ${id} is not stocked at location ${place}`)
        const level = item.location_levels.find((one) => one['location_id'] === place)
        const reserved = Number(level?.['reserved_quantity'] ?? 0)
        const told = makeLevel(item.id, String(place), Number(quantity), reserved, now())
        if (level) Object.assign(level, told)
        else item.location_levels.push(told)
      }
      return ok({ created: [], updated: [], deleted: [] })
    },
    'POST products'(_, __, { variants: wanted, sales_channels: ___, ...words }) {
      if (products.some((one) => one['handle'] === words['handle'])) {
        doubles.push(`product ${words['handle']}`)
        return notAllowed(`Product with handle: ${words['handle']}, already exists.`)
      }
      const at = now()
      const [told = {}] = wanted as Fields[]
      const [price = {}] = told['prices'] as Fields[]
      const variant = makeVariant(++made, ids('prod', made), {
        sku: String(told['sku']),
        title: 'Default',
        amount: 0,
        at,
      })
      variant.prices = [priceRow(++made, String(price['currency_code']), Number(price['amount']), at)]
      const product = makeProduct(
        ++made,
        { ...words, options: [{ id: ids('opt', made), title: 'Default', values: [] }] },
        at,
        [variant],
      )
      products.push(product)
      items.push(makeItem(variant, -1))
      return ok({ product })
    },
    'POST products/*'([, id], _, words) {
      const product = products.find((one) => one.id === id)
      if (!product) return no(404, 'not_found', `Product with id: ${id} was not found`)
      return ok({ product: Object.assign(product, words, { updated_at: now() }) })
    },
    'POST products/*/variants/*'([, id, , variantId], _, { prices }) {
      const product = products.find((one) => one.id === id)
      const variant = product?.variants.find((one) => one.id === variantId)
      if (!product || !variant) return no(404, 'not_found', `Variant with id: ${variantId} was not found`)
      const at = now()
      // All of them: what is not named is gone.
      variant.prices = (prices as Fields[]).map((one) =>
        priceRow(++made, String(one['currency_code']), Number(one['amount']), at),
      )
      variant.updated_at = at
      return ok({ product })
    },
  }

  return {
    facts: { shop: 'stand.example', settings: { currency: 'EUR' } },
    credentials: { secret_key: key },
    wrong: { secret_key: 'sk_wrong' },
    typed: { secret_key: key },
    client: {},
    answer({ url, request }: StandCall) {
      const expected = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
      if (request.headers?.['authorization'] !== expected)
        return { status: 401, headers: {}, body: { message: 'Unauthorized' } }
      const parts = new URL(url).pathname.split('/').slice(2).map(decodeURIComponent)
      const fits = (route: string) => {
        const [method, path = ''] = route.split(' ')
        const wanted = path.split('/')
        return (
          method === request.method &&
          wanted.length === parts.length &&
          wanted.every((part, n) => part === '*' || part === parts[n])
        )
      }
      const handler = routes[Object.keys(routes).find(fits) ?? '']
      return handler
        ? structuredClone(handler(parts, request.query ?? {}, (request.body ?? {}) as Fields))
        : no(404, 'not_found', 'Cannot find the route')
    },
    counts: {
      orders: orders.length,
      products: products.length,
      inventory: items.reduce((sum, item) => sum + item.location_levels.length, 0),
    },
    openOrder: () => free.shift() ?? '',
    doubles: () => doubles,
    specifications: [{ kind: 'openapi', file: 'medusa/admin.openapi.full.yaml', base: '', wrong: [...wrong] }],
  }
}
