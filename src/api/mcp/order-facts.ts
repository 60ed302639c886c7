import { code, type Fields, fieldsOf, listOf, untrusted } from './tool.ts'

/** What an agent is shown of an order: these fields and no others. Who bought it only where the person has allowed that. */

const maxLines = 50

export function orderFacts(order: Fields, { customerData }: { customerData: boolean }): Record<string, unknown> {
  const items = listOf(order['items'])
  return {
    order_id: order['id'] ?? null,
    shop_id: order['integration_id'] ?? null,
    number: code(order['number']),
    remote_id: code(order['remote_id']),
    status: order['status'] ?? null,
    payment_status: order['payment_status'] ?? null,
    fulfillment_status: order['fulfillment_status'] ?? null,
    shop_status: untrusted(order['remote_status']),
    hold_reason: untrusted(order['hold_reason']),
    currency: code(order['currency']),
    total: amountOf(order['total']),
    refunded_total: amountOf(order['refunded_total']),
    placed_at: order['placed_at'] ?? null,
    ship_by: order['ship_by'] ?? null,
    acknowledge_by: order['acknowledge_by'] ?? null,
    cancelled_at: order['cancelled_at'] ?? null,
    cancel_requested: order['cancel_requested'] ?? null,
    incomplete: order['incomplete'] ?? null,
    lines: items.slice(0, maxLines).map(lineFacts),
    ...(items.length > maxLines && { more_lines: items.length - maxLines }),
    ...(customerData ? customerFacts(order) : { customer: 'not_granted' }),
  }
}

/** Orders that come from the shop itself write amounts with their currency. */
const amountOf = (value: unknown): unknown => code(typeof value === 'object' ? fieldsOf(value)['amount'] : value)

const lineFacts = (item: Fields) => ({
  remote_id: code(item['remote_id']),
  sku: code(item['sku']),
  name: untrusted(item['name']),
  variant: untrusted(item['variant_name']),
  quantity: item['quantity'] ?? null,
  fulfilled: item['quantity_fulfilled'] ?? null,
  refunded: item['quantity_refunded'] ?? null,
  cancelled: item['quantity_cancelled'] ?? null,
  price: amountOf(item['price']),
})

const customerFacts = (order: Fields) => ({
  customer: wordsOf(order['customer']),
  shipping_address: wordsOf(order['shipping_address']),
  billing_address: wordsOf(order['billing_address']),
  note: untrusted(order['note']),
  tags: Array.isArray(order['tags']) ? order['tags'].slice(0, 20).map(untrusted) : [],
})

/** Each text of a free record is somebody else's. */
function wordsOf(value: unknown): Record<string, unknown> | null {
  const entries = Object.entries(fieldsOf(value)).filter(([, one]) => typeof one === 'string' && one !== '')
  if (entries.length === 0) return null
  return Object.fromEntries(entries.slice(0, 30).map(([name, one]) => [name.slice(0, 60), untrusted(one)]))
}

const shownDetails = ['outcome', 'attempts', 'attempt', 'response_status', 'state', 'signed', 'source', 'status']

export function stepFacts(step: Fields): Record<string, unknown> {
  const details = fieldsOf(step['details'])
  const references = Object.entries(fieldsOf(step['references'])).filter(([, id]) => id !== null)
  return {
    at: step['at'],
    kind: step['kind'],
    status: step['status'],
    title: untrusted(step['title']),
    details: Object.fromEntries(
      shownDetails.flatMap((name) =>
        details[name] === undefined ? [] : [[name, code(details[name]) ?? details[name]]],
      ),
    ),
    error: untrusted(details['error']),
    references: Object.fromEntries(references),
  }
}
