import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '../../../src/commerce/definition/definition.ts'
import { customConnector } from '../../../src/connectors/custom/index.ts'
import { type Browser, openBrowser } from '../../browser/support/chromium.ts'
import { signIn } from '../../browser/support/console.ts'
import { openStage, type Stage } from '../../browser/support/stage.ts'
import { describeByHand, minutesOf, studioHand, type Wanted } from '../../browser/support/studio-hand.ts'
import { data, rows } from '../../integrations/support.ts'
import { type GivenStore, givenStore } from '../../support/given-stores.ts'
import { comparedWith, installed, runsOf } from './held.ts'
import { servers } from './servers.ts'

/** Real servers, described in the console by somebody who knows where each answers and how it is opened, and nothing else. */

interface Person {
  /** What is typed and picked. */
  says: Pick<Wanted, 'orders' | 'products' | 'further'>
  /** What opens it: the label of its field in the studio, the name that a merchant's key has then, and what it is in the environment. */
  keys: readonly [label: string, name: string, given: string][]
}

const people: Readonly<Record<string, Person>> = {
  directus: {
    says: { orders: '/items/orders', products: '/items/articles' },
    keys: [['Token', 'token', 'token']],
  },
  dolibarr: {
    says: {
      ...{ orders: '/orders', products: '/products' },
      further: [
        { at: 'Opened by', pick: 'A key in a header' },
        { at: 'Name of the key', type: 'DOLAPIKEY' },
      ],
    },
    keys: [['API key', 'api_key', 'api_key']],
  },
  'json-server': {
    says: {
      ...{ orders: '/orders', products: '/products' },
      further: [
        { at: 'Long lists', pick: 'Pages by number' },
        { at: 'Parameter of the page', type: '_page' },
        { at: 'Parameter of its size', type: '_limit' },
        { at: 'Opened by', pick: 'Nothing' },
      ],
    },
    keys: [],
  },
  parse: {
    says: {
      ...{ orders: '/classes/Order', products: '/classes/Article' },
      further: [
        { at: 'Opened by', pick: 'Several keys in headers' },
        { at: 'Names of the headers', type: 'X-Parse-Application-Id, X-Parse-REST-API-Key' },
      ],
    },
    keys: [
      ['X-Parse-Application-Id', 'x_parse_application_id', 'application_id'],
      ['X-Parse-REST-API-Key', 'x_parse_rest_api_key', 'rest_api_key'],
    ],
  },
}

/** The library tells only which keys the environment may name. */
async function storeOf(type: string): Promise<GivenStore | null> {
  const file = join(import.meta.dirname, '../../../docs/descriptions', `${type}.json`)
  const { definition } = JSON.parse(await readFile(file, 'utf8')) as { definition: Definition }
  const connector = customConnector(type, { origin: { from: 'setting' }, auth: definition.auth })
  return connector ? givenStore(connector) : null
}

const found = await Promise.all(
  Object.entries(people).map(async ([type, person]) => ({ type, person, store: await storeOf(type) })),
)
const given = found.flatMap(({ store, ...one }) => (store?.writes ? [{ ...one, store }] : []))

describe.each(given)('$type, described in the studio from nothing', ({ type, person, store }) => {
  let stage: Stage
  let browser: Browser
  beforeAll(async () => {
    ;[stage, browser] = [await openStage(), await openBrowser({ width: 1440, height: 900 })]
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })
  const truth = async () => (await servers[type]?.(store)) ?? { orders: [], products: [], levels: [] }
  const address = store.url.href.replace(/\/$/, '')

  test('takes at most 40 clicks and 15 minutes; then orders, products, stock and changes are right', async () => {
    const { merchant, server } = stage
    const page = await browser.context.newPage()
    await signIn(page, stage.origin, merchant.email)
    const hand = studioHand()
    await page.goto(`${stage.origin}/console`)
    const begun = performance.now()
    await hand.click(page.getByRole('link', { name: 'Settings', exact: true }))
    await hand.click(page.getByRole('link', { name: 'Own services' }))
    const key = (name: string) => String(store.credentials[name])
    await describeByHand(page, hand, {
      ...{ ...person.says, address, currency: 'EUR', name: `Our ${type}`, type: `our-${type}` },
      keys: Object.fromEntries(person.keys.map(([label, , name]) => [label, key(name)])),
    })
    const waited = (performance.now() - begun) / 1000
    const minutes = minutesOf(hand, waited)
    process.stdout.write(
      `${type}: ${hand.clicks} clicks, ${hand.keys} keys, ${waited.toFixed(0)} s of a machine, ${minutes.toFixed(1)} min of a person\n`,
    )
    expect(hand.clicks).toBeLessThanOrEqual(40)
    expect(minutes).toBeLessThanOrEqual(15)

    const [service] = rows(await merchant.asUser('GET', '/api/1.0/services?per_page=100')).filter(
      (one) => one['type'] === `our-${type}`,
    )
    const id = await installed(merchant, `our-${type}`, service?.['id'], {
      ...{ name: type, shop: store.shop, settings: { base_url: address } },
      credentials: Object.fromEntries(person.keys.map(([, own, name]) => [own, key(name)])),
    })
    const runs = () => runsOf(merchant, id)
    await expect.poll(runs, { timeout: 300_000, interval: 500 }).toEqual(Array(3).fill('completed'))
    const before = await truth()
    const { ours, theirs, different, words } = await comparedWith(before, { server, merchant, id })
    expect(different).toEqual([])
    expect(ours).toEqual(theirs)
    process.stdout.write(`${type}: ${words}\n`)

    const act = (resource: string, fields: object) =>
      merchant.asApp('POST', `/integrations/${id}/action`, { resource, ...fields })
    const [sent, gone] = before.orders.filter(({ status, tracking }) => status === 'PENDING' && tracking === null)
    const [level] = before.levels
    if (!sent || !gone || !level) throw new Error('The server has too few open orders.')
    const parcel = { order_remote_id: sent.remote_id, tracking_number: `STUDIO-${sent.remote_id}`, carrier: 'Post' }
    data(await act('create_shipment', parcel))
    data(await act('cancel_order', { remote_id: gone.remote_id }))
    for (const quantity of [777, level.available]) {
      expect(data(await act('set_inventory', { items: [{ sku: level.sku, quantity }] }))).toMatchObject([{ ok: true }])
      expect((await truth()).levels).toContainEqual({ sku: level.sku, available: quantity })
    }
    const now = (await truth()).orders
    expect(now.find((one) => one.remote_id === sent.remote_id)).toMatchObject({
      status: 'SHIPPED',
      tracking: parcel.tracking_number,
    })
    expect(now.find((one) => one.remote_id === gone.remote_id)).toMatchObject({ status: 'CANCELLED' })
  })
})
