import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { Delivery } from '../../commerce/connector-webhooks.ts'
import { type Fields, isFields } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall, VendorSpecification } from '../../commerce/stand.ts'
import { answers } from './stand-answers.ts'
import { type Books, makeBooks } from './stand-records.ts'
import { signatureRefusal, testKeys } from './stand-signature.ts'

const orderCount = 70
const itemCount = 33

export interface EbayStand extends PlatformStand {
  books: Books
}

export function makeStand(): EbayStand {
  const books = makeBooks(orderCount, itemCount)
  const used = new Set<string>()
  const keys = new Map<string, { publicKey: KeyObject; privateKey: KeyObject }>()
  const keysOf = (secret: string) => {
    const known = keys.get(secret) ?? generateKeyPairSync('ec', { namedCurve: 'P-256' })
    keys.set(secret, known)
    return known
  }
  return {
    books,
    facts: { shop: 'ada-antiques.ebay.com', settings: {} },
    credentials: {
      access_token: 'right',
      refresh_token: 'again',
      signing_jwe: testKeys.jwe,
      signing_private_key: testKeys.privateKey,
    },
    wrong: { access_token: 'wrong', refresh_token: 'again' },
    typed: null,
    client: { client_id: 'Ada-Shop-PRD-1', client_secret: 'PRD-2', ru_name: 'Ada-Shop-abc' },
    answer: (call) => keyAnswer(call, keys) ?? answer(books, call),
    signsForAll: true,
    counts: {
      orders: orderCount,
      products: [...books.items.keys()].filter((sku) => !isGrouped(books, sku)).length + books.groups.size,
      inventory: [...books.items.values()].reduce((n, { places }) => n + Math.max(1, Object.keys(places).length), 0),
    },
    openOrder() {
      const order = [...books.orders.values()].find(
        (one) => one['orderPaymentStatus'] === 'PAID' && one.parcels.length === 0 && !used.has(one.orderId),
      )
      if (!order) throw new Error('No order is left.')
      used.add(order.orderId)
      return order.orderId
    },
    messages: (secret) => messagesOf(books, keysOf(secret).privateKey),
    secrets: (secret) => {
      return { registration: [], client: {}, publicKey: `SHA1 ${derOf(keysOf(secret).publicKey)}` }
    },
    doubles: () => doublesIn(books),
    specifications,
  }
}

const isGrouped = ({ groups }: Books, sku: string): boolean =>
  [...groups.values()].some(({ skus }) => skus.includes(sku))

function answer(books: Books, { url, request }: StandCall): RemoteAnswer {
  const { pathname, host } = new URL(url)
  const scheme = pathname.startsWith('/post-order/') ? 'IAF' : 'Bearer'
  const headers = { date: new Date(books.now).toUTCString() }
  const isHome = host === (pathname.startsWith('/commerce/identity/') ? 'apiz.ebay.com' : 'api.ebay.com')
  if (!isHome || request.headers?.['authorization'] !== `${scheme} right`) {
    return { status: 401, headers, body: { errors: [{ errorId: 1001, message: 'Invalid access token' }] } }
  }
  const match = /^(.*\/(?:order|inventory_item|inventory_item_group|cancellation(?=\/.*\/approve))\/)([^/]+)(.*)$/.exec(
    pathname,
  )
  const pattern = match ? `${match[1]}*${match[3]}` : pathname
  const handle = answers[`${request.method} ${pattern}`]
  if (!handle) return { status: 404, headers, body: { errors: [{ errorId: 2002, message: 'Resource not found' }] } }
  const refusal = /\/cancellation(\/\*\/approve)?$/.test(pattern) ? signatureRefusal({ url, request }) : null
  if (refusal) return refusal
  const body = bodyOf(request.body)
  const told = handle({ books, name: decodeURIComponent(match?.[2] ?? ''), body, query: request.query ?? {} })
  return { ...told, headers: { ...headers, ...told.headers } }
}

/** What is signed comes as the text that it is. */
function bodyOf(body: unknown): Fields {
  const told: unknown = typeof body === 'string' ? JSON.parse(body) : body
  return isFields(told) ? told : {}
}

/** eBay's own key is the one that was made first; whoever else signs names it all the same. */
const ownKey = '9936261a-7d7b-4621-a0f1-96ccb428af49'

const derOf = (key: KeyObject): string => key.export({ format: 'der', type: 'spki' }).toString('base64')

/** Apps are given tokens of their own, and with these the keys that messages are signed with. */
function keyAnswer(
  { url, request }: StandCall,
  keys: ReadonlyMap<string, { publicKey: KeyObject }>,
): RemoteAnswer | null {
  const { pathname } = new URL(url)
  if (pathname === '/identity/v1/oauth2/token') return { status: 200, headers: {}, body: { access_token: 'app' } }
  const kid = /^\/commerce\/notification\/v1\/public_key\/(.+)$/.exec(pathname)?.[1]
  if (kid === undefined || request.headers?.['authorization'] !== 'Bearer app') return null
  const [pair] = keys.values()
  if (!pair || kid !== ownKey)
    return { status: 404, headers: {}, body: { errors: [{ errorId: 195_001, message: 'No such key.' }] } }
  const key = `-----BEGIN PUBLIC KEY-----${derOf(pair.publicKey)}-----END PUBLIC KEY-----`
  return { status: 200, headers: {}, body: { key, algorithm: 'ECDSA', digest: 'SHA1' } }
}

function messagesOf(books: Books, key: KeyObject): Delivery[] {
  const user = { userId: 'ma8vp1jySJC', username: 'ada_antiques' }
  return [...books.orders.keys()].slice(0, 3).map((orderId, n) => {
    const data = { user, order: { orderId, orderLineItems: [] } }
    const notification = {
      notificationId: `n${n}`,
      eventDate: '2026-10-01T08:00:00.000Z',
      publishAttemptCount: 1,
      data,
    }
    const raw = Buffer.from(
      JSON.stringify({ metadata: { topic: 'ORDER_CONFIRMATION', schemaVersion: '1.0' }, notification }),
    )
    const signature = sign('SHA1', raw, key).toString('base64')
    const header = Buffer.from(JSON.stringify({ alg: 'ecdsa', kid: ownKey, signature, digest: 'SHA1' }))
    return { method: 'POST', headers: { 'x-ebay-signature': header.toString('base64') }, query: {}, raw }
  })
}

function doublesIn({ orders, cancelled }: Books): string[] {
  const parcels = [...orders.values()].flatMap(({ orderId, parcels: all }) =>
    all.map(({ fulfillmentId }) => `parcel ${orderId} ${fulfillmentId}`),
  )
  const done = [...parcels, ...cancelled.map((id) => `cancelled ${id}`)]
  return done.filter((one, n) => done.indexOf(one) !== n)
}

const specifications: readonly VendorSpecification[] = [
  { kind: 'openapi', file: 'ebay/sell_fulfillment_v1_oas3.json', base: '/sell/fulfillment/v1' },
  {
    kind: 'openapi',
    file: 'ebay/sell_inventory_v1_oas3.json',
    base: '/sell/inventory/v1',
    wrong: [
      { report: /aspects must be string/, because: 'Its own text describes aspects as an object of lists of texts.' },
    ],
  },
  { kind: 'openapi', file: 'ebay/commerce_identity_v1_oas3.json', base: '/commerce/identity/v1' },
  {
    kind: 'openapi',
    file: 'ebay/cancellation_oas3.json',
    base: '/post-order/v2',
    wrong: [{ report: /takes no JSON body/, because: 'The file names the paths only and says nothing about bodies.' }],
  },
]
