import { force } from '../../../commerce/action.ts'
import {
  annotationFields,
  captureFields,
  holdFields,
  shipmentCancellationFields,
} from '../../../commerce/changes/order-change.ts'
import { changeOrder } from '../../../domain/orders/changes/change-order.ts'
import { object } from '../../../lib/validation/fields.ts'
import { workKeyOf } from '../views/action.ts'
import { changedOrder, type OrderWrite, shownNow } from './of-orders.ts'

const changes = {
  'shipments/cancel': {
    name: 'cancel_shipment',
    summary: 'Cancel a shipment of an order in the shop',
    description:
      'By `remote_id` or `tracking_number`: its goods are to be sent again, and the order is what the shop says then. One that has been delivered is 422 unless `force` is set. Where `cancel_shipments` of the capabilities is false, the platform cannot do it. Answers with the order.',
    body: object({ ...shipmentCancellationFields, force }),
    example: { tracking_number: '00340434161094015902' },
  },
  annotations: {
    name: 'annotate_order',
    summary: 'Write a note or tags on an order in the shop',
    description:
      'For the people at the shop. A note that is there already is not written again. What the platform keeps is in the capabilities of the service (`order_notes`, `order_tags`); anything else is 422. Answers with the order.',
    body: object(annotationFields),
    example: { note: 'Customer asked for gift wrap.', add_tags: ['gift'] },
  },
  hold: {
    name: 'hold_order',
    summary: 'Put an order on hold in the shop',
    description:
      'It does not leave until it is released. An order that has been cancelled, shipped or refunded is 422; one that is on hold already is answered as it is. Where `hold_order` is not among the actions of the service, the platform cannot do it. Answers with the order.',
    body: object(holdFields),
    example: { reason: 'Address to be checked' },
  },
  release: {
    name: 'release_order',
    summary: 'Release an order that is on hold in the shop',
    description:
      'An order that is not on hold is answered as it is; one that has been cancelled is 422. Answers with the order.',
    body: object({}),
    example: {},
  },
  capture: {
    name: 'capture_payment',
    summary: 'Capture the authorised payment of an order in the shop',
    description:
      'All that is authorised, or a part of it by `amount` where `capture_parts` of the capabilities is true; more than is authorised still is 422. An order that is paid already is answered as it is; one without an authorised payment is 422. Where `capture_payment` is not among the actions of the service, the platform cannot do it. Send an `Idempotency-Key`: the same request captures once. Answers with the order.',
    body: object(captureFields),
    example: {},
  },
} as const

/** What else can be done to an order in its shop: one endpoint each. */
export const changesOfOrders = Object.entries(changes).map(([path, { name, ...words }]) => ({
  ...changedOrder,
  status: 200 as const,
  path: `/orders/{order}/${path}` as const,
  ...words,
  handle: async ({ context, found, body, caller, request }: OrderWrite<{ force?: boolean }>) => {
    const { force, ...fields } = body
    const draft = { ...fields, order_remote_id: found.order.remote_id }
    await changeOrder(context, found.integration, name, {
      order: found.order,
      draft,
      force,
      workKey: workKeyOf(caller, request),
    })
    return await shownNow(context, found)
  },
}))
