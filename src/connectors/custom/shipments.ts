import type { Operation } from '../../commerce/connector/parts.ts'
import type { Definition } from '../../commerce/definition/definition.ts'
import type { Format } from '../../commerce/definition/place.ts'
import { bodyOf, fieldsOf } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import type { Shop } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { put, requestFrom, type Tree } from './ask.ts'
import { getWhole, understood } from './orders.ts'
import { type OrderRules, parcelsIn } from './translate-order.ts'

export interface ShipmentRules {
  create: NonNullable<Definition['shipments']>['create']
  orders: OrderRules | undefined
  format: Format
}

/** A parcel with the same tracking number is the same parcel. */
export async function findShipment(
  shop: Shop,
  { orders, format }: ShipmentRules,
  { order_remote_id: orderId, tracking_number: number }: ShipmentDraft,
): Promise<RemoteShipment | null> {
  const order = orders && (await getWhole(shop, orders, orderId, format))
  const parcels = order ? understood(() => parcelsIn(orders, format, fieldsOf(order))) : []
  return parcels.find((parcel) => parcel.tracking_number === number) ?? null
}

export async function createShipment(
  shop: Shop,
  rules: ShipmentRules,
  draft: ShipmentDraft,
  { id }: Operation,
): Promise<RemoteShipment> {
  const { create } = rules
  const known = await findShipment(shop, rules, draft)
  if (known) return known
  const fields = { ...draft, id: draft.order_remote_id, operation_id: id }
  const request = requestFrom(create, fields, { id: draft.order_remote_id })
  const body = withLines(create, request.body, draft)
  const header = create.idempotency_header?.toLowerCase()
  const answer = await shop.remote.request({
    ...request,
    ...(body && { body }),
    ...(header && { headers: { ...request.headers, [header]: id } }),
    ...((create.repeatable || header) && { repeatable: true }),
  })
  bodyOf(answer)
  return (await findShipment(shop, rules, draft)) ?? parcelOf(draft)
}

function withLines({ lines: rules }: ShipmentRules['create'], body: Tree | undefined, { lines }: ShipmentDraft) {
  if (!lines || lines.length === 0) return body
  if (!rules) throw refused(say('whole_orders'))
  const whole = body ?? {}
  const entries = lines.map(({ order_line_remote_id: line, quantity }) => {
    const entry: Tree = {}
    put(entry, rules.order_line_remote_id, line)
    put(entry, rules.quantity, quantity)
    return entry
  })
  put(whole, rules.path, entries)
  return whole
}

/** Where the shop reports nothing of its parcels, what we have sent it. */
const parcelOf = (draft: ShipmentDraft): RemoteShipment => ({
  remote_id: null,
  status: 'shipped',
  carrier_code: null,
  carrier_name: draft.carrier,
  service: null,
  tracking_number: draft.tracking_number,
  tracking_url: draft.tracking_url ?? null,
  shipped_at: draft.shipped_at ?? null,
  delivered_at: null,
  location_remote_id: null,
  lines: [...(draft.lines ?? [])],
})
