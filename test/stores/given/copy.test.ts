import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Shop } from '../../../src/commerce/shop.ts'
import { connectors } from '../../../src/connectors/index.ts'
import { testCredentials } from '../../../src/domain/install/install-integration.ts'
import { shopWith } from '../../../src/domain/shop/open-remote.ts'
import { data, type Merchant, makeMerchant, rows } from '../../integrations/support.ts'
import { givenStore, readingOnly } from '../../support/given-stores.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { differences, type RecordsOf } from './whole-order.ts'

/**
 * The whole program on a real store that the environment names. In a store that may not be changed it has no webhooks to
 * register, and asks for nothing that a key for reading does not allow.
 */
const given = [...connectors.values()].flatMap((connector) => {
  const store = givenStore(connector)
  return store ? [{ type: connector.type, connector, store }] : []
})

/** How the shop itself is asked, for platforms where somebody has written that down. */
async function readerOf(type: string): Promise<RecordsOf | null> {
  const file = new URL(`./records-of-${type}.ts`, import.meta.url)
  if (!existsSync(file)) return null
  return ((await import(file.href)) as { recordsOf: RecordsOf }).recordsOf
}

describe.each(given)('a store of $type', ({ type, connector, store }) => {
  let server: TestServer
  let merchant: Merchant
  let path: string
  const measured: string[] = []
  const host = '//entrepot.test/'

  beforeAll(async () => {
    server = await startTestServer({ works: true, egressAllow: [store.url.hostname] })
    if (!store.writes) server.add(readingOnly(connector))
    merchant = await makeMerchant(server)
    await merchant.offer(type)
    path = await install()
  })
  afterAll(async () => {
    await server?.close()
    process.stdout.write(`${[store.url.href, ...measured].join('\n  ')}\n`)
  })

  let shops = 0
  async function install(): Promise<string> {
    const shop = shops++ === 0 ? store.shop : `also-${store.shop}`
    const { settings, credentials } = store
    const installed = data(
      await merchant.asApp('POST', `/${type}/install`, {
        ...{ name: 'Given', shop, remote_id: merchant.remoteId },
        ...{ settings, credentials },
      }),
    )
    expect(installed).toMatchObject({ status: 'ACTIVE' })
    return `/integrations/${installed['id']}`
  }

  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const begun = performance.now()
    const result = await work()
    measured.push(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    return result
  }

  async function run(resource: string, fields: Record<string, unknown>): Promise<Record<string, unknown>> {
    const { id } = data(await merchant.asApp('POST', `${path}/action`, { resource, ...fields }))
    const read = async () => data(await merchant.asApp('GET', `${path}/runs/${id}`))
    await expect.poll(async () => (await read())['finished_at'], { timeout: 500_000, interval: 500 }).not.toBeNull()
    return await read()
  }

  async function held(): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = []
    const id = path.slice(path.lastIndexOf('/') + 1)
    for (let page = 1; ; page++) {
      const read = rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100&page=${page}&sort=id`))
      found.push(...read)
      if (read.length < 100) return found
    }
  }

  test('is copied, wholly', async () => {
    const runs = async () => rows(await merchant.asApp('GET', `${path}/runs`)).map(({ status }) => status)
    const done = Array(3).fill('completed')
    await timed('first copy', () => expect.poll(runs, { timeout: 500_000, interval: 1000 }).toEqual(done))
  })

  test('every field of every order is as the shop tells it', async (context) => {
    const recordsOf = await readerOf(type)
    if (!recordsOf) return context.skip('Nobody has written down how this platform is asked without our connector.')
    const ours = await held()
    const theirs = await timed('orders read from the shop itself', () => recordsOf(store))
    const here = new Map(ours.map((order) => [order['remote_id'], order]))
    measured.push(`orders compared: ${theirs.length}, with ${countOfFields(theirs)} fields`)
    expect(theirs.flatMap((order) => differences(here.get(order.remote_id), order, order.number))).toEqual([])
    expect(ours.length).toBe(theirs.length)
  })

  test('reading everything once more changes nothing', async () => {
    const before = await held()
    for (const resource of ['sync_orders', 'sync_products', 'sync_inventory']) {
      const { status, result } = await timed(`${resource} once more`, () => run(resource, { mode: 'full' }))
      expect([resource, status, result]).toMatchObject([resource, 'completed', { inserted: 0, updated: 0 }])
    }
    expect(await held()).toEqual(before)
  })

  test.runIf(store.writes)('of two integrations one is uninstalled, and the other keeps its webhooks', async () => {
    const registration = connector.webhooks?.registration
    if (registration?.kind !== 'api') return
    const shop = await opened()
    const urls = async () => (await registration.list(shop)).map(({ url }) => url).filter((url) => url.includes(host))
    const countOf = async () => Object.values(Object.groupBy(await urls(), (url) => url)).map((some) => some?.length)
    await expect.poll(countOf, { timeout: 120_000, interval: 1000 }).toHaveLength(1)
    const [own] = await urls()
    const second = await install()
    await expect.poll(countOf, { timeout: 120_000, interval: 1000 }).toHaveLength(2)
    const complete = async () => new Set(await countOf()).size
    await expect.poll(complete, { timeout: 120_000, interval: 1000 }).toBe(1)
    const before = (await urls()).filter((url) => url === own)
    for (const at of [second, path]) {
      expect((await merchant.asApp('PATCH', `${at}/status`, { status: 'UNINSTALLED' })).status).toBe(200)
      await expect.poll(() => farewellOf(at), { timeout: 60_000, interval: 500 }).toBeDefined()
      if (at === second) expect((await urls()).filter((url) => url === own)).toEqual(before)
    }
    // A shop that is too slow for the five seconds of a goodbye keeps some; they go all the same.
    const left = (await registration.list(shop)).filter(({ url }) => url.includes(host))
    measured.push(`webhooks left after two goodbyes: ${left.length}`)
    for (const { remoteId } of left) await registration.remove(shop, remoteId)
  })

  const farewellOf = (at: string) =>
    server.context.db
      .selectFrom('integration_logs')
      .select('message')
      .where('integration_id', '=', Number(at.slice(at.lastIndexOf('/') + 1)))
      .where('event', '=', 'integration.farewell')
      .executeTakeFirst()

  /** The shop, asked directly. */
  async function opened(): Promise<Shop> {
    const facts = { shop: store.shop, settings: store.settings }
    const { settings, credentials } = await testCredentials(server.context, connector, facts, store.credentials)
    return shopWith(server.context, connector, { ...facts, settings }, credentials)
  }
})

const countOfFields = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((count: number, one) => count + countOfFields(one), 0)
    : 1
