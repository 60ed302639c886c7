import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { findProductOf, oneProduct, productList } from '../includes/of-products.ts'
import { shopOfApp } from '../shop-data.ts'

const list = endpoint({ group: groups.app, scope: 'app:integration-read', find: shopOfApp, ...productList })

const get = endpoint({
  group: groups.app,
  scope: 'app:integration-read',
  find: async (asked) => await findProductOf(asked.context, await shopOfApp(asked), asked.params.product),
  ...oneProduct,
})

export const appProducts = [list, get]
