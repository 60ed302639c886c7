import { pageOrChanges } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { shipmentListQuery, shipmentPage } from '../includes/of-shipments.ts'
import { shopOfAccount } from '../shop-data.ts'
import { shipmentSchema } from '../views/shipment.ts'

const list = endpoint({
  group: groups.webcomponent,
  method: 'GET',
  path: '/shipments',
  scope: 'webcomponent:integration-read',
  summary: 'List shipments',
  description:
    'Of one integration. `updated_since` answers with what has changed since instead, and never leaves one out.',
  extension: true,
  find: shopOfAccount,
  query: shipmentListQuery,
  returns: pageOrChanges(shipmentSchema),
  handle: ({ context, found, query }) => shipmentPage(context, found.id, query),
})

export const webcomponentShipments = [list]
