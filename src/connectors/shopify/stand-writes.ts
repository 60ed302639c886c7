import type { Fields } from '../../commerce/reading.ts'
import { addParcel, newOrder } from './stand-orders.ts'
import { addVariant, type Books, gid, makeProduct, type Row, stock, time } from './stand-records.ts'

/** What may be changed in the stand, and what it refuses. */

const failure = (message: string, field: readonly string[] | null = null, code: string | null = null) => ({
  message,
  field,
  code,
})

export const mutationsOn = (books: Books) => {
  const later = () => time(books.next())
  const orderOf = (id: unknown) => books.orders.find((one) => one.id === id) ?? null
  const placeOf = (id: unknown) => books.places.find((one) => one.id === id) ?? null
  const itemOf = (id: unknown) =>
    books.products
      .flatMap((product) => product['list'] as Row[])
      .map((variant) => variant['inventoryItem'] as Row)
      .find((item) => item.id === id) ?? null
  const levelOf = (item: unknown, place: unknown) =>
    books.levels.find((one) => (one['item'] as Row).id === item && (one['location'] as Row).id === place) ?? null

  /** Whether the change may be carried out now; an error where the key was used for another one. */
  function once(args: Fields, what: unknown): 'yes' | 'done' | ReturnType<typeof failure> {
    const key = (args['@idempotent'] as Fields | undefined)?.['key']
    if (typeof key !== 'string') return failure('The @idempotent directive is required for this mutation.')
    const known = books.keys.get(key)
    books.keys.set(key, JSON.stringify(what))
    if (known === undefined) return 'yes'
    return known === JSON.stringify(what)
      ? 'done'
      : failure('Key was used before.', null, 'IDEMPOTENCY_KEY_PARAMETER_MISMATCH')
  }

  return {
    __typename: 'Mutation',

    orderCreate({ order: told }: Fields) {
      const input = told as Fields
      const lines = (input['lineItems'] as Fields[]).map((line) => {
        const variant = books.products.flatMap((one) => one['list'] as Row[]).find(({ id }) => id === line['variantId'])
        const money = (line['priceSet'] as Fields | undefined)?.['shopMoney'] as Fields | undefined
        return {
          variant: variant ?? null,
          title: String(line['title'] ?? 'Coffee'),
          quantity: Number(line['quantity']),
          price: Number(money?.['amount'] ?? variant?.['price']),
        }
      })
      const name = `#${2000 + books.orders.length}`
      const order = newOrder(books, { name, financial: 'PENDING', sent: 'UNFULFILLED', lines, at: later() })
      Object.assign(order, { note: input['note'] ?? null, sourceIdentifier: input['sourceIdentifier'] ?? null })
      books.orders.push(order)
      return { order, userErrors: [] }
    },

    orderCancel({ orderId, reason }: Fields) {
      const order = orderOf(orderId)
      const refusal = !order
        ? 'Order does not exist'
        : order['cancelledAt'] !== null
          ? 'Order has already been cancelled'
          : null
      if (refusal) return { job: null, orderCancelUserErrors: [failure(refusal, ['orderId'], 'INVALID')] }
      const at = later()
      Object.assign(order ?? {}, { cancelledAt: at, updatedAt: at, cancelReason: reason })
      return { job: { id: gid('Job', books.next()), done: false }, orderCancelUserErrors: [] }
    },

    fulfillmentCreate({ fulfillment }: Fields) {
      const { lineItemsByFulfillmentOrder: groups, trackingInfo } = fulfillment as Fields
      const [group] = groups as Fields[]
      const order = books.orders.find((one) => (one['part'] as Row).id === group?.['fulfillmentOrderId'])
      if (!order) return { fulfillment: null, userErrors: [failure('Fulfillment order does not exist.')] }
      const left = (order['part'] as Row)['list'] as Row[]
      const items = ((group?.['fulfillmentOrderLineItems'] ?? []) as Fields[]).map(({ id, quantity }) => ({
        part: left.find((one) => one.id === id),
        quantity: Number(quantity),
      }))
      if (items.some(({ part, quantity }) => !part || quantity > Number(part['remainingQuantity']))) {
        return { fulfillment: null, userErrors: [failure('Invalid fulfillment order line item quantity requested.')] }
      }
      const { number, company, url } = trackingInfo as Fields
      const parcel = addParcel(books, order, {
        number: String(number),
        company: String(company),
        url: url == null ? null : String(url),
        items: items.map(({ part, quantity }) => ({ quantity, line: part?.['lineItem'] as Row })),
        place: books.places[0] as Row,
      })
      return { fulfillment: parcel, userErrors: [] }
    },

    inventorySetQuantities(args: Fields) {
      const { quantities } = args['input'] as Fields
      const may = once(args, args['input'])
      if (typeof may === 'object') return { inventoryAdjustmentGroup: null, userErrors: [may] }
      const errors = (quantities as Fields[]).flatMap((one, n) => {
        const field = ['input', 'quantities', String(n), 'inventoryItemId']
        if (one['changeFromQuantity'] === undefined) return [failure('changeFromQuantity is required.', field)]
        return levelOf(one['inventoryItemId'], one['locationId'])
          ? []
          : [failure('Not stocked at the location.', field)]
      })
      if (errors.length > 0) return { inventoryAdjustmentGroup: null, userErrors: errors }
      for (const one of may === 'yes' ? (quantities as Fields[]) : []) {
        const level = levelOf(one['inventoryItemId'], one['locationId'])
        Object.assign(level ?? {}, { available: one['quantity'], updatedAt: later() })
      }
      return { inventoryAdjustmentGroup: { createdAt: later() }, userErrors: [] }
    },

    inventoryActivate(args: Fields) {
      const { inventoryItemId, locationId, available } = args
      const [item, place] = [itemOf(inventoryItemId), placeOf(locationId)]
      if (!item || !place)
        return { inventoryLevel: null, userErrors: [failure('The inventory item could not be found.')] }
      const may = once(args, [inventoryItemId, locationId, available])
      if (typeof may === 'object') return { inventoryLevel: null, userErrors: [may] }
      return {
        inventoryLevel: levelOf(inventoryItemId, locationId) ?? stock(books, item, place, Number(available)),
        userErrors: [],
      }
    },

    productSet({ input, identifier }: Fields) {
      const { variants, files, productOptions: _, ...told } = input as Fields
      const by = identifier as Fields
      const known = books.products.find(
        (one) => one.id === by['id'] || (by['handle'] && one['handle'] === by['handle']),
      )
      if (!known && by['id']) return { product: null, userErrors: [failure('Product does not exist', ['identifier'])] }
      const product = known ?? makeProduct(books, {})
      Object.assign(product, told, { updatedAt: later() })
      if (files) product['files'] = (files as Fields[]).map((one) => ({ url: one['originalSource'], alt: one['alt'] }))
      // What a list does not name is gone.
      if (variants) {
        const list = (variants as Fields[]).map(({ sku, price, inventoryQuantities }) => {
          const variant =
            (product['list'] as Row[]).find((one) => one['sku'] === sku) ?? addVariant(books, product, { sku, price })
          for (const one of (inventoryQuantities ?? []) as Fields[]) {
            const place = placeOf(one['locationId'])
            if (place) stock(books, variant['inventoryItem'] as Row, place, Number(one['quantity']))
          }
          return Object.assign(variant, { price })
        })
        product['list'] = list
      }
      return { product, userErrors: [] }
    },

    productVariantsBulkUpdate({ productId, variants }: Fields) {
      const product = books.products.find((one) => one.id === productId)
      const list = (product?.['list'] ?? []) as Row[]
      for (const { id, price } of variants as Fields[])
        Object.assign(list.find((one) => one.id === id) ?? {}, { price })
      return { productVariants: list, userErrors: product ? [] : [failure('Product does not exist')] }
    },

    webhookSubscriptionCreate({ topic, webhookSubscription }: Fields) {
      const { uri } = webhookSubscription as Fields
      const taken = books.hooks.some((one) => one['topic'] === topic && one['uri'] === uri)
      if (taken)
        return { webhookSubscription: null, userErrors: [failure('Address for this topic has already been taken')] }
      const hook: Row = { __typename: 'WebhookSubscription', id: gid('WebhookSubscription', books.next()), topic, uri }
      books.hooks.push(hook)
      return { webhookSubscription: hook, userErrors: [] }
    },

    webhookSubscriptionDelete({ id }: Fields) {
      const at = books.hooks.findIndex((one) => one.id === id)
      if (at < 0)
        return { deletedWebhookSubscriptionId: null, userErrors: [failure('Webhook subscription does not exist')] }
      books.hooks.splice(at, 1)
      return { deletedWebhookSubscriptionId: id, userErrors: [] }
    },

    appUninstall: () => ({ userErrors: [] }),
  }
}
