import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { shipmentList } from '../includes/of-shipments.ts'
import { shopOfAccount } from '../shop-data.ts'

const list = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: shopOfAccount,
  ...shipmentList,
})

export const webcomponentShipments = [list]
