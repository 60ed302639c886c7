import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drawLots } from '../../test/support/chance.ts'
import { freePort } from '../../test/support/process.ts'
import { copies, moveSequences } from './copies.ts'
import { folderOf } from './installed.ts'
import type { Json, Peer, Place, RunningPeer, Way } from './peer.ts'
import { logIn, runToEnd, startServer } from './process.ts'

const lots = drawLots('peers: vendure')

export const vendure: Peer = {
  name: 'Vendure',
  folder: 'vendure',
  packageName: '@vendure/core',
  async start(place): Promise<RunningPeer> {
    const port = await freePort()
    const password = randomBytes(16).toString('hex')
    const settings = JSON.stringify({
      ...{ databaseUrl: place.databaseUrl, port, password, cookieSecret: randomBytes(32).toString('hex'), initial },
      products: await writeProducts(place.folder),
    })
    const program = (command: string) => ({
      args: ['server.cjs', command, settings],
      ...{ cwd: folderOf(vendure), env: { VENDURE_DISABLE_TELEMETRY: 'true' }, log: logIn(place.folder, 'vendure') },
    })
    await runToEnd(program('prepare'))
    const base = `http://127.0.0.1:${port}`
    return await startServer(program('serve'), `${base}/health`, () => prepare(`${base}/admin-api`, password, place))
  },
}

async function prepare(url: string, password: string, place: Place): Promise<RunningPeer['ways']> {
  const session = { authorization: `Bearer ${await signIn(url, password)}` }
  const ask = askerOf(url, session)
  const first = Number(await sellOne(ask))
  await fill(place, first)
  const json = { 'content-type': 'application/json' }
  const list = (by: string, headers: Record<string, string>): Way => ({
    ...{ work: 'list', by, url, headers: { ...headers, ...json } },
    next: () => ({ body: listOf(place.perPage) }),
    holds: ({ data }: Json) => data.orders.items.length === place.perPage && data.orders.totalItems === place.orders,
  })
  const bySession = { by: 'session', url, headers: { ...session, ...json } }
  return [
    { ...list('session', session), target: 8 },
    list('API key', { 'vendure-api-key': await makeKey(ask) }),
    {
      ...{ work: 'read', ...bySession },
      next: () => ({ body: orderOf(firstCopy(first) + lots.below(place.orders - 1)) }),
      holds: ({ data }) => data.order.lines.length > 0,
    },
    {
      ...{ work: 'create', ...bySession, by: 'session; an empty draft' },
      next: () => ({ body: JSON.stringify({ query: 'mutation { createDraftOrder { id code state } }' }) }),
      holds: ({ data }) => Number(data.createDraftOrder.id) > 0,
    },
  ]
}

const fields = `id code state currencyCode createdAt updatedAt orderPlacedAt subTotal subTotalWithTax shipping shippingWithTax total totalWithTax
  customer { id firstName lastName emailAddress }
  shippingAddress { fullName streetLine1 city postalCode countryCode phoneNumber }
  billingAddress { fullName streetLine1 city postalCode countryCode }
  lines { id quantity unitPriceWithTax linePriceWithTax productVariant { id sku name } }`

/** Without carts, which stand in the same list. */
const listOf = (perPage: number): string =>
  JSON.stringify({
    query: `{ orders(options: { take: ${perPage}, sort: { id: DESC }, filter: { active: { eq: false } } }) { totalItems items { ${fields} } } }`,
  })

const orderOf = (id: number): string => JSON.stringify({ query: `{ order(id: ${id}) { ${fields} } }` })

type Ask = (query: string) => Promise<Json>

const askerOf =
  (url: string, headers: Record<string, string>): Ask =>
  async (query) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    })
    const text = await answer.text()
    if (!answer.ok || text.includes('"errors":') || text.includes('"errorCode":'))
      throw new Error(`Vendure: ${query}: ${text}`)
    return JSON.parse(text).data
  }

async function signIn(url: string, password: string): Promise<string> {
  const query = `mutation { login(username: "superadmin", password: "${password}") { __typename } }`
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  })
  const token = answer.headers.get('vendure-auth-token')
  if (token === null) throw new Error(`Vendure does not let us in: ${await answer.text()}`)
  return token
}

async function makeKey(ask: Ask): Promise<string> {
  const { roles } = await ask('{ roles { items { id code } } }')
  const role = roles.items.find(({ code }: Json) => code === '__super_admin_role__').id
  const translations = '[{ languageCode: en, name: "Integration" }]'
  const made = await ask(
    `mutation { createApiKey(input: { roleIds: ["${role}"], translations: ${translations} }) { apiKey } }`,
  )
  return made.createApiKey.apiKey
}

/** What a shop has to have before it can sell. */
const initial = {
  ...{ defaultLanguage: 'en', defaultZone: 'Europe', collections: [] },
  countries: [{ code: 'GB', name: 'United Kingdom', zone: 'Europe' }],
  taxRates: [{ name: 'Standard', percentage: 20 }],
  shippingMethods: [{ name: 'Post', price: 500 }],
  paymentMethods: [
    {
      name: 'Dummy',
      handler: { code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
    },
  ],
}

async function writeProducts(folder: string): Promise<string> {
  const path = join(folder, 'products.csv')
  const columns =
    'name,slug,description,assets,facets,optionGroups,optionValues,sku,price,taxCategory,stockOnHand,trackInventory,variantAssets,variantFacets'
  const rows = ['A-1,Kettle', 'B-2,Teapot'].map((each) => {
    const [sku, name] = each.split(',')
    return `${name},${sku},,,,,,${sku},33.20,standard,1000000,false,,`
  })
  await writeFile(path, [columns, ...rows, ''].join('\n'))
  return path
}

/** An order of two lines, paid, made by its own API. */
async function sellOne(ask: Ask): Promise<string> {
  const refusal = '... on ErrorResult { errorCode message }'
  const { productVariants } = await ask('{ productVariants { items { id } } }')
  const { id } = (await ask('mutation { createDraftOrder { id } }')).createDraftOrder
  for (const variant of productVariants.items)
    await ask(
      `mutation { addItemToDraftOrder(orderId: ${id}, input: { productVariantId: ${variant.id}, quantity: 1 }) { __typename ${refusal} } }`,
    )
  const buyer = 'input: { emailAddress: "ada@example.com", firstName: "Ada", lastName: "Lovelace" }'
  await ask(`mutation { setCustomerForDraftOrder(orderId: ${id}, ${buyer}) { __typename ${refusal} } }`)
  const address =
    'input: { fullName: "Ada Lovelace", streetLine1: "12 St James’s Square", city: "London", postalCode: "SW1Y 4JH", countryCode: "GB" }'
  for (const kind of ['Shipping', 'Billing'])
    await ask(`mutation { setDraftOrder${kind}Address(orderId: ${id}, ${address}) { id } }`)
  const { eligibleShippingMethodsForDraftOrder: methods } = await ask(
    `{ eligibleShippingMethodsForDraftOrder(orderId: ${id}) { id } }`,
  )
  await ask(
    `mutation { setDraftOrderShippingMethod(orderId: ${id}, shippingMethodId: ${methods[0].id}) { __typename ${refusal} } }`,
  )
  await ask(`mutation { transitionOrderToState(id: ${id}, state: "ArrangingPayment") { __typename ${refusal} } }`)
  await ask(
    `mutation { addManualPaymentToOrder(input: { orderId: ${id}, method: "dummy", metadata: {} }) { __typename ${refusal} } }`,
  )
  return id
}

/** Ids of copies begin far above whatever the first order and its parts have. */
const stride = 1000
const firstCopy = (id: number) => id * stride + 1

/** Whatever hangs on the order is copied with it. */
async function fill({ client, orders }: Place, first: number): Promise<void> {
  const own = `t.id * ${stride} + n`
  const order = `t."orderId" * ${stride} + n`
  const statements = [
    copies('order', `id = ${first}`, { id: own, code: 't.code || n' }),
    ...['order_line', 'shipping_line', 'payment'].map((table) =>
      copies(table, `"orderId" = ${first}`, { id: `t.id * ${orders} + n`, orderId: order }),
    ),
    copies('order_channels_channel', `"orderId" = ${first}`, { orderId: order }),
  ]
  for (const statement of statements) await client.query(statement, [orders - 1])
  await moveSequences(client)
  await client.query('vacuum analyze')
}
