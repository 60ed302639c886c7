import { expect, test } from 'vitest'
import { openSimulator } from '../../src/simulator/simulator.ts'

const api = 'https://sellingpartnerapi-eu.amazon.com'
const orders = `${api}/orders/2026-01-01/orders`
const back = 'https://entrepot.example/back'

function open(variant: Record<string, string> = {}) {
  const simulator = openSimulator({ platform: 'amazon', orders: 30, products: 10, variant })
  const headers = { 'x-amz-access-token': simulator.kept['access_token'], 'content-type': 'application/json' }
  const ask = async (method: string, url: string, body: unknown = '', more: Record<string, string> = {}) => {
    const raw = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    const answer = await simulator.answer({ method, url, headers: { ...headers, ...more }, body: raw })
    const text = answer.bytes.toString()
    return { ...answer, text, body: text.startsWith('{') ? JSON.parse(text) : null }
  }
  return { simulator, ask }
}

test('consent in Seller Central gives a code, which works once', async () => {
  const { simulator, ask } = open()
  const { application_id = '', client_id = '', client_secret = '' } = simulator.install.client
  const question = new URLSearchParams({ application_id, state: 's', redirect_uri: back })
  const consent = 'https://sellercentral-europe.amazon.com/apps/authorize/consent'
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  expect((await ask('GET', `${consent}?${question}`)).text).toContain('Allow')
  const decided = await ask('POST', consent, `${question}&decision=allow`, form)
  const returned = new URL(decided.headers['location'] ?? '').searchParams
  expect(returned.get('selling_partner_id')?.toLowerCase()).toBe(simulator.install.shop)
  const code = returned.get('spapi_oauth_code') ?? ''
  const trip = { grant_type: 'authorization_code', code, redirect_uri: back, client_id, client_secret }
  const exchange = () => ask('POST', 'https://api.amazon.com/auth/o2/token', new URLSearchParams(trip).toString(), form)
  expect((await exchange()).body).toMatchObject({ token_type: 'bearer', expires_in: 3600 })
  expect(await exchange()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
})

test('limits are as tiny as they are there, and the rate is told', async () => {
  const { simulator, ask } = open()
  simulator.weather({ limit_scale: 1 })
  const list = () => ask('GET', `${orders}?lastUpdatedAfter=2025-01-01T00:00:00Z`)
  for (let n = 0; n < 20; n++) expect((await list()).status).toBe(200)
  const refused = await list()
  expect(refused).toMatchObject({ status: 429, body: { errors: [{ code: 'QuotaExceeded' }] } })
  expect(refused.headers).toMatchObject({ 'x-amzn-ratelimit-limit': '0.0056' })
  simulator.advance(180)
  expect((await list()).status).toBe(200)
})

test('a seller of one region is nobody in the others', async () => {
  const { ask } = open()
  const elsewhere = orders.replace('-eu', '-na')
  expect((await ask('GET', `${elsewhere}?lastUpdatedAfter=2025-01-01T00:00:00Z`)).status).toBe(403)
})

test('what changed in the last two minutes is not listed yet, where that is wanted', async () => {
  const { simulator, ask } = open({ list_delay: 'yes' })
  const [made] = simulator.change({ new_orders: 1 }).new_orders
  const list = async () => (await ask('GET', `${orders}?lastUpdatedAfter=2026-01-01T00:00:00Z`)).body.orders
  expect(await list()).toEqual([])
  simulator.advance(121)
  expect(await list()).toMatchObject([{ orderId: made }])
})

test('feeds change listings and cancel orders, and a document says what came of it', async () => {
  const { simulator, ask } = open()
  const feeds = `${api}/feeds/2021-06-30`
  const submit = async (feedType: string, content: unknown) => {
    const { feedDocumentId: inputFeedDocumentId, url } = (await ask('POST', `${feeds}/documents`, {})).body
    expect((await ask('PUT', url, content)).status).toBe(200)
    const marketplaceIds = ['A1PA6795UKMFR9']
    const { feedId } = (await ask('POST', `${feeds}/feeds`, { feedType, marketplaceIds, inputFeedDocumentId })).body
    const looks = []
    for (let n = 0; n < 3; n++) looks.push((await ask('GET', `${feeds}/feeds/${feedId}`)).body)
    expect(looks.map((one) => one.processingStatus)).toEqual(['IN_QUEUE', 'IN_PROGRESS', 'DONE'])
    const { url: result } = (await ask('GET', `${feeds}/documents/${looks[2].resultFeedDocumentId}`)).body
    return (await ask('GET', result)).body.summary
  }
  const { stockroom } = simulator.world.shop
  const [variant] = stockroom.product(0)?.variants ?? []
  const message = (sku: string | undefined) => ({
    ...{ sku, operationType: 'PATCH', productType: stockroom.product(0)?.type.toUpperCase() },
    patches: [
      {
        ...{ op: 'replace', path: '/attributes/fulfillment_availability' },
        value: [{ fulfillment_channel_code: 'DEFAULT', quantity: 4321 }],
      },
    ],
  })
  const messages = [message(variant?.sku), message('none')]
  expect(await submit('JSON_LISTINGS_FEED', { messages })).toMatchObject({ messagesAccepted: 1, messagesInvalid: 1 })
  expect(variant?.stock[0]).toBe(4321)
  const order = simulator.truth().find(({ stage }) => stage === 'paid')
  const acknowledgement = `<OrderAcknowledgement><AmazonOrderID>${order?.remote_id}</AmazonOrderID><StatusCode>Failure</StatusCode></OrderAcknowledgement>`
  const envelope = `<AmazonEnvelope><Message>${acknowledgement}</Message></AmazonEnvelope>`
  expect(await submit('POST_ORDER_ACKNOWLEDGEMENT_DATA', envelope)).toMatchObject({ messagesAccepted: 1 })
  expect(simulator.order(order?.remote_id ?? '')?.stage).toBe('cancelled')
  const effects = simulator.ledger().flatMap((entry) => (entry.kind === 'effect' ? [entry.operation] : []))
  expect(effects).toEqual(['inventory.set', 'order.cancel'])
})

test('a listing is made once, then changed', async () => {
  const { simulator, ask } = open()
  const seller = simulator.install.shop.toUpperCase()
  const put = (title: string) =>
    ask('PUT', `${api}/listings/2021-08-01/items/${seller}/NEW-1?marketplaceIds=A1PA6795UKMFR9`, {
      productType: 'LAMP',
      attributes: {
        item_name: [{ value: title }],
        purchasable_offer: [{ our_price: [{ schedule: [{ value_with_tax: 9.9 }] }] }],
      },
    })
  for (const title of ['First', 'Second', 'Second'])
    expect((await put(title)).body).toMatchObject({ status: 'ACCEPTED' })
  expect(simulator.truthOfProducts().at(-1)).toMatchObject({ remote_id: 'NEW-1', title: 'Second' })
  const effects = simulator.ledger().flatMap((entry) => (entry.kind === 'effect' ? [entry.operation] : []))
  expect(effects).toEqual(['product.create', 'product.update'])
})
