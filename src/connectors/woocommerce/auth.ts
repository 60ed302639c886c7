import { keyHandover, type Opened } from '../../commerce/connector/auth.ts'
import type { AnswerReading, RemoteCall } from '../../commerce/connector/remote-rules.ts'
import { bodyOf, isFields } from '../../commerce/reading.ts'
import {
  isCredentialsRefusal,
  isNotTheShop,
  notTheShop,
  type RemoteAnswer,
  type RemoteRequest,
  refused,
} from '../../commerce/remote.ts'
import { isRightsMissing, type MissingRight } from '../../commerce/rules/rights.ts'
import { oauth1Parameters } from '../../commerce/wire/oauth1.ts'
import { originOf } from '../../commerce/wire/shop-address.ts'
import { say } from '../../commerce/words/say.ts'
import {
  type Credentials,
  credentials,
  plainPath,
  root,
  type Settings,
  type WooFacts,
  type WooShop,
} from './settings.ts'

/** The merchant agrees on a page of the shop, and the shop posts the keys to us; or somebody types keys in. */
export const auth = keyHandover<Settings, typeof credentials>({
  credentials,
  checkAccess,
  checkRights,
  remains: say('remains_woocommerce'),
  typed: { form: credentials, keep: (typed) => keysIn(typed), open },
  authorizeUrl({ state, callbackUrl, appName, ...facts }) {
    const query = new URLSearchParams({
      app_name: appName ?? 'Entrepot',
      scope: 'read_write',
      // Comes back with the keys and is the only thing that says whose they are.
      user_id: state,
      return_url: callbackUrl,
      callback_url: callbackUrl,
    })
    if (!facts.settings.plain_permalinks) return `${originOf(facts)}/wc-auth/v1/authorize?${query}`
    return `${originOf(facts)}/?wc-auth-version=1&wc-auth-route=authorize&${query}`
  },
  find,
  readHandover(body) {
    if (!isFields(body)) return null
    const { user_id: state, consumer_key: key, consumer_secret: secret } = body
    if (typeof state !== 'string' || typeof key !== 'string' || typeof secret !== 'string') return null
    if (state === '' || !key.startsWith('ck_') || !secret.startsWith('cs_')) return null
    return { state, credentials: { consumer_key: key, consumer_secret: secret } }
  },
  readReturn: ({ user_id: state, success }) =>
    state === undefined || success === undefined ? null : { state, allowed: success === '1' },
})

const keysIn = ({ consumer_key: key, consumer_secret: secret }: Readonly<Record<string, unknown>>): Credentials => ({
  consumer_key: String(key),
  consumer_secret: String(secret),
})

/** How this site wants to be asked, where that is not as most do; what is found out stays. */
async function open(shop: WooShop): Promise<Opened<Settings, Credentials>> {
  const kept = (found: Partial<Settings>) => ({
    credentials: shop.credentials,
    expiresAt: null,
    settings: { ...shop.settings, ...found },
  })
  const refusal = await checkAccess(shop).catch((error: unknown) => error)
  if (refusal === undefined) return kept({})
  if (isCredentialsRefusal(refusal)) {
    if (await takesKeysInQuery(shop)) return kept({ keys_in_query: true })
  } else if (!shop.settings.plain_permalinks && (await hasPlainPermalinks(shop)))
    return kept({ plain_permalinks: true })
  throw refusal
}

/** What the interface offers is shown to everybody. */
async function find({ remote, settings }: Omit<WooShop, 'credentials'>): Promise<Settings> {
  const isThere = (path: string) =>
    remote
      .request({ method: 'GET', path })
      .then(({ status, body }) => status < 300 && isFields(body) && 'routes' in body)
  if (await isThere(root).catch(unlessElsewhere)) return settings
  if (await isThere(plainPath(root)).catch(unlessElsewhere)) return { ...settings, plain_permalinks: true }
  throw notTheShop(refused(say('no_platform_here', { platform: 'WooCommerce' })))
}

const unlessElsewhere = (error: unknown): false => {
  if (isNotTheShop(error)) return false
  throw error
}

/** Some hosts drop the header that the keys travel in. */
async function takesKeysInQuery(shop: WooShop): Promise<boolean> {
  if (shop.settings.keys_in_query || !originOf(shop).startsWith('https:')) return false
  const query = { per_page: 1, ...shop.credentials }
  return await answers(shop, { method: 'GET', path: `${root}/orders`, query, anonymous: true })
}

/** A site with plain permalinks shows a page, or none, where others have their interface. */
const hasPlainPermalinks = (shop: WooShop): Promise<boolean> =>
  answers(shop, { method: 'GET', path: plainPath(`${root}/orders`), query: { per_page: 1 } })

const answers = async ({ remote }: WooShop, request: RemoteRequest): Promise<boolean> =>
  await remote.request(request).then(
    (answer) => answer.status < 300 && Array.isArray(answer.body),
    () => false,
  )

async function checkAccess({ remote }: WooShop): Promise<void> {
  const answer = await remote.request({ method: 'GET', path: `${root}/orders`, query: { per_page: 1 } })
  if (answer.status === 404) {
    throw refused(say('plain_permalinks'))
  }
  bodyOf(answer)
}

const where = 'WooCommerce → Settings → Advanced → REST API'

/** Keys may read, write or both; and they may do what their user may. */
async function checkRights({ remote }: WooShop): Promise<MissingRight[]> {
  const missing: MissingRight[] = []
  for (const resource of ['products', 'webhooks']) {
    const { status } = await remote.request({ method: 'GET', path: `${root}/${resource}`, query: { per_page: 1 } })
    if (status === 403) missing.push({ name: `${resource} (a user of the role Shop manager)`, where })
  }
  try {
    // There is no such order, so that nothing is changed; who may not write is refused before it is looked for.
    await remote.request({ method: 'PUT', path: `${root}/orders/0`, body: {}, repeatable: true })
  } catch (error) {
    if (!isRightsMissing(error)) throw error
    missing.push({ name: 'write (the key has the permission "Read" only; it needs "Read/Write")', where })
  }
  return missing
}

/** A refund that the gateway does not make is refused with 500; nothing has happened then. */
export const refundRefused = 'woocommerce_rest_cannot_create_order_refund'

/** A key that may not write is refused with the status of wrong keys. */
export function readAnswer({ status, body }: RemoteAnswer): AnswerReading {
  if (status === 500 && isFields(body) && body['code'] === refundRefused) return { verdict: 'ok' }
  const said = status === 401 && isFields(body) ? String(body['message']) : ''
  const right = /does not have (read|write) permissions/.exec(said)?.[1]
  return right ? { missingRight: { name: right, where } } : {}
}

/** By https the keys themselves; without it only a signature, which the platform then insists on. */
export function authenticate(
  request: RemoteRequest,
  { consumer_key: consumerKey, consumer_secret: consumerSecret }: Credentials,
  { settings }: WooFacts,
  { url, seconds, nonce }: RemoteCall,
): RemoteRequest {
  const { method, query } = request
  if (url.startsWith('http://')) {
    const keys = { consumerKey, consumerSecret }
    // Half of all hosts drop the header; the query arrives everywhere.
    return { ...request, query: { ...query, ...oauth1Parameters({ method, url, query, keys, seconds, nonce }) } }
  }
  if (settings.keys_in_query) {
    return { ...request, query: { ...query, consumer_key: consumerKey, consumer_secret: consumerSecret } }
  }
  const authorization = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`
  return { ...request, headers: { ...request.headers, authorization } }
}
