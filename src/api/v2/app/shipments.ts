import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { shipmentList } from '../includes/of-shipments.ts'
import { shopOfApp } from '../shop-data.ts'

const list = endpoint({ group: groups.app, scope: 'app:integration-read', find: shopOfApp, ...shipmentList })

export const appShipments = [list]
