import { hasNote, withNote } from '../../commerce/changes/order-change.ts'
import type { Cancellation, Orders } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsOf, idIn, maybeText, numberIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { listByTime, secondsFrom } from '../../commerce/wire/time-pages.ts'
import { say } from '../../commerce/words/say.ts'
import { ask, asked, askList, isId, mailTimeIn, whole } from './ask.ts'
import { withChannel } from './channels/channel-names.ts'
import { create } from './create-order.ts'
import { refundsOf } from './refunds/read-refunds.ts'
import type { BigShop, Credentials, Settings } from './settings.ts'
import { statuses } from './statuses.ts'
import { toOrder } from './translate-order.ts'

/** Each order that has been sent costs a question of its own: what is in its parcels is not reported with it. */
const maxOrders = 50

const incompleteId = 0

/** What was deleted is only archived, and given by its id as before; who left on the payment page has ordered nothing yet. */
const isThere = (order: Fields): boolean =>
  order['is_deleted'] !== true && numberIn(order, 'status_id') !== incompleteId

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  translate: toOrder,
  statuses: async () => statuses,
  create,
  takes: ['shipping_method', 'shipping_total', 'tax_total', 'prices_include_tax', 'paid'],
  cancel: { repeatable: true, send: cancel },
}

async function listOrders(shop: BigShop, query: ReadQuery): Promise<RawPage> {
  const size = Math.min(query.limit, maxOrders)
  const page = await listByTime(
    {
      size,
      idOf: (order) => idIn(order, 'id'),
      timeOf: (order) => mailTimeIn(order, 'date_modified'),
      ask: async ({ from, until, page: number }) => {
        const rows = await askList(shop, '/v2/orders', {
          ...whole,
          sort: 'date_modified:asc',
          min_date_modified: asked(from),
          max_date_modified: until && asked(secondsFrom(until, -1)),
          limit: size,
          page: number,
        })
        return { rows, total: null }
      },
    },
    query,
  )
  const items: Fields[] = []
  for (const order of page.items.map(fieldsOf).filter(isThere)) items.push(await completeOrder(shop, order))
  return { ...page, items }
}

async function completeOrder(shop: BigShop, order: Fields): Promise<Fields> {
  const sent = numberIn(order, 'items_shipped') > 0
  const shipments = sent ? await shipmentsOf(shop, idIn(order, 'id')) : []
  return { ...(await withChannel(shop, order)), shipments, refunds: await refundsOf(shop, order) }
}

const maxShipments = 250

export async function shipmentsOf(shop: BigShop, id: string): Promise<readonly Fields[]> {
  const all: Fields[] = []
  for (let page = 1; ; page++) {
    const some = await askList(shop, `/v2/orders/${id}/shipments`, { page, limit: maxShipments })
    all.push(...some)
    if (some.length < maxShipments) return all
  }
}

export async function getOrder(shop: BigShop, remoteId: string): Promise<Fields | null> {
  if (!isId(remoteId)) return null
  const order = await ask(shop, { path: `/v2/orders/${remoteId}`, query: whole })
  return order === null || !isThere(fieldsOf(order)) ? null : await completeOrder(shop, fieldsOf(order))
}

const cancelledId = 5

/** Why is kept among the notes of the staff, in the one step that cancels. */
async function cancel(shop: BigShop, { remoteId, reason }: Cancellation): Promise<RemoteOrder> {
  const before = await getOrder(shop, remoteId)
  if (before === null) throw refused(say('no_such_order'))
  if (before['status_id'] === cancelledId) return toOrder(before, shop)
  const notes = maybeText(before, 'staff_notes')
  const why = reason && !hasNote(notes, reason) ? { staff_notes: withNote(notes, reason) } : {}
  const body = { status_id: cancelledId, ...why }
  await ask(shop, { method: 'PUT', path: `/v2/orders/${remoteId}`, body, repeatable: true })
  return toOrder(await getOrder(shop, remoteId), shop)
}
