import { hasNote, withNote } from '../../commerce/changes/order-change.ts'
import type { Cancellation, Orders } from '../../commerce/connector/parts.ts'
import type { IndexPage, IndexWindow, RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { type Fields, fieldsOf, idIn } from '../../commerce/reading.ts'
import { refusalReason, refused } from '../../commerce/remote.ts'
import type { ShopStatus } from '../../commerce/rules/order-words.ts'
import { isRightsMissing } from '../../commerce/rules/rights.ts'
import { fromLocalTime } from '../../commerce/wire/local-time.ts'
import { say } from '../../commerce/words/say.ts'
import { isId, listRecords, needed, recordsWith, saveChecked, saveRecord, valueIn } from './ask.ts'
import { completeOrders } from './complete-order.ts'
import { listChanged, maxPageSize } from './pages.ts'
import { type Credentials, type PrestaShop, type Settings, zoneOf } from './settings.ts'
import { meaningOf, nameOfState, stateOf } from './statuses.ts'
import { toOrder } from './translate-order.ts'

export const orders: Orders<Settings, Credentials> = {
  list: listOrders,
  get: getOrder,
  getSeveral: getOrders,
  translate: toOrder,
  statuses: listStates,
  index: indexOrders,
  cancel: { repeatable: true, send: cancelOrder },
}

async function listOrders(shop: PrestaShop, query: ReadQuery): Promise<RawPage> {
  const page = await listChanged(shop, 'orders', query)
  const items = await completeOrders(shop, page.items.map(fieldsOf))
  return { ...page, items }
}

/** Merchants have states of their own; what those mean is in their flags. */
async function listStates(shop: PrestaShop): Promise<readonly ShopStatus[]> {
  const states = await listRecords(shop, 'order_states', {})
  return states.map((state) => {
    const word = nameOfState(state)
    return { word, name: word, means: meaningOf(state, shop.settings) }
  })
}

/** By a list of one: a record that is gone is then an empty list, and not the 404 that many other things are too. */
export async function getOrder(shop: PrestaShop, remoteId: string): Promise<Fields | null> {
  if (!isId(remoteId)) return null
  const found = await listRecords(shop, 'orders', { filters: { id: `[${remoteId}]` } })
  const [order = null] = await completeOrders(shop, found)
  return order
}

async function getOrders(shop: PrestaShop, remoteIds: readonly string[]): Promise<Fields[]> {
  return await completeOrders(shop, await recordsWith(shop, 'orders', { values: remoteIds.filter(isId) }))
}

async function indexOrders(shop: PrestaShop, { from, to, cursor }: IndexWindow): Promise<IndexPage> {
  const page = await listChanged(shop, 'orders', {
    updatedSince: from,
    cursor,
    limit: maxPageSize,
    display: '[id,date_upd]',
  })
  const items = page.items.map(fieldsOf).map((row) => ({
    remoteId: idIn(row, 'id'),
    version: fromLocalTime(needed(row, 'date_upd'), zoneOf(shop)),
  }))
  return { items: items.filter(({ version }) => version <= to), next: page.next }
}

/** An order is in the last of the states that were written into its history. */
export async function enterState(shop: PrestaShop, orderId: string, state: number, email: boolean): Promise<void> {
  const target = { resource: 'order_histories', node: 'order_history', email }
  await saveChecked(
    () => saveRecord(shop, target, { id_order: orderId, id_order_state: state }),
    async () => {
      const [order] = await recordsWith(shop, 'orders', { values: [orderId], display: '[id,current_state]' })
      return order !== undefined && valueIn(order, 'current_state') === String(state)
    },
  )
}

async function cancelOrder(shop: PrestaShop, { remoteId, reason, notifyCustomer }: Cancellation): Promise<RemoteOrder> {
  const before = await getOrder(shop, remoteId)
  if (!before) throw refused(say('no_such_order'))
  const { canceled } = stateOf(shop.settings)
  if (valueIn(before, 'current_state') !== String(canceled))
    await enterState(shop, remoteId, canceled, notifyCustomer ?? true)
  if (reason) await noteIfAllowed(shop, before, reason)
  return toOrder(await getOrder(shop, remoteId), shop)
}

/**
 * Why is in the note that only the people at the shop read, once. Shops before PrestaShop 8 cannot be told a single field, and
 * the key need not have that right: the order is cancelled all the same, and the reason is in our history.
 */
async function noteIfAllowed(shop: PrestaShop, order: Fields, note: string): Promise<void> {
  const before = valueIn(order, 'note')
  if (hasNote(before, note)) return
  const target = { resource: 'orders', node: 'order', id: idIn(order, 'id'), partly: true }
  try {
    await refusalReason(() => saveRecord(shop, target, { note: withNote(before, note) }))
  } catch (error) {
    if (!isRightsMissing(error)) throw error
  }
}
