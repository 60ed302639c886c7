import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { findProductOf, oneProduct, productList } from '../includes/of-products.ts'
import { shopOfAccount } from '../shop-data.ts'

const list = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: shopOfAccount,
  ...productList,
})

const get = endpoint({
  group: groups.webcomponent,
  scope: 'webcomponent:integration-read',
  find: async (asked) => await findProductOf(asked.context, await shopOfAccount(asked), asked.params.product),
  ...oneProduct,
})

export const webcomponentProducts = [list, get]
