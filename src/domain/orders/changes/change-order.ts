import {
  type Annotation,
  annotationErrors,
  type Capture,
  cancelledParcels,
  type Hold,
  isCaptured,
  isHeld,
  partErrors,
  type Release,
  type ShipmentCancellation,
  shipmentCancellationErrors,
  type WantedCapture,
  whyNotCapture,
  whyNotHold,
  whyNotRelease,
} from '../../../commerce/changes/order-change.ts'
import type { Write } from '../../../commerce/connector/parts.ts'
import type { Connector } from '../../../commerce/connector.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import { isOff } from '../../../commerce/rules/left-to-send.ts'
import type { RemoteShipment } from '../../../commerce/shipment.ts'
import type { AnyFields } from '../../../commerce/shop.ts'
import type { FieldWordings } from '../../../lib/fault.ts'
import type { Wording } from '../../../lib/words/wording.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { databaseTime } from '../../../runtime/db/database-time.ts'
import type { Context } from '../../context.ts'
import type { Integration } from '../../integrations/integration.ts'
import { fingerprint, namedBy } from '../../operations/operation.ts'
import { undoShipment } from '../../operations/undo-shipment-store.ts'
import type { Order } from '../order.ts'
import { showOrder } from '../show-order.ts'
import { inShopOf, keep, type Opened, orderIn, refuse } from './in-shop.ts'

/** What may be done to an order besides sending it and paying it back, by the name of the action. */
export interface OrderDrafts {
  cancel_shipment: ShipmentCancellation
  annotate_order: Annotation
  hold_order: Hold
  release_order: Release
  capture_payment: Capture
}
export type OrderChangeName = keyof OrderDrafts

interface OrderChange<Draft> {
  part(connector: Connector): Write<AnyFields, AnyFields, Draft, RemoteOrder> | undefined
  /** Said where the platform cannot do it. */
  missing: string
  /** What speaks against it as the shop shows the order at this moment. */
  errors(order: RemoteOrder, draft: Draft, asking: Asking): FieldWordings
  /** The order is so already: then nothing is sent. */
  isDone?(order: RemoteOrder, draft: Draft): boolean
  /** What is sent where that is more than what was asked for, and what speaks against it then. */
  prepare?(open: Opened, order: RemoteOrder, draft: Draft): Promise<{ input: Draft; errors: FieldWordings }>
  /** What follows for changes that were made before; once. */
  settle?(
    trx: Db,
    integrationId: number,
    draft: Draft,
    orders: { before: RemoteOrder; after: RemoteOrder },
  ): Promise<void>
}

interface Asking {
  connector: Connector
  force: boolean
  /** Where the order was named. */
  field: string
}

const at = (field: string, why: Wording | null): FieldWordings => (why === null ? {} : { [field]: [why] })

const orderChanges: { readonly [Name in OrderChangeName]: OrderChange<OrderDrafts[Name]> } = {
  cancel_shipment: {
    part: ({ shipments }) => shipments?.cancel,
    missing: 'This platform does not let shipments be cancelled.',
    errors: shipmentCancellationErrors,
    settle: async (trx, integrationId, draft, { before, after }) => {
      const numbersOf = (parcels: readonly RemoteShipment[]) => parcels.flatMap((one) => one.tracking_number ?? [])
      await undoShipment(trx, integrationId, {
        ...draft,
        numbers: [
          ...(draft.tracking_number ? [draft.tracking_number] : []),
          ...numbersOf(cancelledParcels(before, draft)),
        ],
        standing: numbersOf(after.shipments.filter((one) => !isOff(one))),
      })
    },
  },
  annotate_order: {
    part: ({ orders }) => orders?.annotate,
    missing: 'This platform keeps neither notes nor tags of orders.',
    errors: (_, draft, { connector }) =>
      annotationErrors(draft, connector.orders?.annotate ?? { notes: false, tags: false }),
  },
  hold_order: {
    part: ({ orders }) => orders?.hold,
    missing: 'This platform does not let orders be put on hold.',
    errors: (order, _, { field }) => at(field, whyNotHold(order)),
    isDone: isHeld,
  },
  release_order: {
    part: ({ orders }) => orders?.release,
    missing: 'This platform does not let orders be released.',
    errors: (order, _, { field }) => at(field, whyNotRelease(order)),
    isDone: (order) => !isHeld(order),
  },
  capture_payment: {
    part: ({ orders }) => orders?.capture,
    missing: 'This platform does not let payments be captured through its API.',
    errors: (order, _, { connector, field }) =>
      at(field, whyNotCapture(order, { inParts: connector.orders?.capture?.standing !== undefined })),
    isDone: (order, { amount }) => amount == null && isCaptured(order),
    prepare: preparePart,
  },
}

/** A part is found again by how much had been taken before it. */
async function preparePart(
  { connector, shop }: Opened,
  order: RemoteOrder,
  draft: Capture,
): Promise<{ input: WantedCapture; errors: FieldWordings }> {
  if (draft.amount == null) return { input: draft, errors: {} }
  const standing = (await connector.orders?.capture?.standing?.(shop, order.remote_id)) ?? null
  return {
    input: { ...draft, ...(standing ? { before: standing.captured } : {}) },
    errors: partErrors(order, draft.amount, standing),
  }
}

/** Changes the order in the shop, and shows in our copy at once what the shop says then. */
export async function changeInShop<Name extends OrderChangeName>(
  open: Opened,
  name: Name,
  { draft, force = false, field }: { draft: OrderDrafts[Name]; force?: boolean | undefined; field: string },
): Promise<{ order: RemoteOrder } | null> {
  const change: OrderChange<OrderDrafts[Name]> = orderChanges[name]
  const part = change.part(open.connector)
  if (part === undefined) return null
  const readAt = change.prepare && (await databaseTime(open.db))
  const before = await orderIn(open, draft.order_remote_id, field)
  const prepared = (await change.prepare?.(open, before, draft)) ?? { input: draft, errors: {} }
  const errors = { ...prepared.errors, ...change.errors(before, draft, { connector: open.connector, force, field }) }
  if (Object.keys(errors).length === 0 && change.isDone?.(before, draft)) {
    await open.transaction((trx) => showOrder(trx, open, before))
    return { order: before }
  }
  const plan = namedBy(open.workKey, { kind: name, key: fingerprint(draft), input: prepared.input })
  const check = async () => refuse(field, null, errors)
  const alone = readAt !== undefined && { alone: { orderRemoteId: before.remote_id, readAt } }
  return await keep(open, await open.write({ ...plan, ...alone, check }, part), (trx, after) =>
    change.settle?.(trx, open.integrationId, draft, { before, after }),
  )
}

/** The same for an order that we hold. */
export const changeOrder = <Name extends OrderChangeName>(
  context: Context,
  integration: Integration,
  name: Name,
  {
    order,
    draft,
    force,
    workKey,
  }: {
    order: Pick<Order, 'remote_id' | 'remote_version'>
    draft: OrderDrafts[Name]
    force?: boolean | undefined
    workKey: string | null
  },
): Promise<void> => {
  const { part, missing }: OrderChange<OrderDrafts[Name]> = orderChanges[name]
  return inShopOf(context, integration, { order, workKey }, part, {
    missing,
    work: (open) => changeInShop(open, name, { draft, force, field: 'order' }),
  })
}
