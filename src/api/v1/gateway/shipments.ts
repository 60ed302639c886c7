import { force } from '../../../commerce/action.ts'
import { wantedQuantity } from '../../../commerce/rules/quantities.ts'
import { notifyCustomer } from '../../../commerce/shipment.ts'
import { recordShipment } from '../../../domain/shipments/record-shipment.ts'
import { shipmentStates } from '../../../domain/shipments/shipment.ts'
import { choice, id, list, maybe, object, optional, requiredWithout, text } from '../../../lib/validation/fields.ts'
import { record, withStatus } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { shipmentSchema, shipmentView } from '../views/shipment.ts'
import { gateway } from './group.ts'

const create = endpoint({
  group: gateway,
  method: 'POST',
  path: '/shipments',
  right: 'update-order',
  summary: 'Create a shipment or update its tracking',
  description:
    'A parcel is known by its order and tracking number: 201 the first time, 200 for updates. The shop is asked first: an order that is cancelled, unpaid, on hold or refunded there is 422 unless `force` is set, and so is more than is left to ship, always. `items` are what the parcel holds, by SKU or line; all that is left if there are none. The shop is notified of what has left: not of a parcel that is PENDING, FAILED or CANCELLED, until it is said to be SHIPPED. The order becomes SHIPPED once everything has been sent, or DELIVERED when all its parcels are.',
  otherStatuses: [200],
  body: object({
    order_id: id(),
    tracking_number: text(),
    previous_tracking_number: maybe(
      text({ description: 'The number that the shipment has had, where it is to be corrected.' }),
    ),
    carrier: text(),
    tracking_url: maybe(text({ max: 2000, format: 'url' })),
    status: optional(choice(shipmentStates, 'SHIPPED by default')),
    shipped_at: maybe(text({ format: 'date-time' })),
    items: optional(
      list(
        object({
          sku: requiredWithout('order_line_remote_id', text()),
          order_line_remote_id: maybe(text({ description: 'The shop’s id of the line, where the SKU is not enough.' })),
          quantity: wantedQuantity,
        }),
        { max: 500 },
      ),
    ),
    notify_customer: notifyCustomer,
    force,
  }),
  example: { order_id: 1, tracking_number: '00340434161094042557', carrier: 'DHL' },
  returns: record(shipmentSchema),
  handle: async ({ context, admitted, body }) => {
    const { shipment, isNew } = await recordShipment(context, admitted, body)
    return withStatus(isNew ? 201 : 200, shipmentView(shipment))
  },
})

export const gatewayShipments = [create]
