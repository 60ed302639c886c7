import type { Fields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall } from '../../commerce/stand.ts'
import { cut, isWithin, parseOperation } from './stand-graphql.ts'
import { orderView } from './stand-order.ts'
import { makeOrders, makeProducts, type StandOrder, type StandProduct, timeAt } from './stand-records.ts'

const key = 'stand-key:0123456789abcdef'
const token = 'stand-session'

const ok = (body: unknown, headers = {}): RemoteAnswer => ({ status: 200, headers, body })

const failed = (message: string, code: string): RemoteAnswer =>
  ok({ errors: [{ message, path: ['field'], extensions: { code } }], data: null })

const refusal = (errorCode: string, message: string) => ({ __typename: 'ErrorResult', errorCode, message })

/** A server with one channel in EUR. Changes happen long after everything else, a minute apart. */
export function makeStand(): PlatformStand {
  const products = makeProducts()
  const orders = makeOrders(products, 66)
  const carts = makeOrders(products, 2).map((cart, n) => ({
    ...cart,
    id: `90${n}`,
    active: true,
    state: 'AddingItems',
  }))
  const doubles: string[] = []
  let minute = 100_000
  const now = () => timeAt(++minute)
  let ids = 5000
  const free = orders
    .filter(({ state }) => state === 'PaymentSettled' || state === 'PaymentAuthorized')
    .map(({ id }) => id)

  const answer = ({ url, request: { headers = {}, body } }: StandCall): RemoteAnswer => {
    if (new URL(url).pathname !== '/admin-api') return { status: 404, headers: {}, body: 'Cannot POST' }
    const { query, variables = {} } = body as { query: string; variables?: Fields }
    const { kind, fields } = parseOperation(query)
    const isKnown = headers['vendure-api-key'] === key || headers['authorization'] === `Bearer ${token}`
    const [first] = fields
    if (first?.name === 'login') {
      const right = variables['username'] === 'ada' && variables['password'] === 'secret'
      const login = right
        ? { __typename: 'CurrentUser', id: '1' }
        : refusal('INVALID_CREDENTIALS_ERROR', 'The provided credentials are invalid')
      return ok({ data: { login: cut(login, first.fields) } }, right ? { 'vendure-auth-token': token } : {})
    }
    if (!isKnown) return failed('You are not currently authorized to perform this action', 'FORBIDDEN')
    try {
      const told = fields.map(({ alias, name, fields: inner }) => {
        const handler = (kind === 'mutation' ? changes : questions)[name]
        if (!handler) throw new Error(`The stand does not know ${name}.`)
        return [alias, cut(handler(variables), inner)] as const
      })
      return ok({ data: Object.fromEntries(told) })
    } catch (error) {
      return failed(error instanceof Error ? error.message : 'Error', 'USER_INPUT_ERROR')
    }
  }

  const list = (records: readonly Fields[], { options = {} }: { options?: Fields }) => {
    const { take = 100, skip = 0, filter = {} } = options as { take?: number; skip?: number; filter?: Fields }
    if (take > 1000) throw new Error('Cannot take more than 1000 results from a list query')
    const found = records.filter((record) => isWithin(record, filter))
    const sorted = found.toSorted(
      (a, b) =>
        Date.parse(String(a['createdAt'])) - Date.parse(String(b['createdAt'])) || Number(a['id']) - Number(b['id']),
    )
    return { totalItems: found.length, items: sorted.slice(skip, skip + take) }
  }
  const allOrders = () => [...orders, ...carts].map(orderView)
  const variants = () => products.flatMap((product) => product.variants.map((one) => ({ ...one, product })))
  const orderWith = (id: unknown): StandOrder => {
    const order = orders.find((one) => one.id === id)
    if (!order) throw new Error(`No Order with the id "${id}" could be found`)
    return order
  }

  const questions: Record<string, (variables: Fields) => unknown> = {
    activeChannel: () => ({ code: '__default_channel__', defaultCurrencyCode: 'EUR', defaultLanguageCode: 'en' }),
    globalSettings: () => ({ serverConfig: { moneyStrategyPrecision: 2 } }),
    stockLocations: () => ({
      totalItems: 2,
      items: [
        { id: '1', name: 'Shelf' },
        { id: '2', name: 'Cellar' },
      ],
    }),
    orders: (variables) => list(allOrders(), variables),
    order: ({ id }) => allOrders().find((order) => order['id'] === id) ?? null,
    products: (variables) =>
      list(
        products.map((one) => ({ ...one })),
        variables,
      ),
    product: ({ id }) => products.find((product) => product.id === id) ?? null,
    productVariants: (variables) => list(variants(), variables),
  }

  const changes: Record<string, (variables: Fields) => unknown> = {
    cancelOrder({ input }) {
      const { orderId, reason = null } = input as Fields
      const order = orderWith(orderId)
      if (order.lines.every((line) => line.quantity === 0))
        return refusal('EMPTY_ORDER_LINE_SELECTION_ERROR', 'At least one OrderLine must be specified')
      order.state = 'Cancelled'
      order.updatedAt = now()
      for (const line of order.lines) line.quantity = 0
      order.events.push({ type: 'ORDER_CANCELLATION', createdAt: order.updatedAt, data: { reason } })
      return { __typename: 'Order', id: order.id }
    },
    settlePayment({ id }) {
      const order = orders.find((one) => one.payments.some((payment) => payment.id === id))
      const payment = order?.payments.find((one) => one.id === id)
      if (!order || !payment) throw new Error(`No Payment with the id "${id}" could be found`)
      if (payment.state !== 'Authorized')
        return refusal(
          'PAYMENT_STATE_TRANSITION_ERROR',
          `Cannot transition Payment from "${payment.state}" to "Settled"`,
        )
      payment.state = 'Settled'
      if (order.state === 'PaymentAuthorized') order.state = 'PaymentSettled'
      order.events.push({ type: 'ORDER_PAYMENT_TRANSITION', createdAt: now(), data: {} })
      return { __typename: 'Payment', id, state: 'Settled' }
    },
    addFulfillmentToOrder({ input }) {
      const { lines, handler } = input as {
        lines: { orderLineId: string; quantity: number }[]
        handler: { code: string; arguments: { name: string; value: string }[] }
      }
      const order = orders.find((one) => one.lines.some((line) => line.id === lines[0]?.orderLineId))
      if (!order) throw new Error(`No OrderLine with the id "${lines[0]?.orderLineId}" could be found`)
      if (handler.code !== 'manual-fulfillment') return refusal('INVALID_FULFILLMENT_HANDLER_ERROR', 'No such handler')
      const taken = order.fulfillments.filter(({ state }) => state !== 'Cancelled').flatMap((one) => one.lines)
      for (const { orderLineId, quantity } of lines) {
        const line = order.lines.find((one) => one.id === orderLineId)
        const gone = taken.filter((one) => one.orderLineId === orderLineId).reduce((sum, one) => sum + one.quantity, 0)
        if (!line || gone + quantity > line.quantity)
          return refusal('ITEMS_ALREADY_FULFILLED_ERROR', 'One or more OrderItems are already part of a Fulfillment')
      }
      const told = Object.fromEntries(handler.arguments.map(({ name, value }) => [name, value]))
      if (order.fulfillments.some((one) => one.trackingCode === told['trackingCode']))
        doubles.push(`parcel ${told['trackingCode']}`)
      const at = now()
      const parcel = {
        id: String(++ids),
        state: 'Pending',
        method: told['method'] ?? '',
        trackingCode: told['trackingCode'] ?? '',
        createdAt: at,
        updatedAt: at,
        lines,
      }
      order.fulfillments.push(parcel)
      order.events.push({ type: 'ORDER_FULFILLMENT', createdAt: at, data: {} })
      return { __typename: 'Fulfillment', ...parcel }
    },
    transitionFulfillmentToState({ id, state }) {
      const order = orders.find((one) => one.fulfillments.some((parcel) => parcel.id === id))
      const parcel = order?.fulfillments.find((one) => one.id === id)
      if (!order || !parcel) throw new Error(`No Fulfillment with the id "${id}" could be found`)
      if (parcel.state !== 'Pending' || state !== 'Shipped')
        return refusal(
          'FULFILLMENT_STATE_TRANSITION_ERROR',
          `Cannot transition Fulfillment from "${parcel.state}" to "${state}"`,
        )
      parcel.state = 'Shipped'
      parcel.updatedAt = now()
      const sent = order.fulfillments.flatMap((one) => one.lines).reduce((sum, one) => sum + one.quantity, 0)
      const wanted = order.lines.reduce((sum, line) => sum + line.quantity, 0)
      // Without a settled payment the order stays where it is.
      if (order.state === 'PaymentSettled' || order.state === 'PartiallyShipped')
        order.state = sent < wanted ? 'PartiallyShipped' : 'Shipped'
      order.events.push({ type: 'ORDER_FULFILLMENT_TRANSITION', createdAt: parcel.updatedAt, data: {} })
      return { __typename: 'Fulfillment', ...parcel }
    },
    createProduct({ input }) {
      const { enabled, translations } = input as {
        enabled: boolean
        translations: { name: string; slug: string; description: string }[]
      }
      const [words] = translations
      const at = now()
      if (products.some(({ slug }) => slug === words?.slug)) doubles.push(`product ${words?.slug}`)
      const product: StandProduct = {
        id: String(++ids),
        name: '',
        slug: '',
        description: '',
        ...words,
        enabled,
        createdAt: at,
        updatedAt: at,
        assets: [],
        optionGroups: [],
        variants: [],
      }
      products.push(product)
      return product
    },
    updateProduct({ input }) {
      const { id, enabled, translations } = input as {
        id: string
        enabled: boolean
        translations: { name: string; description: string }[]
      }
      const product = products.find((one) => one.id === id)
      if (!product) throw new Error(`No Product with the id "${id}" could be found`)
      return Object.assign(product, { enabled, ...translations[0], updatedAt: now() })
    },
    createProductVariants: ({ input }) =>
      (input as readonly Fields[]).map(({ productId, sku, price, translations, stockLevels = [] }) => {
        const product = products.find(({ id }) => id === productId)
        if (!product) throw new Error(`No Product with the id "${productId}" could be found`)
        if (variants().some((one) => one.sku === sku)) doubles.push(`article ${sku}`)
        const at = now()
        const variant = {
          ...{
            id: String(++ids),
            sku: String(sku),
            name: String((translations as readonly Fields[])[0]?.['name']),
            enabled: true,
          },
          ...{
            createdAt: at,
            updatedAt: at,
            price: Number(price),
            prices: [{ currencyCode: 'EUR', price: Number(price) }],
          },
          ...{
            currencyCode: 'EUR',
            trackInventory: 'INHERIT',
            options: [],
            product: { id: product.id, updatedAt: product.updatedAt },
          },
          stockLevels: (stockLevels as { stockLocationId: string; stockOnHand: number }[]).map((level) => ({
            ...level,
            id: String(++ids),
            stockAllocated: 0,
            updatedAt: at,
          })),
        }
        product.variants.push(variant)
        return variant
      }),
    updateProductVariants: ({ input }) =>
      (input as readonly Fields[]).map(({ id, price, stockLevels = [] }) => {
        const variant = products.flatMap((product) => product.variants).find((one) => one.id === id)
        if (!variant) throw new Error(`No ProductVariant with the id "${id}" could be found`)
        variant.updatedAt = now()
        if (typeof price === 'number') Object.assign(variant, { price, prices: [{ currencyCode: 'EUR', price }] })
        for (const { stockLocationId, stockOnHand } of stockLevels as {
          stockLocationId: string
          stockOnHand: number
        }[]) {
          const level = variant.stockLevels.find((one) => one.stockLocationId === stockLocationId)
          if (!level) throw new Error('FOREIGN KEY constraint failed')
          Object.assign(level, { stockOnHand, updatedAt: variant.updatedAt })
        }
        return variant
      }),
  }

  return {
    facts: {
      shop: 'stand.example',
      settings: { money_precision: 2, currency: 'EUR', language: 'en', channel_token: 'main', page_size: 25 },
    },
    credentials: { api_key: key },
    wrong: { api_key: 'wrong' },
    typed: { username: 'ada', password: 'secret' },
    client: {},
    answer,
    counts: {
      orders: orders.length,
      products: products.length,
      inventory: products.reduce((sum, product) => sum + product.variants.length * 2, 0),
    },
    openOrder: () => free.shift() ?? '',
    doubles: () => doubles,
    specifications: [{ kind: 'graphql', file: 'vendure/schema-admin.json', path: '/admin-api' }],
  }
}
