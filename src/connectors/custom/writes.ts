import type { Operation } from '../../commerce/connector.ts'
import type { Definition, Format, Template } from '../../commerce/definition/definition.ts'
import type { InventoryResult, InventorySetting } from '../../commerce/inventory.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { bodyOf, fieldsOf } from '../../commerce/reading.ts'
import { isCredentialsRefusal, type RemoteRequest, refused } from '../../commerce/remote.ts'
import type { RemoteShipment, ShipmentDraft } from '../../commerce/shipment.ts'
import type { Shop } from '../../commerce/shop.ts'
import { Fault } from '../../lib/fault.ts'
import { getOne, pathWith } from './reads.ts'
import { type OrderRules, parcelsIn } from './translate-order.ts'
import type { InventoryRules } from './translate-product.ts'

type Tree = { [name: string]: unknown }

/** The place exists afterwards; names are checked where definitions are, and never lead out of the body. */
function put(body: Tree, path: string, value: unknown): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  let place = body
  for (const name of names) {
    const inner: Tree = Object.hasOwn(place, name) ? (place[name] as Tree) : {}
    place[name] = inner
    place = inner
  }
  place[last] = value
}

function bodyFrom(template: Template, fields: Readonly<Record<string, unknown>>): Tree {
  const body: Tree = {}
  for (const { path, field, value } of template) {
    const told = field === undefined ? value : fields[field]
    if (told !== undefined && told !== null) put(body, path, told)
  }
  return body
}

interface Written {
  method: RemoteRequest['method']
  path: string
  body?: Template
}

const requestFrom = (
  { method, path, body }: Written,
  fields: Readonly<Record<string, unknown>>,
  parts: Readonly<Record<string, string>>,
) => ({ method, path: pathWith(path, parts), ...(body && { body: bodyFrom(body, fields) }) })

type ToOrder = (raw: unknown) => RemoteOrder

/** An order that is cancelled already is left alone, which makes it safe to ask twice. */
export async function cancelOrder(
  shop: Shop,
  { rules, toOrder }: { rules: OrderRules; toOrder: ToOrder },
  { remoteId, reason }: { remoteId: string; reason: string | null },
): Promise<RemoteOrder> {
  const read = async () => {
    const raw = await getOne(shop, rules.get, remoteId)
    if (raw === null) throw refused('The shop has no such order.')
    return toOrder(raw)
  }
  const before = await read()
  if (before.status === 'cancelled' || !rules.cancel) return before
  const request = requestFrom(rules.cancel, { id: remoteId, reason }, { id: remoteId })
  bodyOf(await shop.remote.request({ ...request, repeatable: true }))
  return await read()
}

/** One request for each: what the shop refuses of one says nothing about the others. */
export async function setLevels(
  shop: Shop,
  { set }: InventoryRules,
  settings: readonly InventorySetting[],
): Promise<readonly InventoryResult[]> {
  const results: InventoryResult[] = []
  for (const { sku, quantity, location = null } of settings) {
    results.push({ sku, location, ...(await setOne(shop, set, { sku, quantity, location })) })
  }
  return results
}

async function setOne(
  { remote }: Shop,
  rules: InventoryRules['set'],
  { sku, quantity, location }: { sku: string; quantity: number; location: string | null },
): Promise<{ ok: boolean; error: string | null }> {
  if (!rules) return { ok: false, error: 'The shop takes no stock levels.' }
  if (location === null && rules.path.includes('{location}')) return { ok: false, error: 'A location is needed.' }
  try {
    const request = requestFrom(rules, { sku, quantity, location }, { sku, location: location ?? '' })
    bodyOf(await remote.request({ ...request, repeatable: true }))
    return { ok: true, error: null }
  } catch (error) {
    const saysNo = error instanceof Fault && error.kind === 'upstream_refused' && !isCredentialsRefusal(error)
    if (!saysNo) throw error
    return { ok: false, error: error.message }
  }
}

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
  const order = orders && (await getOne(shop, orders.get, orderId))
  const parcels = order ? parcelsIn(orders, format, fieldsOf(order)) : []
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
    ...(header && { headers: { [header]: id } }),
    ...((create.repeatable || header) && { repeatable: true }),
  })
  bodyOf(answer)
  return (await findShipment(shop, rules, draft)) ?? parcelOf(draft)
}

function withLines({ lines: rules }: ShipmentRules['create'], body: Tree | undefined, { lines }: ShipmentDraft) {
  if (!lines || lines.length === 0) return body
  if (!rules) throw refused('The shop takes whole orders only.')
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

/** Where the shop tells nothing of its parcels, what we have told it. */
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
