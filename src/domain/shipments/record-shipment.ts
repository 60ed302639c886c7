import { connectorFor } from '../../commerce/connectors.ts'
import { isAllSent } from '../../commerce/rules/left-to-send.ts'
import { fractionErrors } from '../../commerce/rules/quantities.ts'
import { say } from '../../commerce/words/say.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { takeIds } from '../../runtime/db/take-ids.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { orInvalid } from '../integrations/place-integration.ts'
import { isKnownToShop, mayMove, type Order } from '../orders/order.ts'
import { findOrder, type HeldOrders, lockOrders, moveOrders, setFulfillment } from '../orders/order-store.ts'
import { isSameParcel, type ParcelItem } from '../orders/parcels/parcel.ts'
import { emitParcels } from '../orders/parcels/parcel-events.ts'
import { contentsOf, contentsOfKnown, leftOf, linesOf, withFulfilled } from './contents.ts'
import { hasLeft, orderStatusOf, type Shipment, type ShipmentInput } from './shipment.ts'
import { shipmentsOfOrders } from './shipment-list-store.ts'
import {
  findShipment,
  numberShipment,
  renumberShipment,
  setShipmentRemoteId,
  upsertShipment,
} from './shipment-store.ts'
import { correctInShop, sendToShop } from './tell-shop.ts'

/**
 * A parcel of an order, or news of one that is known already. The shop is notified before we write it down: once of a
 * parcel that has left, and of each correction. The order moves on when everything in it has been sent.
 */
export async function recordShipment(
  context: Context,
  integration: Integration,
  input: ShipmentInput,
): Promise<{ shipment: Shipment; isNew: boolean }> {
  const order = await orInvalid('order_id', findOrder(context.db, integration.id, input.order_id))
  const fractions = connectorFor(context.connectors, integration)?.orders?.fractions ?? false
  const errors = fractionErrors(input.items, { field: 'items', fractions })
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const parcels = await shipmentsOfOrders(context.db, integration.id, [order.id])
  const known = knownIn(parcels, input)
  if (known) return await correctShipment(context, integration, { order, parcels, known, input })
  return await addShipment(context, integration, { order, parcels, input })
}

/** The parcel that is meant. Its number may be wrong: then it is named by the previous one. */
function knownIn(parcels: readonly Shipment[], input: ShipmentInput): Shipment | null {
  const byNumber = (number: string) => parcels.find((parcel) => parcel.tracking_number === number) ?? null
  const named = byNumber(input.tracking_number)
  const { previous_tracking_number: previous } = input
  if (previous == null || previous === input.tracking_number) return named
  const meant = byNumber(previous)
  // Corrected before: the same request again.
  if (named && !meant) return named
  if (named) throw invalidField('tracking_number', say('number_of_other_parcel'))
  if (meant) return meant
  throw invalidField('previous_tracking_number', 'The selected previous tracking number is invalid.')
}

async function addShipment(
  context: Context,
  integration: Integration,
  { order, parcels, input }: { order: Order; parcels: readonly Shipment[]; input: ShipmentInput },
): Promise<{ shipment: Shipment; isNew: boolean }> {
  const contents = contentsOf(linesOf(order), parcels, input.items)
  const leaves = isKnownToShop(order) && hasLeft({ status: input.status ?? 'SHIPPED' })
  const sent = leaves ? await sendToShop(context, integration, { order, input, contents }) : null
  const remoteId = sent?.result.remote_id ?? null
  const [id = 0] = await takeIds(context.db, 'shipments', 1)
  return await context.transaction(async (trx) => {
    const held = await lockOrders(trx, integration.id, [order.id])
    await sent?.settle(trx)
    const told = sent && sent.result.lines.length > 0 ? itemsOf(order, sent.result.lines) : contents
    const items = sent ? told : await contentsNow(trx, integration, held, input)
    // The shop may have put the number on a parcel that it had reported without one, or have reported it meanwhile.
    const numbered = remoteId !== null && (await numberShipment(trx, integration.id, { ...input, remoteId }))
    return await writeDown(trx, integration, held, {
      input: { ...input, id, items },
      remoteId,
      numbered,
      inShop: sent !== null,
    })
  })
}

/** Where no shop was asked, what others have reported in the meantime counts too: none of them holds what is in another. */
async function contentsNow(
  trx: Db,
  integration: Integration,
  { orders: [order] }: HeldOrders,
  input: ShipmentInput,
): Promise<readonly ParcelItem[]> {
  if (!order) throw invalidField('order_id', 'The selected order id is invalid.')
  const parcels = await shipmentsOfOrders(trx, integration.id, [order.id])
  const known = knownIn(parcels, input)
  if (known) return contentsOfKnown(order, parcels, { known, status: input.status, wanted: input.items })
  const contents = contentsOf(linesOf(order), parcels, input.items)
  assertShippable(order, { contents, force: input.force ?? false })
  return contents
}

async function correctShipment(
  context: Context,
  integration: Integration,
  {
    order,
    parcels,
    known,
    input,
  }: { order: Order; parcels: readonly Shipment[]; known: Shipment; input: ShipmentInput },
): Promise<{ shipment: Shipment; isNew: boolean }> {
  const items = contentsOfKnown(order, parcels, { known, status: input.status, wanted: input.items })
  const renumbered = known.tracking_number !== input.tracking_number
  // A link to the number before would lead astray.
  const url = input.tracking_url === undefined && renumbered ? null : input.tracking_url
  const corrected = { ...input, items, ...(url !== undefined && { tracking_url: url }) }
  const sent = isKnownToShop(order) ? await tellOf(context, integration, { order, known, input: corrected }) : null
  return await context.transaction(async (trx) => {
    const held = await lockOrders(trx, integration.id, [order.id])
    await sent?.settle(trx)
    const itemsNow = sent ? items : await contentsNow(trx, integration, held, input)
    if (renumbered) {
      await renumberShipment(trx, integration.id, { id: known.id, trackingNumber: input.tracking_number })
    }
    return await writeDown(trx, integration, held, {
      input: { ...corrected, id: known.id, items: itemsNow },
      remoteId: sent?.result.remote_id ?? known.remote_id,
      numbered: renumbered,
      inShop: sent !== null || known.remote_id !== null,
    })
  })
}

/** A parcel that was only packed has been kept from the shop until it leaves. */
async function tellOf(
  context: Context,
  integration: Integration,
  news: { order: Order; known: Shipment; input: ShipmentInput & { items: readonly ParcelItem[] } },
) {
  const { known, input } = news
  const isTold = known.remote_id !== null || hasLeft(known)
  if (isTold) return await correctInShop(context, integration, news)
  if (!hasLeft({ status: input.status ?? known.status })) return null
  return await sendToShop(context, integration, { ...news, contents: input.items })
}

interface Writing {
  input: ShipmentInput & { id: number; items: readonly ParcelItem[] }
  remoteId: string | null
  /** It has another number than before. */
  numbered: boolean
  /** Whether the shop knows the parcel, and will show what becomes of the order. */
  inShop: boolean
}

async function writeDown(
  trx: Db,
  integration: Integration,
  held: HeldOrders,
  { input, remoteId, numbered, inShop }: Writing,
): Promise<{ shipment: Shipment; isNew: boolean }> {
  const [order] = held.orders
  if (!order) throw invalidField('order_id', 'The selected order id is invalid.')
  const before = await findShipment(trx, integration.id, input)
  const result = await upsertShipment(trx, integration.id, { ...input, at: held.at })
  const shipment = { ...result.shipment, remote_id: remoteId ?? result.shipment.remote_id }
  if (shipment.remote_id !== null && shipment.remote_id !== result.shipment.remote_id) {
    await setShipmentRemoteId(trx, integration.id, { id: shipment.id, remoteId: shipment.remote_id })
  }
  if (!before || numbered || !isSameParcel(before, shipment)) {
    await emitParcels(trx, integration.id, [{ parcel: shipment, was: before?.status ?? null }])
  }
  const note = `${shipment.carrier} ${shipment.tracking_number}`
  await moveOn(trx, integration, held, { order, inShop, note })
  return { shipment, isNew: result.isNew }
}

/** What the order is once its parcels are these: all of it sent, or a part. */
async function moveOn(
  trx: Db,
  integration: Integration,
  held: HeldOrders,
  { order, inShop, note }: { order: Order; inShop: boolean; note: string },
): Promise<void> {
  const parcels = await shipmentsOfOrders(trx, integration.id, [order.id])
  const status = orderStatusOf(parcels)
  const isPartial = order.fulfillment_status === 'partial'
  if (status === null && !(isPartial && !isKnownToShop(order))) return
  // An order that was sent as a whole stays so.
  const lines = isPartial ? linesOf(order) : order
  const left = leftOf(lines, parcels.filter(hasLeft))
  const isWhole = status !== null && isAllSent(left)
  const moves = isWhole && mayMove(order.status, status)
  await setFulfillment(trx, integration.id, {
    order,
    status: isWhole ? 'fulfilled' : status === null ? 'unfulfilled' : 'partial',
    items: withFulfilled(lines, left),
    quietly: moves,
  })
  if (moves) await moveOrders(trx, integration.id, held, [{ id: order.id, status, inShop, note, source: 'shipment' }])
}

/** Without a shop that could be asked: goods of a cancelled order do not leave, nor what has left already. */
function assertShippable({ status, items }: Order, parcel: { contents: readonly ParcelItem[]; force: boolean }): void {
  if (status === 'CANCELLED' && !parcel.force) throw invalidField('order_id', say('cancelled_here'))
  if (items.length > 0 && parcel.contents.length === 0) {
    throw invalidField('items', say('nothing_to_ship'))
  }
}

const itemsOf = (
  { items }: Order,
  lines: readonly { order_line_remote_id: string; quantity: number }[],
): ParcelItem[] =>
  lines.map(({ order_line_remote_id: line, quantity }) => ({
    sku: items.find((item) => item.remote_id === line)?.sku ?? null,
    order_line_remote_id: line,
    quantity,
  }))
