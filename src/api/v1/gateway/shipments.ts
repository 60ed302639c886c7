import { recordShipment } from '../../../domain/shipments/record-shipment.ts'
import { shipmentStates } from '../../../domain/shipments/shipment.ts'
import { choice, id, integer, list, maybe, object, optional, text } from '../../../lib/validation/fields.ts'
import { record, withStatus } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { shipmentSchema, shipmentView } from '../views/shipment.ts'
import { gateway } from './group.ts'

const create = endpoint({
  group: gateway,
  method: 'POST',
  path: '/shipments',
  summary: 'Create a shipment or update its tracking',
  description:
    'A parcel is known by its order and tracking number: 201 the first time, 200 for updates. The shop is notified, and the order becomes SHIPPED, or DELIVERED when the parcel is.',
  otherStatuses: [200],
  body: object({
    order_id: id(),
    tracking_number: text(),
    carrier: text(),
    tracking_url: maybe(text({ max: 2000, format: 'url' })),
    status: optional(choice(shipmentStates, 'SHIPPED by default')),
    shipped_at: maybe(text({ format: 'date-time' })),
    items: optional(list(object({ sku: text(), quantity: integer({ minimum: 1, maximum: 1_000_000 }) }), { max: 500 })),
  }),
  example: { order_id: 1, tracking_number: '00340434161094042557', carrier: 'DHL' },
  returns: record(shipmentSchema),
  handle: async ({ context, admitted, body }) => {
    const { shipment, isNew } = await recordShipment(context, admitted, body)
    return withStatus(isNew ? 201 : 200, shipmentView(shipment))
  },
})

export const gatewayShipments = [create]
