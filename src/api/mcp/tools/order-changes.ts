import type { TObject } from 'typebox'
import { inventorySettingSchema } from '../../../commerce/inventory.ts'
import { refundFields } from '../../../commerce/refund.ts'
import { notifyCustomer, shipmentDraftSchema } from '../../../commerce/shipment.ts'
import type { Plan } from '../../../domain/agents/proposal.ts'
import { list, maybe, object, text } from '../../../lib/validation/fields.ts'
import { orderFacts } from '../order-facts.ts'
import { type Asking, code, type Fields, fieldsOf, listOf, type ToolResult, untrusted, writeTool } from '../tool.ts'
import { orderId, readOrder } from './orders.ts'
import { shopId } from './shops.ts'

/** Changes of orders and stock in shops. Each asks the endpoint that apps ask, with what the endpoint takes. */

/** What the person who decides reads: each field that was sent, as it was sent. */
export const saysOf = (input: object): Plan['says'] =>
  Object.entries(input)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => ({ name, value: typeof value === 'string' ? value : JSON.stringify(value) }))

const changedOrder = (asking: Asking, body: unknown): ToolResult => {
  const order = fieldsOf(fieldsOf(body)['data'])
  const { customer_data: customerData } = asking.agent.bounds
  return { text: `The order is ${String(order['status'])} now.`, data: orderFacts(order, { customerData }) }
}

const aboutOrder = (order: Fields): Plan['says'] =>
  saysOf({
    order: order['number'] ?? order['remote_id'],
    total: `${String(order['total'])} ${String(order['currency'])}`,
  })

interface OrderWrite {
  name: string
  title: string
  description: string
  path: string
  fields: TObject['properties']
}

/** A POST below an order. */
const orderWrite = ({ name, title, description, path, fields }: OrderWrite) =>
  writeTool({
    name,
    title,
    description,
    right: 'update-order',
    input: object({ shop_id: shopId, order_id: orderId, ...fields }),
    async plan(asking, input) {
      const { shop_id: shop, order_id: id, ...body } = fieldsOf(input)
      const order = await readOrder(asking, Number(shop), Number(id))
      return {
        integrationId: Number(shop),
        request: {
          as: { kind: 'app' },
          method: 'POST',
          url: `/api/2.0/app/orders/${id}/${path}?integration_id=${shop}`,
          body,
        },
        says: [...aboutOrder(order), ...saysOf(body)],
      }
    },
    view: changedOrder,
  })

const refund = orderWrite({
  name: 'refund_order',
  title: 'Refund an order',
  description:
    'Pays money back to the buyer in the shop: an amount, or lines with quantities, for which the amount is worked out. The same request pays once.',
  path: 'refunds',
  fields: refundFields,
})

const cancel = orderWrite({
  name: 'cancel_order',
  title: 'Cancel an order',
  description: 'Cancels an order in the shop, or single lines of it. The shop refuses what has left already.',
  path: 'cancel',
  fields: { lines: refundFields.lines, reason: maybe(text()), notify_customer: notifyCustomer },
})

const { order_remote_id: _, ...parcelFields } = shipmentDraftSchema.properties

const ship = writeTool({
  name: 'ship_order',
  title: 'Ship an order',
  right: 'run-action',
  description:
    'Tells the shop that goods of an order have left, with carrier and tracking number. Without lines: everything that is still to be sent.',
  input: object({ shop_id: shopId, order_id: orderId, ...parcelFields }),
  async plan(asking, { shop_id: shop, order_id: id, ...parcel }) {
    const order = await readOrder(asking, shop, id)
    return {
      integrationId: shop,
      request: {
        as: { kind: 'app' },
        method: 'POST',
        url: `/api/2.0/app/integrations/${shop}/action`,
        body: { resource: 'create_shipment', order_remote_id: order['remote_id'], ...parcel },
      },
      says: [...aboutOrder(order), ...saysOf(parcel)],
    }
  },
  view: (_asking, body) => ({
    text: 'The shop has the shipment.',
    data: { shipment_remote_id: code(fieldsOf(fieldsOf(body)['data'])['remote_id']) },
  }),
})

const maxItems = 100

const setStock = writeTool({
  name: 'set_stock',
  title: 'Set stock',
  right: 'run-action',
  description: 'Sets how many of each article the shop says it has. Always the level itself, never a difference.',
  input: object({ shop_id: shopId, items: list(inventorySettingSchema, { min: 1, max: maxItems }) }),
  async plan(asking, { shop_id: shop, items }) {
    await asking.shop(shop)
    return {
      integrationId: shop,
      request: {
        as: { kind: 'app' },
        method: 'POST',
        url: `/api/2.0/app/integrations/${shop}/action`,
        body: { resource: 'set_inventory', items },
      },
      says: items.map(({ sku, variant_remote_id: variant, quantity, location }) => ({
        name: sku ?? variant ?? '',
        value: location == null ? String(quantity) : `${quantity} at ${location}`,
      })),
    }
  },
  view(_asking, body) {
    const results = listOf(fieldsOf(body)['data']).map((one) => ({
      sku: code(one['sku']),
      ok: one['ok'],
      error: untrusted(one['error']),
    }))
    return {
      text: `${results.filter(({ ok }) => ok === true).length} of ${results.length} were set.`,
      data: { results },
    }
  },
})

export const orderChangeTools = [ship, refund, cancel, setStock]
