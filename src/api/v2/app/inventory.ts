import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { inventoryList } from '../includes/of-levels.ts'
import { shopOfApp } from '../shop-data.ts'

const list = endpoint({ group: groups.app, scope: 'app:integration-read', find: shopOfApp, ...inventoryList })

export const appInventory = [list]
