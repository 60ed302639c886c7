import {
  type Annotation,
  type CaptureStanding,
  hasNote,
  showsTags,
  type WantedCapture,
  withNote,
} from '../../../commerce/changes/order-change.ts'
import type { Orders } from '../../../commerce/connector/parts.ts'
import { compareDecimals, decimal, sum } from '../../../commerce/decimal.ts'
import { digitsOf } from '../../../commerce/money.ts'
import { type Fields, fieldsIn, maybeFields, maybeText, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import {
  cancelShipmentOnce,
  captureOnce,
  changeOnce,
  holdOnce,
  readOrder,
  releaseOnce,
} from '../../../commerce/wire/change-once.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, change, isGid, type Mutation, nextIn, nodesIn } from '../ask.ts'
import {
  addTags,
  cancelParcel,
  captureMoney,
  holdPart,
  noteOrder,
  releasePart,
  removeTags,
  reservedMoney,
} from '../documents/changes.ts'
import { openParts } from '../documents/orders.ts'
import { orders } from '../orders.ts'
import { spread } from '../refunds/create-refund.ts'
import type { Credentials, Settings, ShopifyShop } from '../settings.ts'

export const cancelShipment = cancelShipmentOnce(orders, (shop: ShopifyShop, { remote_id: id }) =>
  change(shop, cancelParcel, { id }),
)

type Changes = Pick<Orders<Settings, Credentials>, 'annotate' | 'hold' | 'release' | 'capture'>

export const orderChanges: Changes = {
  annotate: {
    notes: true,
    tags: true,
    ...changeOnce(orders, {
      send: annotate,
      shows: (order, wanted) => showsTags(order, wanted) && (!wanted.note || hasNote(order.note, wanted.note)),
    }),
  },
  hold: holdOnce(orders, (shop, { order_remote_id: id, reason }) => {
    const hold = { reason: 'OTHER', ...(reason ? { reasonNotes: reason } : {}) }
    return forParts(shop, id, { action: 'HOLD', mutation: holdPart, more: { hold } })
  }),
  release: releaseOnce(orders, (shop, { order_remote_id: id }) =>
    forParts(shop, id, { action: 'RELEASE_HOLD', mutation: releasePart, more: {} }),
  ),
  capture: captureOnce(orders, capture, standing),
}

/** There is one field for notes, which the buyer may have written into: ours comes after it. */
async function annotate(shop: ShopifyShop, wanted: Annotation): Promise<void> {
  const { order_remote_id: id, note, add_tags: add = [], remove_tags: remove = [] } = wanted
  const before = (await readOrder(orders, shop, id)).note
  if (note && !hasNote(before, note)) await change(shop, noteOrder, { input: { id, note: withNote(before, note) } })
  if (add.length > 0) await change(shop, addTags, { id, tags: add })
  if (remove.length > 0) await change(shop, removeTags, { id, tags: remove })
}

/** An order is held back, and let go, in the parts that it is sent in. */
async function forParts(
  shop: ShopifyShop,
  id: string,
  { action, mutation, more }: { action: 'HOLD' | 'RELEASE_HOLD'; mutation: Mutation; more: Fields },
): Promise<void> {
  const held = isGid(id, 'Order') ? maybeFields(await ask(shop, openParts, { id }), 'order') : null
  if (!held) throw refused(say('no_such_order'))
  if (nextIn(fieldsIn(held, 'fulfillmentOrders')) !== null) throw refused(say('order_divided'))
  const parts = nodesIn(held, 'fulfillmentOrders').filter((part) =>
    recordsIn(part, 'supportedActions').some((one) => one['action'] === action),
  )
  if (parts.length === 0) throw refused(action === 'HOLD' ? say('nothing_to_hold') : say('nothing_to_release'))
  for (const part of parts) await change(shop, mutation, { id: textIn(part, 'id'), ...more })
}

async function paymentsOf(
  shop: ShopifyShop,
  id: string,
): Promise<{ currency: string; transactions: readonly Fields[] }> {
  const order = isGid(id, 'Order') ? maybeFields(await ask(shop, reservedMoney, { id }), 'order') : null
  if (!order) throw refused(say('no_such_order'))
  return { currency: textIn(order, 'presentmentCurrencyCode'), transactions: recordsIn(order, 'transactions') }
}

/** What is reserved by each authorisation, as far as it has not been taken. */
const openIn = (transactions: readonly Fields[]) =>
  transactions.flatMap((one) => {
    const bag = maybeFields(one, 'totalUnsettledSet')
    const money = bag && fieldsIn(bag, 'presentmentMoney')
    const isReserved = maybeText(one, 'kind') === 'AUTHORIZATION' && maybeText(one, 'status') === 'SUCCESS'
    const left = money && isReserved ? decimal(money['amount']) : '0'
    return compareDecimals(left, '0') > 0 ? [{ id: textIn(one, 'id'), left }] : []
  })

/** What a provider is still at counts as taken: it is not to be taken twice. */
async function standing(shop: ShopifyShop, id: string): Promise<CaptureStanding> {
  const { currency, transactions } = await paymentsOf(shop, id)
  const taken = transactions.filter(
    ({ kind, status }) => kind === 'CAPTURE' && (status === 'SUCCESS' || status === 'PENDING'),
  )
  const digits = digitsOf(currency)
  return {
    reserved: sum(
      openIn(transactions).map(({ left }) => left),
      digits,
    ),
    captured: sum(
      taken.map((one) => decimal(fieldsIn(fieldsIn(one, 'amountSet'), 'presentmentMoney')['amount'])),
      digits,
    ),
    currency,
  }
}

async function capture(shop: ShopifyShop, { order_remote_id: id, amount }: WantedCapture): Promise<void> {
  const { currency, transactions } = await paymentsOf(shop, id)
  const open = openIn(transactions)
  if (open.length === 0) throw refused(say('no_payment_authorised'))
  const digits = digitsOf(currency)
  const whole = sum(
    open.map(({ left }) => left),
    digits,
  )
  for (const { id: parentTransactionId, part } of spread(amount ?? whole, open, digits)) {
    await change(shop, captureMoney, { input: { id, parentTransactionId, amount: part, currency } })
  }
}
