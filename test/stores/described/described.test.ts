import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Definition } from '../../../src/commerce/definition/definition.ts'
import { customConnector } from '../../../src/connectors/custom/index.ts'
import { data, type Merchant, makeMerchant } from '../../integrations/support.ts'
import { givenStore } from '../../support/given-stores.ts'
import { startTestServer, type TestServer } from '../../support/server.ts'
import { comparedWith, installed, runsOf } from './held.ts'
import { servers, type TrueOrder } from './servers.ts'

/** Descriptions of the library on real servers that the environment names, beside what these say themselves. */

const folder = join(import.meta.dirname, '../../../docs/descriptions')
const all = await Promise.all(
  Object.keys(servers).map(async (type) => {
    const { definition } = JSON.parse(await readFile(join(folder, `${type}.json`), 'utf8')) as {
      definition: Definition
    }
    const connector = customConnector(type, definition)
    const store = connector ? givenStore(connector) : null
    return { type, definition, store }
  }),
)
const given = all.flatMap(({ store, ...one }) => (store ? [{ ...one, store }] : []))

describe.each(given)('a server of $type', ({ type, definition, store }) => {
  const truth = async () => (await servers[type]?.(store)) ?? { orders: [], products: [], levels: [] }
  let server: TestServer
  let merchant: Merchant
  let id: number
  const measured: string[] = []

  beforeAll(async () => {
    server = await startTestServer({ works: true, egressAllow: [store.url.hostname] })
    merchant = await makeMerchant(server)
  })
  afterAll(async () => {
    await server?.close()
    process.stdout.write(`${[`${type} ${store.url.href}`, ...measured].join('\n  ')}\n`)
  })

  const act = (resource: string, fields: object) =>
    merchant.asApp('POST', `/integrations/${id}/action`, { resource, ...fields })

  test('may be tried, all of it, without a failure', async () => {
    const { settings, credentials } = store
    const body = { definition, settings: { base_url: store.url.href, ...settings }, credentials, whole: true }
    const report = data(await merchant.asUser('POST', '/services/try', body))
    const failed = (report['steps'] as { state: string }[]).filter(({ state }) => state === 'failed')
    expect([report['mistakes'], failed]).toEqual([[], []])
    expect(report['ok']).toBe(true)
  })

  test('is copied: orders, products and stock are what the server has', async () => {
    const service = data(
      await merchant.asUser('POST', '/api/1.0/services', { type: `my-${type}`, name: type, definition }),
    )
    const { shop, credentials } = store
    const settings = { base_url: store.url.href, ...store.settings }
    id = await installed(merchant, `my-${type}`, service['id'], { name: type, shop, credentials, settings })
    const begun = performance.now()
    const runs = () => runsOf(merchant, id)
    await expect.poll(runs, { timeout: 500_000, interval: 500 }).toEqual(Array(3).fill('completed'))
    measured.push(`first copy: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
    const { ours, theirs, different, words } = await comparedWith(await truth(), { server, merchant, id })
    expect(different).toEqual([])
    expect(ours).toEqual(theirs)
    measured.push(words)
  })

  test('is followed: what is read again changes nothing, what changed is found', async () => {
    const { id: run } = data(await act('sync_orders', {}))
    const read = async () => data(await merchant.asApp('GET', `/integrations/${id}/runs/${run}`))
    await expect.poll(async () => (await read())['finished_at'], { timeout: 300_000 }).not.toBeNull()
    expect(await read()).toMatchObject({ status: 'completed', result: { inserted: 0, updated: 0, set_aside: 0 } })
  })

  test.runIf(store.writes)('is written to: a parcel, a cancellation and a level', async () => {
    const before = await truth()
    const open = before.orders.filter(({ status, tracking }) => status === 'PENDING' && tracking === null).toReversed()
    const [sent, gone] = open
    if (!sent || !gone) throw new Error('The server has too few open orders.')
    const now = async ({ remote_id: remoteId }: TrueOrder) =>
      (await truth()).orders.find((order) => order.remote_id === remoteId)
    const parcel = { order_remote_id: sent.remote_id, tracking_number: `ENTREPOT-${sent.remote_id}`, carrier: 'Post' }
    expect(data(await act('create_shipment', parcel))).toMatchObject({ tracking_number: parcel.tracking_number })
    expect(await now(sent)).toMatchObject({ status: 'SHIPPED', tracking: parcel.tracking_number })
    expect(data(await act('cancel_order', { remote_id: gone.remote_id, reason: 'Test' }))).toMatchObject({
      status: 'CANCELLED',
    })
    expect(await now(gone)).toMatchObject({ status: 'CANCELLED' })
    const [level] = before.levels
    if (!level) throw new Error('The server has no articles.')
    for (const quantity of [4321, level.available]) {
      const items = [{ sku: level.sku, quantity }]
      expect(data(await act('set_inventory', { items }))).toMatchObject([{ sku: level.sku, ok: true }])
      expect((await truth()).levels).toContainEqual({ sku: level.sku, available: quantity })
    }
    measured.push('a parcel, a cancellation and a level, each as the server tells it afterwards')
  })
})
