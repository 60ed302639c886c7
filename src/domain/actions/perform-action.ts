import type { Static } from 'typebox'
import { type ActionName, actions } from '../../commerce/action.ts'
import { type PriceResult, priceErrors } from '../../commerce/changes/price.ts'
import type { AcknowledgeResult, Write } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { InventoryResult } from '../../commerce/inventory.ts'
import { orderStatuses, orderStatusOf, type RemoteOrder } from '../../commerce/order.ts'
import { givenReason } from '../../commerce/refund.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import { checkDraft } from '../../commerce/rules/order-draft.ts'
import { unknownWords, type WantedOrders, wantedOrders } from '../../commerce/rules/order-words.ts'
import { productErrors } from '../../commerce/rules/product-draft.ts'
import type { AnyFields, Shop, ShopFacts } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { reasonOf } from '../../lib/clean-text.ts'
import { Fault, invalid, invalidField, whyOf } from '../../lib/fault.ts'
import { inTurns } from '../../lib/turns/in-turns.ts'
import { object } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { followLevels } from '../levels/inventory-store.ts'
import { acknowledgeBatches, resultsFor } from '../operations/acknowledge.ts'
import { amendmentPlan, fingerprint, namedBy, orderMaking, orderPlan, shipmentPlan } from '../operations/operation.ts'
import type { WritePlan } from '../operations/perform-write.ts'
import { settleAmendment } from '../operations/undo-shipment-store.ts'
import { changeInShop, type OrderChangeName, type OrderDrafts } from '../orders/changes/change-order.ts'
import { cancelLinesInShop, refundInShop } from '../orders/refunds/refund-in-shop.ts'
import { followOrder, showOrder } from '../orders/show-order.ts'
import { wholeOrders } from '../orders/whole-orders.ts'
import { followPrices } from '../products/follow-prices.ts'
import { testConnection } from '../shop/check-rights.ts'
import { cancelCheck, shipmentCheck } from '../shop/look-first.ts'
import type { OpenShop } from '../shop/open-remote.ts'

/** What an action answers with: one thing, or a page of things. */
export type ActionResult =
  | { kind: 'one'; result: unknown }
  /** `quarantined` are the reasons why records of the page failed validation. */
  | { kind: 'page'; items: readonly unknown[]; next: string | null; quarantined: readonly string[] }

export type LongAction = {
  [Name in ActionName]: (typeof actions)[Name]['long'] extends true ? Name : never
}[ActionName]
export type ShortAction = Exclude<ActionName, LongAction>

export const isLong = (name: ActionName): name is LongAction => actions[name].long

type ActionInput<Name extends ActionName> = Static<(typeof actions)[Name]['input']>

/** The fields of an action by its own schema. `under` is the field of the body that holds them, if one does. */
export function checkAction<Name extends ActionName>(
  name: Name,
  fields: Record<string, unknown>,
  under: string | null = null,
): ActionInput<Name> {
  const schema: (typeof actions)[Name]['input'] = actions[name].input
  const checked = validate(schema, fields)
  if (checked.ok) return checked.value
  // Once more for the names: a 422 names fields by their path in the body.
  const named = under === null ? checked : validate(object({ [under]: schema }), { [under]: fields })
  throw invalid(named.ok ? checked.wordings : named.wordings)
}

/**
 * Calls the shop. What it rejects is thrown in its own words. `workKey` names the work for whoever may have to come
 * back to it: under the same name a change that was made is not made again, and gives what it gave.
 */
export async function performAction<Name extends ShortAction>(
  context: Pick<Context, 'db' | 'transaction'>,
  open: OpenShop,
  { name, input, workKey }: { name: Name; input: ActionInput<Name>; workKey: string | null },
): Promise<ActionResult> {
  return await performers[name]({ ...open, db: context.db, transaction: context.transaction, workKey }, input)
}

type Performing = OpenShop & Pick<Context, 'db' | 'transaction'> & { workKey: string | null }

const one = async (result: Promise<unknown>): Promise<ActionResult> => ({ kind: 'one', result: await result })

/** The list of actions is read off the connector, so a part that is missing here was asked for past that list. */
function part<T>(value: T | undefined): T {
  if (value === undefined) throw invalidField('resource', 'The selected resource is invalid.')
  return value
}

/** A record that its connector does not understand is no failure of ours: whoever described the service can mend it. */
function understood<T>(translate: () => T): T {
  try {
    return translate()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw invalidField('remote_id', say('record_not_understood', { reason: whyOf(error) }))
  }
}

const performers: {
  readonly [Name in ShortAction]: (performing: Performing, input: ActionInput<Name>) => Promise<ActionResult>
} = {
  get_orders: async ({ connector, shop }, input) => {
    const orders = part(connector.orders)
    return await readOrders(orders, shop, pageOf(input), await wantedBy(orders, shop, input.order_status ?? []))
  },

  get_order: async ({ connector, shop }, { remote_id: remoteId }) => {
    const orders = part(connector.orders)
    const raw = await orders.get(shop, remoteId)
    if (raw === null) throw invalidField('remote_id', 'The selected remote id is invalid.')
    return { kind: 'one', result: shown(understood(() => orders.translate(raw, shop))) }
  },

  get_order_statuses: async ({ connector, shop }) => ({
    kind: 'one',
    result: await part(connector.orders).statuses(shop),
  }),

  create_order: async (open, draft) => {
    checkDraft(open.connector, draft)
    return await one(change(open, orderPlan(draft), part(orderMaking(open.connector))).then(shown))
  },

  cancel_order: (open, { remote_id: remoteId, reason, notify_customer: notifyCustomer, force }) => {
    const input = { remoteId, reason: reason ?? null, ...(notifyCustomer !== undefined && { notifyCustomer }) }
    const check = cancelCheck(open, { remoteId, force, field: 'remote_id' })
    const plan = { kind: 'cancel_order', key: remoteId, input, check } as const
    const keep = (trx: Db, order: RemoteOrder) => showOrder(trx, open, order, { reason: input.reason })
    return one(change(open, plan, part(open.connector.orders?.cancel), keep).then(shown))
  },

  cancel_order_lines: async (open, { force, ...draft }) => {
    const { order } = await cancelLinesInShop(open, part(open.connector.orders?.cancelLines), {
      draft,
      force,
      field: 'order_remote_id',
    })
    return { kind: 'one', result: shown(order) }
  },

  create_refund: async (open, { force, ...draft }) => {
    const wanted = { draft, force, field: 'order_remote_id' }
    const { order } = await refundInShop(open, part(open.connector.refunds), wanted)
    return { kind: 'one', result: shown(order) }
  },

  annotate_order: (open, draft) => changed(open, 'annotate_order', draft),
  hold_order: (open, draft) => changed(open, 'hold_order', draft),
  release_order: (open, draft) => changed(open, 'release_order', draft),
  capture_payment: (open, draft) => changed(open, 'capture_payment', draft),

  acknowledge_orders: async (open, { remote_ids: remoteIds }) => {
    const results: AcknowledgeResult[] = []
    for (const { key, remoteIds: batch } of await acknowledgeBatches(open.db, open.integrationId, remoteIds)) {
      const plan = { kind: 'acknowledge_orders', key, input: { remoteIds: batch } } as const
      results.push(...(await change(open, plan, part(open.connector.acknowledgement))))
    }
    const inOrder = resultsFor(remoteIds, results)
    return { kind: 'one', result: inOrder.map(({ remoteId, ok, error }) => ({ remote_id: remoteId, ok, error })) }
  },

  get_products: ({ connector, shop }, input) => readPage(part(connector.products), shop, pageOf(input)),

  export_products: async (open, { products }) => {
    const results: unknown[] = []
    const errors = Object.assign({}, ...products.map((one, n) => productErrors(open.connector, one, `products.${n}.`)))
    if (Object.keys(errors).length > 0) throw invalid(errors)
    for (const draft of products) {
      const plan = { kind: 'export_product', key: fingerprint(draft), input: draft } as const
      const sent = change(open, plan, part(open.connector.products?.export))
      results.push(await sent.then((product) => ({ sku: draft.sku, ok: true, product, error: null }), refusalOf(draft)))
    }
    return { kind: 'one', result: results }
  },

  set_prices: async (open, { items }) => {
    const prices = part(open.connector.products?.prices)
    const errors = priceErrors(items, prices)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const plan = { kind: 'set_prices', key: fingerprint(items), input: items } as const
    const keep = async (trx: Db, results: readonly PriceResult[]) => {
      const accepted = items.flatMap((setting, n) =>
        results[n]?.ok ? [{ ...setting, productId: results[n].product_remote_id ?? null }] : [],
      )
      await followPrices(trx, open.integrationId, accepted)
    }
    return await one(change(open, plan, prices.set, keep))
  },

  get_customers: ({ connector, shop }, input) => readPage(part(connector.customers), shop, pageOf(input)),

  get_customer: async ({ connector, shop }, { remote_id: remoteId }) => {
    const customers = part(connector.customers)
    const raw = await customers.get(shop, remoteId)
    if (raw === null) throw invalidField('remote_id', 'The selected remote id is invalid.')
    return { kind: 'one', result: understood(() => customers.translate(raw, shop)) }
  },

  get_inventory: ({ connector, shop }, input) => readPage(part(connector.inventory), shop, pageOf(input)),

  set_inventory: (open, { items }) => {
    const plan = { kind: 'set_inventory', key: fingerprint(items), input: items } as const
    const keep = async (trx: Db, results: readonly InventoryResult[]) => {
      const accepted = items.flatMap(({ sku = null, variant_remote_id: remoteId = null, quantity, location }, n) =>
        results[n]?.ok ? [{ sku, quantity, location, remoteId }] : [],
      )
      await followLevels(trx, open.integrationId, accepted)
    }
    return one(change(open, plan, part(open.connector.inventory?.set), keep))
  },

  create_shipment: async (open, { force, ...draft }) => {
    const check = shipmentCheck(open, draft, { force, orderField: 'order_remote_id', linesField: 'lines' })
    const plan = { ...shipmentPlan(draft), input: draft, check }
    const result = await change(open, plan, part(open.connector.shipments?.create))
    await followOrder(open, draft.order_remote_id)
    return { kind: 'one', result }
  },

  amend_shipment: async (open, amendment) => {
    const plan = { ...amendmentPlan(amendment), input: amendment }
    const keep = async (trx: Db, _: unknown, isFirst: boolean) => {
      if (isFirst) await settleAmendment(trx, open.integrationId, amendment)
    }
    const result = await change(open, plan, part(open.connector.shipments?.amend), keep)
    await followOrder(open, amendment.order_remote_id)
    return { kind: 'one', result }
  },

  cancel_shipment: (open, { force, ...draft }) => changed(open, 'cancel_shipment', draft, force),

  test_connection: async (open) => {
    await testConnection(open.db, open)
    return { kind: 'one', result: { ok: true } }
  },
}

async function changed<Name extends OrderChangeName>(
  open: Performing,
  name: Name,
  draft: OrderDrafts[Name],
  force?: boolean,
): Promise<ActionResult> {
  const { order } = part((await changeInShop(open, name, { draft, force, field: 'order_remote_id' })) ?? undefined)
  return { kind: 'one', result: shown(order) }
}

/** Where no copy of ours must show it, the answer is the end of it; else that it is shown (`keep`), in one transaction. */
async function change<Input, Result>(
  { db, transaction, write, workKey }: Performing,
  plan: WritePlan<Input>,
  part: Write<AnyFields, AnyFields, Input, Result>,
  keep?: (trx: Db, result: Result, isFirst: boolean) => Promise<void>,
): Promise<Result> {
  const { result, settle } = await write(namedBy(workKey, plan), part)
  if (!keep) await settle(db)
  else {
    await transaction(async (trx) => {
      await keep(trx, result, await settle(trx))
    })
  }
  return result
}

/** A product that the shop does not want does not keep the others from going there. */
const refusalOf =
  ({ sku }: { sku: string }) =>
  (error: unknown) => {
    if (!(error instanceof Fault) || error.kind !== 'upstream_refused' || isCredentialsRefusal(error)) throw error
    return { sku, ok: false, product: null, error: error.message }
  }

interface PageInput {
  updated_since?: string | null
  cursor?: string | null
  limit?: number
}

const pageOf = ({ updated_since, cursor, limit }: PageInput): ReadQuery => ({
  updatedSince: updated_since ?? null,
  statuses: [],
  cursor: cursor ?? null,
  limit: limit ?? 50,
})

/** An order from the shop, with the status that it has in every list. */
const shown = (order: RemoteOrder) => ({
  ...order,
  refunds: order.refunds.map((refund) => ({ ...refund, reason: givenReason(refund.reason) })),
  status: orderStatusOf(order),
})

type Orders = NonNullable<Connector['orders']>

async function wantedBy(orders: Orders, shop: Shop, words: readonly string[]): Promise<WantedOrders | null> {
  if (words.length === 0) return null
  // Our own words need no list of the shop's.
  const theirs = unknownWords(words, []).length === 0 ? [] : await orders.statuses(shop)
  const unknown = new Set(unknownWords(words, theirs))
  if (unknown.size === 0) return wantedOrders(words, theirs)
  const allowed = [...orderStatuses, ...theirs.map(({ word }) => word)].join(', ')
  const errors = words.flatMap((word, index) =>
    unknown.has(word)
      ? [[`order_status.${index}`, [`The selected order_status.${index} is invalid. Allowed: ${allowed}.`]]]
      : [],
  )
  throw invalid(Object.fromEntries(errors))
}

/** Pages of the shop that may be read for one of those that were asked for. */
const maxPagesRead = 10

/** Goes on until it has what was asked for, for a while: most platforms cannot select orders as we do. */
async function readOrders(
  orders: Orders,
  shop: Shop,
  query: ReadQuery,
  wanted: WantedOrders | null,
): Promise<ActionResult> {
  const items: unknown[] = []
  const quarantined: string[] = []
  let cursor = query.cursor
  for (let pages = 0; pages < maxPagesRead; pages++) {
    const page = await translatePage(wholeOrders(orders), shop, { ...query, cursor, statuses: wanted?.narrowing ?? [] })
    items.push(...page.items.filter((order) => wanted?.matches(order) ?? true).map(shown))
    quarantined.push(...page.quarantined)
    cursor = page.next
    if (cursor === null || wanted === null || items.length >= query.limit) break
  }
  return { kind: 'page', items, next: cursor, quarantined: firstOf(quarantined) }
}

interface Readable<Item> {
  list(shop: Shop, query: ReadQuery): Promise<RawPage>
  translate(raw: unknown, facts: ShopFacts): Item
}

async function readPage(reads: Readable<unknown>, shop: Shop, query: ReadQuery): Promise<ActionResult> {
  const { quarantined, ...page } = await translatePage(reads, shop, query)
  return { kind: 'page', ...page, quarantined: firstOf(quarantined) }
}

const maxReasons = 20

/** A shop that sends nothing but nonsense fails in the same way a thousand times. */
function firstOf(reasons: readonly string[]): readonly string[] {
  const more = reasons.length - maxReasons
  return more <= 0 ? reasons : [...reasons.slice(0, maxReasons), `${more} more records failed validation.`]
}

/** One record that cannot be understood does not hide the others. */
async function translatePage<Item>(
  reads: Readable<Item>,
  shop: Shop,
  query: ReadQuery,
): Promise<{ items: Item[]; next: string | null; quarantined: string[] }> {
  const page = await reads.list(shop, query)
  const items: Item[] = []
  const quarantined: string[] = []
  await inTurns(page.items, (raw) => {
    try {
      items.push(reads.translate(raw, shop))
    } catch (error) {
      quarantined.push(reasonOf(error))
    }
  })
  return { items, next: page.next, quarantined }
}
