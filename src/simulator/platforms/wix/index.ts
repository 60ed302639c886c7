import { type Door, lacking, type RouteRow, routeIn } from '../../http/route.ts'
import type { Platform, PlatformDefinition } from '../../platform.ts'
import type { World } from '../../world.ts'
import { createAuth } from './auth.ts'
import { catalogRoutes, currency } from './catalog.ts'
import { locationIdOf, orderIdOf, productIdOf, variantIdOf } from './ids.ts'
import { inventoryRoutes } from './inventory.ts'
import { createMessages, publicKeyOf } from './messages.ts'
import { oldCatalogRoutes } from './old-catalog.ts'
import { shown, wordsOf } from './order-view.ts'
import { orderRoutes } from './orders.ts'
import { createLimit, no } from './reply.ts'

/** A site on Wix: orders of the eCommerce platform, the catalogue of its third version, messages that are signed texts. */
export const wix: PlatformDefinition = { domain: 'wix.example', tokenSeconds: 14_400, currency, open }

function open(world: World): Platform {
  const guid = (purpose: string) =>
    `${world.secretFor(purpose, 8)}-1111-4000-8000-${world.secretFor(`${purpose} id`, 12)}`
  const [siteId, instanceId] = [guid('site'), guid('instance')]
  const auth = createAuth(world, { siteId, instanceId, publicKey: publicKeyOf('app') })
  const limited = createLimit(world)
  const isOld = world.settings.variant['catalog'] === 'v1'
  const rows: readonly RouteRow[] = [
    ...auth.routes,
    ...orderRoutes(world),
    ...catalogRoutes(world),
    ...inventoryRoutes(world),
    ...(isOld ? oldCatalogRoutes(world) : []),
  ]
  const refused = lacking(world, () => no(403, 'PERMISSION_DENIED', 'Permission denied'))
  const door: Door = {
    holder: auth.holder,
    denied: () => no(401, 'UNAUTHENTICATED', 'Unauthenticated'),
    refuses: (operation, { path }) =>
      isOld && path.startsWith('/stores/v3/') && operation !== 'version.get'
        ? no(428, 'CATALOG_V3_CALLING_CATALOG_V1_API', 'The site has another version of the catalog')
        : refused(operation),
    unknown: () => no(404, 'NOT_FOUND', 'Not found'),
    around: (_, __, run) => limited(siteId, run),
  }

  return {
    install: { shop: `${siteId}.wix.com`, settings: { instance_id: instanceId }, client: auth.client },
    hosts: ['www.wixapis.com', 'www.wix.com'],
    wrong: { access_token: 'OauthNG.JWS.wrong', instance_id: instanceId },
    issue: auth.issue,
    keep: auth.keep,
    route: (call) => routeIn(rows, door, call),
    errorBody: (status) => no(status, status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL', 'It did not work').body,
    expire: auth.expire,
    expireAll: auth.expireAll,
    orderId: orderIdOf,
    orderNumber: ({ index }) => String(10_001 + index),
    remoteStatus: (order) => Object.values(wordsOf(order)).join('/'),
    shown,
    productId: productIdOf,
    variantId: (variant) => {
      const isSingle = world.shop.stockroom.product(variant.product)?.variants.length === 1
      return isOld && isSingle ? productIdOf(variant.product) : variantIdOf(variant)
    },
    locationId: isOld ? null : locationIdOf,
    messages: createMessages(world, instanceId),
  }
}
