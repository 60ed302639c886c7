import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { data, rows } from '../integrations/support.ts'
import { type OwnShop, ownOrders, ownService, startOwnShop } from '../support/own-shop.ts'
import { axeViolations } from './support/axe.ts'
import { type Browser, openBrowser } from './support/chromium.ts'
import { openConsole, signIn } from './support/console.ts'
import { openStage, type Stage } from './support/stage.ts'
import { describeByHand, studioHand } from './support/studio-hand.ts'
import { watchPage } from './support/watch.ts'

/** Services of one's own in the console: what was published, and what is entered in their shops. */

let stage: Stage
let browser: Browser
let shop: OwnShop
beforeAll(async () => {
  ;[stage, browser] = [await openStage(), await openBrowser({ width: 1440, height: 900 })]
  shop = await startOwnShop()
})
afterAll(async () => {
  await browser.close()
  await stage.close()
  await shop.close()
})

test('a version is compared with what is published, and published again', async () => {
  const { merchant } = stage
  const definition = ownService({ kind: 'none' })
  const body = { type: 'going-back', name: 'Going back', definition }
  const { id } = data(await merchant.asUser('POST', '/api/1.0/services', body))
  const orders = { ...ownOrders, fields: { ...ownOrders.fields, note: 'state' } }
  await merchant.asUser('PUT', `/api/1.0/services/${id}`, { definition: { ...definition, orders } })
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console/own-services/${id}`)
  await page.getByRole('button', { name: 'Compare version 1 with what is published' }).click()
  await page.getByText('orders.fields.note').waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Publish version 1 again' }).click()
  const versions = async () => rows(await merchant.asUser('GET', `/services/${id}/versions`))
  await expect.poll(async () => (await versions())[0]).toMatchObject({ number: 3, present: true, restored_from: 1 })
  await expect.poll(() => page.getByLabel('Description as JSON').inputValue()).not.toContain('"note"')
  await page.getByText('as version 1').waitFor()
  await page.close()
})

test('a description leaves as a file and comes back from one; what is no description is refused in words', async () => {
  const { merchant } = stage
  const definition = ownService({ kind: 'none' })
  const body = { type: 'goes-about', name: 'Goes about', definition }
  const { id } = data(await merchant.asUser('POST', '/api/1.0/services', body))
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console/own-services/${id}`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('goes-about.json')
  const exported = JSON.parse(await text(await download.createReadStream()))
  expect(exported).toEqual(definition)
  await page.goto(`${stage.origin}/console/own-services/new`)
  const description = page.getByLabel('Description as JSON')
  await description.waitFor()
  const file = (content: string) => ({
    ...{ name: 'service.json', mimeType: 'application/json', buffer: Buffer.from(content) },
  })
  const input = page.locator('input[type=file]')
  await input.setInputFiles(file(JSON.stringify(exported)))
  await expect.poll(async () => JSON.parse(await description.inputValue())).toEqual(definition)
  await input.setInputFiles(file('no description'))
  await page.getByRole('status').filter({ hasText: 'JSON' }).first().waitFor()
  expect(JSON.parse(await description.inputValue())).toEqual(definition)
  await page.close()
})

test('the address for messages and its secret are shown to whoever enters them', async () => {
  const { merchant } = stage
  const definition = ownService(
    { kind: 'none' },
    {
      webhooks: {
        signature: { header: 'X-Signature' },
        ...{ topics: [{ theirs: '*', ours: 'order.updated' }], id: 'id' },
      },
    },
  )
  const service = data(await merchant.asUser('POST', '/api/1.0/services', { type: 'sends', name: 'Sends', definition }))
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  const { id } = data(
    await merchant.asApp('POST', '/sends/install', {
      ...{ name: 'Sends', shop: 'sends.example', remote_id: merchant.remoteId, settings: { base_url: shop.url } },
    }),
  )
  const { page } = await openConsole(browser, stage)
  await page.goto(`${stage.origin}/console/apps/${merchant.appId}/integrations/${id}`)
  await page.getByRole('button', { name: 'Show what to enter in the shop' }).click()
  const { address, secret } = data(await merchant.asApp('PUT', `/integrations/${id}/message-address`, {}))
  await page.getByText(String(address)).waitFor()
  await page.getByText(String(secret)).waitFor()
  expect(await axeViolations(page)).toEqual([])
  await page.close()
})

test('what a draft would change in the orders of a shop is seen before it is published', async () => {
  const { merchant } = stage
  const definition = ownService({ kind: 'none' })
  const service = data(await merchant.asUser('POST', '/api/1.0/services', { type: 'seen', name: 'Seen', definition }))
  await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service['id'] })
  const { id } = data(
    await merchant.asApp('POST', '/seen/install', {
      ...{ name: 'Seen first', shop: 'seen.example', remote_id: merchant.remoteId, settings: { base_url: shop.url } },
    }),
  )
  const stored = async () => rows(await merchant.asApp('GET', `/orders?integration_id=${id}`)).length
  await expect.poll(stored).toBeGreaterThan(0)
  const page = await browser.context.newPage()
  await signIn(page, stage.origin, merchant.email)
  await page.goto(`${stage.origin}/console/own-services/${service['id']}`)
  const orders = { ...ownOrders, fields: { ...ownOrders.fields, shipping_method: { value: 'R-1' } } }
  await page.getByLabel('Description as JSON').fill(JSON.stringify({ ...definition, orders }))
  await page.getByRole('combobox', { name: 'Shop' }).click()
  await page.getByRole('option', { name: /Seen first/ }).click()
  await page.getByRole('button', { name: 'Also ask the shop' }).click()
  await page.getByText('From the shop, now:').waitFor()
  expect(await page.getByText('shipping_method', { exact: true }).count()).toBe(2)
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await page.getByText('This is your draft').waitFor()
  expect(await page.getByLabel('Description as JSON').inputValue()).toContain('R-1')
  await page.getByRole('button', { name: 'Discard the draft' }).click()
  await expect.poll(() => page.getByLabel('Description as JSON').inputValue()).not.toContain('R-1')
  await page.reload()
  await page.getByRole('heading', { name: 'What it would change' }).waitFor()
  expect(await page.getByText('This is your draft').count()).toBe(0)
  const versions = rows(await merchant.asUser('GET', `/services/${service['id']}/versions`))
  expect(versions.map(({ number }) => number)).toEqual([1])
  await page.close()
})

/** Lists as Directus has them: lines are ids until they are asked for. */
function collections() {
  const lines = [1, 2, 3].map((n) => ({ id: n, sku: `A-${n}`, title: `Thing ${n}`, quantity: n, price_cents: 500 }))
  const words = ['new', 'shipped', 'cancelled']
  const orders = lines.map((line, n) => ({
    ...{ id: n + 1, status: words[n], total_cents: line.quantity * 500, lines: [line] },
    ...{ date_created: `2026-11-0${n + 1}T10:00:00Z`, date_updated: null, customer_email: 'ada@example.com' },
    ...{ tracking_number: null, carrier: null },
  }))
  const articles = lines.map(({ id, sku, title, price_cents: price }) => ({
    ...{ id, sku, title, price_cents: price, stock: 5, date_created: '2026-11-01T10:00:00Z', date_updated: null },
  }))
  return { orders, articles }
}

test('a service is described from nothing, by what its own answers suggest', async () => {
  const { orders, articles } = collections()
  const bare = (order: (typeof orders)[number]) => ({ ...order, lines: order.lines.map(({ id }) => id) })
  shop.door = ({ path, query, headers }) => {
    if (headers.authorization !== 'Bearer open-sesame') return { status: 401, body: { errors: [] } }
    const [, , collection, id] = path.split('/')
    const list: readonly { id: number; sku?: string }[] =
      collection === 'articles' ? articles : query['fields'] === '*,lines.*' ? orders : orders.map(bare)
    const one = list.find((record) => String(record.id) === id)
    if (id !== undefined) return one ? { status: 200, body: { data: one } } : { status: 403, body: {} }
    const wanted = list.filter(({ sku }) => (query['filter[sku][_eq]'] ?? sku) === sku)
    const data = Number(query['page'] ?? 1) > 1 ? [] : wanted
    return { status: 200, body: { data, meta: { filter_count: wanted.length } } }
  }
  const page = await browser.context.newPage()
  const { problems } = watchPage(page, [stage.origin])
  await signIn(page, stage.origin, stage.merchant.email)
  await page.goto(`${stage.origin}/console/own-services`)
  const hand = studioHand()
  await describeByHand(page, hand, {
    ...{ address: shop.url, keys: { Token: 'open-sesame' }, orders: '/items/orders', products: '/items/articles' },
    ...{ currency: 'EUR', name: 'By hand', type: 'by-hand' },
  })
  expect(hand.clicks).toBeLessThanOrEqual(40)
  const made = rows(await stage.merchant.asUser('GET', '/api/1.0/services?per_page=100')).find(
    ({ type }) => type === 'by-hand',
  )
  expect(made?.['definition']).toMatchObject({
    orders: {
      list: { query: expect.arrayContaining([{ name: 'fields', value: '*,lines.*' }]) },
      fields: { total: { at: 'total_cents', money: 'minor' } },
      lines: { items: 'lines' },
      cancel: { body: [{ path: 'status', value: 'cancelled' }] },
    },
    inventory: { fields: { available: 'stock' } },
  })
  expect(await axeViolations(page)).toEqual([])
  expect(problems).toEqual([])
  shop.door = () => undefined
  await page.close()
})

test('what opens a service, and how its lists go on, is said in the form and stands in the description', async () => {
  const { page } = await openConsole(browser, stage)
  const { problems } = watchPage(page, [stage.origin])
  await page.goto(`${stage.origin}/console/own-services/new`)
  const written = async () => JSON.parse(await page.getByLabel('Description as JSON').inputValue())
  const hand = studioHand()
  await hand.type(page.getByLabel('Path of its products'), '/products')
  await hand.pick(page.getByLabel('Long lists'), 'Pages by number')
  await hand.type(page.getByLabel('Parameter of the page'), '_page')
  await hand.type(page.getByLabel('Parameter of its size'), '_limit')
  await hand.pick(page.getByLabel('Opened by'), 'Several keys in headers')
  await hand.type(page.getByLabel('Names of the headers'), 'X-App-Id, X-Api-Key')
  await page.getByLabel('X-App-Id').waitFor()
  await page.getByLabel('X-Api-Key').waitFor()
  const paging = { style: 'page', parameter: '_page', size_parameter: '_limit' }
  expect(await written()).toMatchObject({
    orders: { list: { path: '/orders', paging } },
    products: { list: { path: '/products', paging } },
    auth: {
      kind: 'secrets',
      secrets: [
        { name: 'x_app_id', label: 'X-App-Id' },
        { name: 'x_api_key', label: 'X-Api-Key' },
      ],
      send: [
        { in: 'header', name: 'X-App-Id', value: '{x_app_id}' },
        { in: 'header', name: 'X-Api-Key', value: '{x_api_key}' },
      ],
    },
  })
  expect(await axeViolations(page)).toEqual([])
  await hand.pick(page.getByLabel('Long lists'), 'As its answer tells')
  expect((await written()).products.list).toEqual({ path: '/products' })
  expect(problems).toEqual([])
  await page.close()
})
