import { createHmac } from 'node:crypto'
import type { Delivery } from '../../commerce/connector-webhooks.ts'
import { type Fields, isFields, maybeText, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { PlatformStand, StandCall, VendorSpecification } from '../../commerce/stand.ts'
import { answers } from './stand-answers.ts'
import { type Books, makeBooks } from './stand-records.ts'

const receiptCount = 110
const listingCount = 30

export interface EtsyStand extends PlatformStand {
  books: Books
}

export function makeStand(): EtsyStand {
  const books = makeBooks(receiptCount, listingCount)
  const used = new Set<unknown>()
  return {
    books,
    facts: { shop: '42.etsy.com', settings: { shop_id: 42 } },
    credentials: { access_token: '7.right', refresh_token: '7.again', api_key: 'us:shh' },
    wrong: { access_token: '7.wrong', refresh_token: '7.again', api_key: 'us:shh' },
    typed: null,
    client: { client_id: 'us', client_secret: 'shh' },
    answer: (call) => answer(books, call),
    counts: { orders: receiptCount, products: listingCount, inventory: skusIn(books).length },
    openOrder() {
      const receipt = [...books.receipts.values()].find(
        (one) => one['status'] === 'paid' && !used.has(one['receipt_id']),
      )
      if (!receipt) throw new Error('No order is left.')
      used.add(receipt['receipt_id'])
      return String(receipt['receipt_id'])
    },
    messages: (secret) => messagesOf(secret),
    secrets: (secret) => ({ registration: [], client: { webhook_secret: secretOf(secret) } }),
    doubles: () => books.letters.filter((one, n) => books.letters.indexOf(one) !== n),
    specifications,
  }
}

const skusIn = ({ listings }: Books): string[] =>
  [...listings.values()].flatMap(({ inventory }) =>
    inventory ? recordsIn(inventory, 'products').flatMap((one) => maybeText(one, 'sku') ?? []) : [],
  )

const limits = {
  'x-limit-per-second': '10',
  'x-remaining-this-second': '9',
  'x-limit-per-day': '10000',
  'x-remaining-today': '9000',
}

function answer(books: Books, { url, request }: StandCall): RemoteAnswer {
  const { pathname, host } = new URL(url)
  const { authorization, 'x-api-key': key } = request.headers ?? {}
  if (host !== 'openapi.etsy.com') return { status: 404, headers: {}, body: 'Nothing here.' }
  if (key !== 'us:shh') return { status: 403, headers: {}, body: { error: 'Shared secret is required in x-api-key.' } }
  if (authorization !== 'Bearer 7.right') return { status: 401, headers: {}, body: { error: 'invalid_token' } }
  const path = pathname.replace('/v3/application', '')
  const id = /(?<=\/(?:receipts|listings)\/)\d+/.exec(path)?.[0]
  const handle = answers[`${request.method} ${path.replace(/(?<=\/(?:receipts|listings)\/)\d+/, '#')}`]
  if (!handle) return { status: 404, headers: limits, body: { error: 'Resource not found' } }
  return {
    ...handle({ books, id: Number(id), query: request.query ?? {}, body: bodyOf(request.body) }),
    headers: limits,
  }
}

const bodyOf = (body: unknown): Fields => {
  if (typeof body === 'string') return Object.fromEntries(new URLSearchParams(body))
  return isFields(body) ? body : {}
}

const secretOf = (secret: string): string => `whsec_${Buffer.from(secret).toString('base64')}`

function messagesOf(secret: string): Delivery[] {
  return ['order.paid', 'order.shipped', 'order.canceled', 'order.unheard_of'].map((word, n) => {
    const resource = 'https://openapi.etsy.com/v3/application/shops/42/receipts/9001'
    const raw = Buffer.from(JSON.stringify({ event_type: word, resource_url: resource, shop_id: 42 }))
    const signature = createHmac('sha256', secret).update(`m${n}.1790000000.`).update(raw).digest('base64')
    const headers = { 'webhook-id': `m${n}`, 'webhook-timestamp': '1790000000', 'webhook-signature': `v1,${signature}` }
    return { method: 'POST', headers, query: {}, raw }
  })
}

const specifications: readonly VendorSpecification[] = [
  {
    kind: 'openapi',
    file: 'etsy/etsy-oas-3.0.0.2024-01-14.json',
    base: '',
    wrong: [
      {
        report: /: includes\/0 must be equal/,
        because: 'A list is one parameter with commas, which is told to be an array.',
      },
    ],
  },
]
