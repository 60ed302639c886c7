import { fieldsOf, listOf, textOf, wholeOf } from '../../json.ts'
import type { Parcel, ShopOrder } from '../../shop/order.ts'
import { type OrderInput, orderFrom } from '../../shop/place-order.ts'
import { cancelOrder, sendParcel } from '../../shop/work-on-order.ts'
import type { Subscription, Subscriptions } from '../../subscriptions.ts'
import type { World } from '../../world.ts'
import { type Args, objectType, of } from './graphql/types.ts'
import { gid, indexOf, wholeAndPart } from './ids.ts'
import { inventoryMutations } from './inventory-mutation.ts'
import { fulfillmentType } from './order-part-types.ts'
import { orderType } from './order-type.ts'
import { addressFrom, payload, type Refusal, type Request, userError } from './payload.ts'
import { productMutations } from './product-mutation.ts'
import { subscriptionType } from './queries.ts'

const job = objectType<ShopOrder>('Job', {
  id: ({ index }) => `gid://shopify/Job/cancel-${index}`,
  done: () => true,
})

export function createMutations(world: World, subscriptions: Subscriptions) {
  const { book, stockroom } = world.shop

  function createOrder({ record }: Request, { order }: Args): { order: ShopOrder } | Refusal {
    const input = fieldsOf(order)
    const base = orderFrom(stockroom, orderInput(input))
    if (typeof base === 'string') return userError(['order'], base)
    const made = book.add(base, input['financialStatus'] === 'PENDING' ? 'unpaid' : 'paid')
    record.effect('order.create', gid('Order', made.index), base.reference, base.reference)
    return { order: made }
  }

  function cancel({ record }: Request, { orderId, reason }: Args): { order: ShopOrder } | Refusal {
    const order = book.get(indexOf('Order', orderId) ?? -1)
    if (!order) return userError(['orderId'], 'Order does not exist', 'NOT_FOUND')
    const worked = cancelOrder(book, order, textOf(reason)?.toLowerCase() ?? 'other')
    if (!worked.ok) return userError(['orderId'], worked.why, 'INVALID')
    if (!worked.changed) return userError(['orderId'], 'Order has already been cancelled', 'INVALID')
    record.effect('order.cancel', gid('Order', order.index))
    return { order: worked.value }
  }

  function fulfill(
    { record }: Request,
    { fulfillment }: Args,
  ): { fulfillment: { order: ShopOrder; parcel: Parcel } } | Refusal {
    const input = fieldsOf(fulfillment)
    const [wanted, ...others] = listOf(input['lineItemsByFulfillmentOrder']).map(fieldsOf)
    const index = indexOf('FulfillmentOrder', wanted?.['fulfillmentOrderId'])
    const order = index === null ? null : book.get(index)
    if (!wanted || !order) return userError(['fulfillment'], 'Fulfillment order does not exist.')
    if (others.length > 0) return userError(['fulfillment'], 'All fulfillment orders must be of one location.')
    const lines = listOf(wanted['fulfillmentOrderLineItems']).map((value) => {
      const { id, quantity } = fieldsOf(value)
      const [whole, line] = wholeAndPart(indexOf('FulfillmentOrderLineItem', id) ?? -1)
      return { line: whole === order.index ? line : 0, quantity: wholeOf(quantity) ?? 0 }
    })
    const tracking = fieldsOf(input['trackingInfo'])
    const worked = sendParcel(book, order, {
      carrier: textOf(tracking['company']) ?? 'Other',
      trackingNumber: textOf(tracking['number']) ?? textOf(listOf(tracking['numbers'])[0]) ?? '',
      trackingUrl: textOf(tracking['url']) ?? textOf(listOf(tracking['urls'])[0]),
      sentAt: world.clock.now(),
      lines: lines.length === 0 ? null : lines,
    })
    if (!worked.ok) return userError(['fulfillment'], worked.why)
    const { trackingNumber } = worked.value
    record.effect('shipment.create', gid('Order', order.index), null, `${order.index} ${trackingNumber}`)
    return { fulfillment: { order: book.get(order.index) ?? order, parcel: worked.value } }
  }

  function subscribe({ record }: Request, { topic, webhookSubscription }: Args): { made: Subscription } | Refusal {
    const input = fieldsOf(webhookSubscription)
    const url = textOf(input['uri']) ?? textOf(input['callbackUrl'])
    const name = textOf(topic)
    if (!url || !/^https?:\/\//.test(url) || !name)
      return userError(['webhookSubscription', 'uri'], 'Address is invalid')
    if (subscriptions.to(name).some((one) => one.url === url)) {
      return userError(['webhookSubscription', 'uri'], 'Address for this topic has already been taken')
    }
    const made = subscriptions.add({ name, topic: name, url, secret: textOf(input['secret']) ?? '' })
    record.effect('webhook.create', gid('WebhookSubscription', made.id))
    return { made }
  }

  function unsubscribe({ record }: Request, { id }: Args): { id: unknown } | Refusal {
    if (!subscriptions.remove(indexOf('WebhookSubscription', id) ?? -1)) {
      return userError(['id'], 'Webhook subscription does not exist')
    }
    record.effect('webhook.delete', String(id))
    return { id }
  }

  return objectType<Request>('Mutation', {
    orderCreate: payload('OrderCreatePayload', createOrder, {
      order: of(
        () => orderType,
        (done) => done.order,
      ),
    }),
    orderCancel: payload(
      'OrderCancelPayload',
      cancel,
      {
        job: of(
          () => job,
          (done) => done.order,
        ),
      },
      'orderCancelUserErrors',
    ),
    fulfillmentCreate: payload('FulfillmentCreatePayload', fulfill, {
      fulfillment: of(
        () => fulfillmentType,
        (done) => done.fulfillment,
      ),
    }),
    webhookSubscriptionCreate: payload('WebhookSubscriptionCreatePayload', subscribe, {
      webhookSubscription: of(
        () => subscriptionType,
        (done) => done.made,
      ),
    }),
    webhookSubscriptionDelete: payload('WebhookSubscriptionDeletePayload', unsubscribe, {
      deletedWebhookSubscriptionId: (done) => done.id,
    }),
    ...inventoryMutations(world),
    ...productMutations(world),
  })

  function orderInput(input: Readonly<Record<string, unknown>>): OrderInput {
    const customer = fieldsOf(input['customer'])
    const shipTo = addressFrom(input['shippingAddress'])
    return {
      currency: 'EUR',
      reference: textOf(input['sourceIdentifier']),
      note: textOf(input['note']),
      email: textOf(input['email']) ?? textOf(customer['email']),
      firstName: textOf(customer['firstName']) ?? shipTo.firstName ?? null,
      lastName: textOf(customer['lastName']) ?? shipTo.lastName ?? null,
      shipTo,
      billTo: addressFrom(input['billingAddress']),
      lines: listOf(input['lineItems']).map((value) => {
        const { sku, title, quantity, variantId, priceSet } = fieldsOf(value)
        const [product, position] = wholeAndPart(indexOf('ProductVariant', variantId) ?? -1)
        const variant = stockroom.product(product)?.variants[position]
        const money = fieldsOf(fieldsOf(priceSet)['shopMoney'])
        return {
          sku: textOf(sku) ?? variant?.sku ?? null,
          title: textOf(title),
          quantity: wholeOf(quantity) ?? 0,
          unitPrice: money['amount'] ?? null,
        }
      }),
    }
  }
}
