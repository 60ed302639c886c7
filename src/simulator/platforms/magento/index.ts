import { answer, type Door, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { createIms, createIntegrations, imsPath } from './keys.ts'
import { numberOf, orderIdOf, orderRoutes, productIdOf, wordsOf } from './orders.ts'
import { articleIdOf, productRoutes } from './products.ts'
import { returnRoutes } from './returns.ts'
import { noRoute, refusal } from './search.ts'
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
  stockItems: 'Magento_Catalog::catalog_inventory',
  inventory: 'Magento_InventoryApi::source',
  store: 'Magento_Backend::store',
}

/** And to take a single step. */
const ofStep: Readonly<Record<string, string | undefined>> = {
  ...{ cancel: 'Magento_Sales::cancel', comments: 'Magento_Sales::comment' },
}

function open(world: World): Platform {
  const { variant, shop } = world.settings
  const service = variant['keys'] === 'service'
  const keys = service ? createIms(world) : createIntegrations(world)
  const rows: readonly RouteRow[] = [
    ...keys.routes,
    ['GET', '/V1/store/storeConfigs', 'store.configs', () => answer(200, [storeConfig(shop)])],
    ...orderRoutes(world),
    ...returnRoutes(world),
    ...productRoutes(world),
  ]

  /** Paths begin with the store view, or with the tenant of the service. */
  const inner = service ? /^\/tenant-1(\/V1\/.*)$/ : /^\/rest(?:\/[a-z0-9_-]+)?(\/V1\/.*)$/i
  return {
    ...keys.access,
    install: { settings: { base_url: service ? `https://${serviceHost}/tenant-1` : world.origin } },
    hosts: service ? [serviceHost, 'ims-na1.adobelogin.com'] : [],
    route(call) {
      const path = call.path === imsPath ? imsPath : (inner.exec(call.path)?.[1] ?? '')
      const own = ofStep[path.split('/').at(-1) ?? '']
      const resource = own ?? resources[path.split('/')[2] ?? '']
      const door: Door = {
        // Signatures hold for the whole address.
        ...{ holder: () => keys.holder(call), denied: () => keys.denied(call), unknown: noRoute },
        around: (_, __, run) =>
          resource !== undefined && variant['lacks'] === resource
            ? refusal(401, "The consumer isn't authorized to access %resources.", { resources: resource })
            : run(),
      }
      return routeIn(rows, door, { ...call, path })
    },
    errorBody: () => ({ message: 'Internal Error. Details are available in Magento log file. Report ID: webapi-0' }),
    orderId: (index) => String(orderIdOf(index)),
    orderNumber: ({ index }) => numberOf(index),
    remoteStatus: (order) => wordsOf(order).status,
    productId: (index) => String(productIdOf(index)),
    variantId(article) {
      const product = world.shop.stockroom.product(article.product)
      return product ? String(articleIdOf(product, article)) : ''
    },
    locationId: variant['stock'] === 'single' ? null : sourceOf,
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
