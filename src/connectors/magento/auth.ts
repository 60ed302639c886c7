import { type Granted, type Opened, typedKeys } from '../../commerce/connector/auth.ts'
import type { RemoteCall } from '../../commerce/connector/remote-rules.ts'
import { fieldsOf, maybeText } from '../../commerce/reading.ts'
import { credentialsRefused, isCredentialsRefusal, type RemoteRequest, refused } from '../../commerce/remote.ts'
import { isRightsMissing, type MissingRight, rightsRefused } from '../../commerce/rules/rights.ts'
import { oauth1Header } from '../../commerce/wire/oauth1.ts'
import { say } from '../../commerce/words/say.ts'
import { invalid } from '../../lib/fault.ts'
import { bodyIn, criteria, isUnknownRoute, search } from './ask.ts'
import { grant, imsKeys, openedWith, withToken } from './cloud/ims.ts'
import { where } from './read-answer.ts'
import {
  type Credentials,
  credentials,
  isService,
  type MagentoFacts,
  type MagentoShop,
  pathOf,
  type Settings,
} from './settings.ts'

/**
 * The keys of an integration: all four, or the access token alone where the shop takes it as a bearer token. The Cloud
 * Service knows no integrations: those of Adobe's identity service.
 */
export const auth = typedKeys<Settings, Credentials, typeof credentials>({
  credentials,
  open,
  checkAccess,
  checkRights,
  remains: say('remains_magento'),
  refreshes: isService,
  refresh: grant,
})

const signingKeys = ['consumer_key', 'consumer_secret', 'access_token_secret'] as const

/** Asks the shop once for what its products do not say, and whether it knows sources. */
async function open(shop: MagentoShop): Promise<Opened<Settings, Credentials>> {
  checkTyped(shop)
  const { credentials: kept, expiresAt } = isService(shop) ? await grant(shop) : plain(shop)
  const reported = await naming(shop, askedOf(isService(shop) ? openedWith(shop, kept) : shop))
  return { credentials: kept, expiresAt, settings: { ...reported, ...shop.settings } }
}

const plain = ({ credentials: kept }: MagentoShop): Granted<Credentials> => ({ credentials: kept, expiresAt: null })

function checkTyped(shop: MagentoShop): void {
  const lacking = (names: readonly (keyof Credentials)[]) =>
    names.filter((name) => shop.credentials[name] === undefined)
  const unsigned = lacking(signingKeys)
  const missing = isService(shop)
    ? lacking(imsKeys)
    : [...lacking(['access_token']), ...(unsigned.length < signingKeys.length ? unsigned : [])]
  if (missing.length === 0) return
  const say = (name: string) => [`The credentials.${name.replaceAll('_', ' ')} field is required.`]
  throw invalid(Object.fromEntries(missing.map((name) => [`credentials.${name}`, say(name)])))
}

async function askedOf(shop: MagentoShop): Promise<Partial<Settings>> {
  const { remote } = shop
  const answer = await remote.request({ method: 'GET', path: pathOf(shop, 'store/storeConfigs') })
  if (answer.status === 404) throw refused(say('no_platform_here', { platform: 'Magento' }))
  const stores = Array.isArray(bodyIn(answer)) ? (bodyIn(answer) as unknown[]).map(fieldsOf) : []
  const store = stores.find((one) => one['code'] === shop.settings.store_code) ?? stores[0] ?? {}
  const unit = maybeText(store, 'weight_unit')
  const currency = maybeText(store, 'base_currency_code')
  const media = maybeText(store, 'secure_base_media_url')
  const sources = await remote.request({
    method: 'GET',
    path: pathOf(shop, 'inventory/sources'),
    query: criteria({ size: 1 }),
  })
  return {
    ...(currency ? { currency } : {}),
    ...(unit === 'kgs' || unit === 'lbs' ? { weight_unit: unit } : {}),
    ...(media ? { media_url: media } : {}),
    stock: isUnknownRoute(sources) ? 'single' : 'sources',
  }
}

/** What the platform answers to a right that is missing, it also answers to a token that it does not know. */
async function checkAccess(shop: MagentoShop): Promise<void> {
  try {
    await naming(shop, search(shop, 'orders', { size: 1 }))
  } catch (error) {
    if (!isRightsMissing(error)) throw error
    await checkRights(shop)
    throw error
  }
}

/** By its own names. There is no order 0: who may not send or cancel is refused before it is looked for. */
async function checkRights(shop: MagentoShop): Promise<MissingRight[]> {
  const reads = (path: string): RemoteRequest => ({
    ...{ method: 'GET', path: pathOf(shop, path), query: criteria({ size: 1 }) },
  })
  const tried: Readonly<Record<string, RemoteRequest>> = {
    'Magento_Backend::store': { method: 'GET', path: pathOf(shop, 'store/storeConfigs') },
    'Magento_Sales::actions_view': reads('orders'),
    'Magento_Sales::cancel': { method: 'POST', path: pathOf(shop, 'orders/0/cancel') },
    'Magento_Sales::ship': { method: 'POST', path: pathOf(shop, 'order/0/ship'), body: {} },
    'Magento_Sales::shipment': reads('shipments'),
    'Magento_Catalog::products': reads('products'),
    ...(shop.settings.stock === 'single'
      ? { 'Magento_Catalog::catalog_inventory': { method: 'GET', path: pathOf(shop, 'stockItems/0') } }
      : {
          'Magento_InventoryApi::source': reads('inventory/sources'),
          'Magento_InventoryApi::stock': reads('inventory/stocks'),
          'Magento_InventoryApi::stock_source_link': reads('inventory/stock-source-links'),
        }),
  }
  const rights = Object.entries(tried).map(([name, request]) => ({ name, where, request }))
  const missing = await naming(shop, rightsRefused(shop.remote, rights))
  if (missing.length === rights.length) throw credentialsRefused(typedKeysOf(shop))
  return missing
}

const typedKeysOf = (shop: MagentoShop) => (isService(shop) ? imsKeys : Object.keys(shop.credentials))

/** A refusal names the keys that were typed. */
async function naming<T>(shop: MagentoShop, asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    throw isCredentialsRefusal(error) ? credentialsRefused(typedKeysOf(shop)) : error
  }
}

export function authenticate(
  request: RemoteRequest,
  keys: Credentials,
  facts: MagentoFacts,
  { url, seconds, nonce }: RemoteCall,
): RemoteRequest {
  if (isService(facts)) return withToken(request, keys, facts)
  const { method, query } = request
  const authorization =
    keys.consumer_key === undefined
      ? `Bearer ${keys.access_token ?? ''}`
      : oauth1Header({
          method,
          url,
          query,
          seconds,
          nonce,
          keys: {
            consumerKey: keys.consumer_key,
            consumerSecret: keys.consumer_secret ?? '',
            token: keys.access_token ?? '',
            tokenSecret: keys.access_token_secret ?? '',
          },
        })
  return { ...request, headers: { ...request.headers, authorization } }
}
