import { toSecond } from '../../clock.ts'
import type { Answer, Call, Recorder } from '../../http/call.ts'
import { type RouteRow, routeIn } from '../../http/route-table.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { ShopOrder } from '../../shop/order.ts'
import { answer, type World } from '../../world.ts'
import { articleIdOf, numberOf, orderIdOf, orderIndexOf, productIdOf } from './ids.ts'
import { createIms, createIntegrations, imsPath } from './keys.ts'
import { orderStatus, orderView } from './order-views.ts'
import { createOrders } from './orders.ts'
import { createProducts } from './products.ts'
import { noEntity, noRoute, refusal } from './search.ts'
import { sourceOf } from './sources.ts'

/** REST by search criteria, keys of an integration that sign every call, no limits, no idempotency, no messages. */
export const magento: PlatformDefinition = { domain: 'shop.example', tokenSeconds: 86_399, currency: null, open }

const serviceHost = 'na1.api.commerce.adobe.com'

/** What an integration must have been given to get at what is below a path. */
const resources: Readonly<Record<string, string | undefined>> = {
  orders: 'Magento_Sales::actions_view',
  order: 'Magento_Sales::ship',
  shipments: 'Magento_Sales::shipment',
  products: 'Magento_Catalog::products',
  stockItems: 'Magento_CatalogInventory::cataloginventory',
  inventory: 'Magento_InventoryApi::source',
  store: 'Magento_Backend::store',
}

function open(world: World): Platform {
  const { book, stockroom } = world.shop
  const { variant, shop } = world.settings
  const service = variant['keys'] === 'service'
  const single = variant['stock'] === 'single'
  const ims = createIms(world)
  const keys = service ? ims.keys : createIntegrations(world)
  const orders = createOrders(world)
  const products = createProducts(world)

  const ofOrder =
    (use: (order: ShopOrder, call: Call, record: Recorder) => Answer): RouteRow[3] =>
    (call, record, [id]) => {
      const order = book.get(orderIndexOf(id))
      return order ? use(order, call, record) : noEntity()
    }
  const severalSources: readonly RouteRow[] = [
    ['GET', '/V1/inventory/sources', 'sources.list', products.sources],
    ['GET', '/V1/inventory/source-items', 'source-items.list', products.sourceItems],
    ['POST', '/V1/inventory/source-items', 'source-items.save', products.saveSources],
  ]
  const rows: readonly RouteRow[] = [
    ['POST', imsPath, 'ims.token', ims.grant, { open: true, careful: true }],
    ['GET', '/V1/store/storeConfigs', 'store.configs', () => answer(200, [storeConfig(shop)])],
    ['GET', '/V1/orders', 'orders.list', orders.list],
    ['GET', '/V1/orders/:id', 'orders.get', ofOrder((order) => answer(200, orderView(order)))],
    ['POST', '/V1/orders/:id/cancel', 'orders.cancel', ofOrder(orders.cancel)],
    ['POST', '/V1/order/:id/ship', 'orders.ship', ofOrder(orders.ship)],
    ['GET', '/V1/shipments', 'shipments.list', orders.shipments],
    ['GET', '/V1/products', 'products.list', products.list],
    ['POST', '/V1/products', 'products.save', products.save],
    ['GET', '/V1/products/attributes', 'attributes.list', products.attributes],
    ['GET', '/V1/stockItems/:sku', 'stock.get', (_, __, [sku]) => products.stock(sku)],
    [
      ...(['PUT', '/V1/products/:sku/stockItems/:id', 'stock.set'] as const),
      (call, record, [sku]) => products.setStock(sku, call, record),
    ],
    ...(single ? [] : severalSources),
  ]

  /** Paths begin with the store view, or with the tenant of the service. */
  const inner = service ? /^\/tenant-1(\/V1\/.*)$/ : /^\/rest(?:\/[a-z0-9_-]+)?(\/V1\/.*)$/i
  return {
    install: {
      type: 'magento',
      shop,
      settings: { base_url: service ? `https://${serviceHost}/tenant-1` : world.origin },
      credentials: keys.issue(),
      client: {},
    },
    hosts: service ? [serviceHost, 'ims-na1.adobelogin.com'] : [],
    keep: keys.keep,
    wrong: keys.wrong,
    issue: keys.issue,
    route(call) {
      const path = service && call.path === imsPath ? imsPath : (inner.exec(call.path)?.[1] ?? '')
      const resource = resources[path.split('/')[2] ?? '']
      // Signatures hold for the whole address.
      const door = {
        ...{ holder: () => keys.holder(call), denied: () => keys.denied(call), unknown: noRoute },
        around: (_: Call, __: string, run: () => Answer | Promise<Answer>) =>
          resource !== undefined && variant['lacks'] === resource
            ? refusal(401, "The consumer isn't authorized to access %resources.", { resources: resource })
            : run(),
      }
      return routeIn(rows, door, { ...call, path })
    },
    errorBody: () => ({ message: 'Internal Error. Details are available in Magento log file. Report ID: webapi-0' }),
    expire: keys.expire,
    expireAll: keys.expireAll,
    orderId: (index) => String(orderIdOf(index)),
    orderNumber: ({ index }) => numberOf(index),
    orderStatus,
    shown: toSecond,
    productId: (index) => String(productIdOf(index)),
    variantId(variantOf) {
      const product = stockroom.product(variantOf.product)
      return product ? String(articleIdOf(product, variantOf)) : ''
    },
    locationId: single ? null : sourceOf,
  }
}

const storeConfig = (shop: string) => ({
  ...{ id: 1, code: 'default', website_id: 1, locale: 'de_DE', base_currency_code: 'EUR' },
  ...{ default_display_currency_code: 'EUR', timezone: 'Europe/Berlin', weight_unit: 'kgs' },
  ...Object.fromEntries(
    ['url', 'link_url', 'static_url', 'media_url'].flatMap((name) => [
      [`base_${name}`, `http://${shop}/${name}/`],
      [`secure_base_${name}`, `https://${shop}/${name}/`],
    ]),
  ),
})
