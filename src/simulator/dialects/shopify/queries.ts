import { inSeconds } from '../../clock.ts'
import type { Product } from '../../shop/goods.ts'
import { locations } from '../../shop/goods.ts'
import { countOrders, listOrders } from '../../shop/list-orders.ts'
import type { Subscription, Subscriptions } from '../../subscriptions.ts'
import { disturb, type World } from '../../world.ts'
import { type Connection, connection, cursorOf, cut, objectType, of } from './graphql/types.ts'
import { gid, indexOf, partOf } from './ids.ts'
import { locationType } from './order-part-types.ts'
import { orderQuery, pageOf, within } from './order-query.ts'
import { orderType } from './order-type.ts'
import { inventoryItemType, productType, type VariantOf, variantType } from './product-type.ts'
import { spanOf, termsIn, told } from './search.ts'

const domainType = objectType<World>('Domain', { host: ({ settings }) => settings.shop })
const planType = objectType<World>('ShopPlan', { publicDisplayName: () => 'Simulator' })

const shopType = objectType<World>('Shop', {
  id: () => 'gid://shopify/Shop/1',
  name: () => 'Harbour Goods & Café',
  myshopifyDomain: ({ settings }) => settings.shop,
  currencyCode: () => 'EUR',
  ianaTimezone: () => 'Europe/Paris',
  email: () => 'owner@shop.example',
  primaryDomain: of(
    () => domainType,
    (world) => world,
  ),
  plan: of(
    () => planType,
    (world) => world,
  ),
})

const countType = objectType<number>('Count', { count: (count) => count, precision: () => 'EXACT' })

export const subscriptionType = objectType<Subscription>('WebhookSubscription', {
  id: ({ id }) => gid('WebhookSubscription', id),
  topic: ({ topic }) => topic,
  uri: ({ url }) => url,
  format: () => 'JSON',
  createdAt: ({ createdAt }) => inSeconds(createdAt),
})

export function createQueries(world: World, subscriptions: Subscriptions) {
  const { book, stockroom } = world.shop
  const variantsOf = (products: readonly Product[]): VariantOf[] =>
    products.flatMap((product) => product.variants.map((variant) => ({ product, variant })))

  return objectType<unknown>('QueryRoot', {
    shop: of(
      () => shopType,
      () => world,
    ),
    orders: connection(
      () => orderType,
      (_, args): Connection => {
        const query = orderQuery(world.shop, args)
        const page = listOrders(book, query)
        const timeOf = query.sort === 'changed' ? book.updatedAt : book.placedAt
        const nodes = page.indexes.map((index) => ({ node: book.get(index), cursor: cursorOf([timeOf(index), index]) }))
        disturb(world, page)
        return { nodes, hasNextPage: page.more, hasPreviousPage: typeof args['after'] === 'string' }
      },
    ),
    ordersCount: of(
      () => countType,
      (_, args) => countOrders(book, orderQuery(world.shop, { ...args, first: 1 })),
    ),
    order: of(
      () => orderType,
      (_, { id }) => book.get(indexOf('Order', id) ?? -1),
    ),
    products: connection(
      () => productType,
      (_, args) => {
        const terms = termsIn(args['query'])
        const { from, before } = spanOf(terms, 'updated_at')
        const all = stockroom.byChange().filter(({ updatedAt }) => within(updatedAt, from, before))
        return pageOf(all, ({ updatedAt, index }) => [updatedAt, index], args)
      },
    ),
    product: of(
      () => productType,
      (_, { id }) => stockroom.product(indexOf('Product', id) ?? -1),
    ),
    productVariants: connection(
      () => variantType,
      (_, args) => {
        const sku = told(termsIn(args['query']), 'sku')
        const all = variantsOf(stockroom.byChange()).filter(({ variant }) => sku === null || variant.sku === sku)
        return pageOf(all, ({ product, variant }) => [product.updatedAt, partOf(variant)], args)
      },
    ),
    inventoryItems: connection(
      () => inventoryItemType,
      (_, args) => {
        const terms = termsIn(args['query'])
        const { from, before } = spanOf(terms, 'updated_at')
        const sku = told(terms, 'sku')
        const all = stockroom.variantsByChange().flatMap((variant) => {
          const product = stockroom.product(variant.product)
          const wanted = within(variant.stockUpdatedAt, from, before) && (sku === null || variant.sku === sku)
          return product && wanted ? [{ product, variant }] : []
        })
        return pageOf(all, ({ variant }) => [variant.stockUpdatedAt, partOf(variant)], args)
      },
    ),
    locations: connection(
      () => locationType,
      (_, args) => cut([...locations.keys()], args),
    ),
    webhookSubscriptions: connection(
      () => subscriptionType,
      (_, args) => cut(subscriptions.all(), args),
    ),
  })
}
