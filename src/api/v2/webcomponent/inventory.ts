import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { inventoryList } from '../includes/of-levels.ts'
import { shopOfAccount } from '../shop-data.ts'

const list = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: shopOfAccount,
  ...inventoryList,
})

export const webcomponentInventory = [list]
