import { hash } from 'node:crypto'
import type { Write } from '../../commerce/connector/parts.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { OrderDraft, RemoteOrder } from '../../commerce/order.ts'
import type { ShipmentAmendment } from '../../commerce/shipment.ts'
import type { AnyFields } from '../../commerce/shop.ts'

/** A change in a shop that is wanted, under way, or done. */
export interface Operation {
  integration_id: number
  id: number
  kind: OperationKind
  key: string
  generation: number
  status: OperationStatus
  input: unknown
  result: unknown
  /** What the shop gave to ask after it with. */
  receipt: string | null
}

/**
 * `planned`: nothing has reached the shop. `sent`: somebody is at it, or died over it. `confirmed` and `refused`: the
 * shop has said so. `unknown`: it may or may not have happened; the shop is asked before it is sent again.
 */
export type OperationStatus = 'planned' | 'sent' | 'confirmed' | 'refused' | 'unknown'

type AnyWrite<Input, Result> = Write<AnyFields, AnyFields, Input, Result>

/**
 * An order that was made is found again by its reference. Without one of the caller's own it gets the name of the
 * operation, which is the same for every attempt.
 */
export function orderMaking({ orders }: Connector): AnyWrite<OrderDraft, RemoteOrder> | undefined {
  const create = orders?.create
  if (!create) return undefined
  const named = (draft: OrderDraft, { id }: { id: string }) => ({ ...draft, reference: draft.reference ?? id })
  const send: typeof create.send = (shop, draft, operation) => create.send(shop, named(draft, operation), operation)
  if (create.repeatable) return { repeatable: true, send }
  return {
    repeatable: false,
    send,
    confirm: (shop, draft, operation) => create.confirm(shop, named(draft, operation), operation),
  }
}

/** The connector's part for each kind. */
const parts = {
  create_order: orderMaking,
  cancel_order: ({ orders }: Connector) => orders?.cancel,
  cancel_order_lines: ({ orders }: Connector) => orders?.cancelLines,
  create_refund: ({ refunds }: Connector) => refunds?.create,
  annotate_order: ({ orders }: Connector) => orders?.annotate,
  hold_order: ({ orders }: Connector) => orders?.hold,
  release_order: ({ orders }: Connector) => orders?.release,
  capture_payment: ({ orders }: Connector) => orders?.capture,
  acknowledge_orders: ({ acknowledgement }: Connector) => acknowledgement,
  export_product: ({ products }: Connector) => products?.export,
  set_inventory: ({ inventory }: Connector) => inventory?.set,
  set_prices: ({ products }: Connector) => products?.prices?.set,
  create_shipment: ({ shipments }: Connector) => shipments?.create,
  amend_shipment: ({ shipments }: Connector) => shipments?.amend,
  cancel_shipment: ({ shipments }: Connector) => shipments?.cancel,
} satisfies Record<string, (connector: Connector) => AnyWrite<never, unknown> | undefined>

export type OperationKind = keyof typeof parts

export const isOperationKind = (kind: string): kind is OperationKind => Object.hasOwn(parts, kind)

/** For whoever has an operation as it was stored, and so knows no more of its input than that it fits its kind. */
export const writeOf = (connector: Connector, kind: OperationKind): AnyWrite<unknown, unknown> | undefined =>
  parts[kind](connector) as AnyWrite<unknown, unknown> | undefined

/**
 * Whether it says how things are to be, whatever they were. Sent late, it would undo what was set since: only somebody
 * who wants it now may send it again.
 */
export const setsState = (kind: OperationKind): boolean =>
  kind === 'set_inventory' || kind === 'export_product' || kind === 'set_prices' || kind === 'amend_shipment'

/** What may change back what a kind has changed. */
export const undoneBy: Readonly<Partial<Record<OperationKind, OperationKind>>> = {
  hold_order: 'release_order',
  release_order: 'hold_order',
  annotate_order: 'annotate_order',
  cancel_shipment: 'create_shipment',
  amend_shipment: 'amend_shipment',
  export_product: 'export_product',
  set_inventory: 'set_inventory',
  set_prices: 'set_prices',
}

/** The same for equal contents, whatever the order of their fields. */
export const fingerprint = (value: unknown): string => hash('sha256', JSON.stringify(sorted(value)) ?? '').slice(0, 40)

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  )
}

/** What the shop is given as the name of the change: the same for every attempt, and nobody else's. */
export const operationId = (
  integrationKey: string,
  { kind, key, generation }: Pick<Operation, 'kind' | 'key' | 'generation'>,
): string => `${kind.replaceAll('_', '-')}-${fingerprint([integrationKey, kind, key, generation]).slice(0, 32)}`

/** With a reference of the caller's own, twice the same is one order, whoever asks for it. */
export const orderPlan = (draft: OrderDraft) => {
  const reference = draft.reference ?? null
  const key = fingerprint(reference === null ? draft : { reference })
  return { kind: 'create_order', key, input: draft, once: reference !== null } as const
}

/** A parcel of an order is sent to the shop once, whoever sends it. */
export const shipmentPlan = (draft: { order_remote_id: string; tracking_number: string }) =>
  ({
    kind: 'create_shipment',
    key: fingerprint([draft.order_remote_id, draft.tracking_number]),
    once: true,
  }) as const

/** The same correction is the same change; afterwards it may be corrected back. */
export const amendmentPlan = (amendment: ShipmentAmendment) =>
  ({ kind: 'amend_shipment', key: fingerprint(amendment) }) as const

interface NamedPlan {
  kind: OperationKind
  key: string
  once?: boolean
}

/**
 * Work that may have to be come back to has a name: under it a change that was made is not made again. What is done once
 * anyhow keeps its own, and so do batches that were begun: they go as they were.
 */
export const namedBy = <Plan extends NamedPlan>(workKey: string | null, plan: Plan): Plan =>
  workKey === null || plan.once || plan.kind === 'acknowledge_orders'
    ? plan
    : { ...plan, key: fingerprint([workKey, plan.key]), once: true }
