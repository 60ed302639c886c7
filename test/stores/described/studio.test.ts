import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { customConnector } from '../../../src/connectors/custom/index.ts'
import { type Browser, openBrowser } from '../../browser/support/chromium.ts'
import { signIn } from '../../browser/support/console.ts'
import { openStage, type Stage } from '../../browser/support/stage.ts'
import { describeByHand, minutesOf, studioHand } from '../../browser/support/studio-hand.ts'
import { data, rows } from '../../integrations/support.ts'
import { givenStore } from '../../support/given-stores.ts'
import { differences } from '../given/whole-order.ts'
import { servers } from './servers.ts'

/** A real Directus, described in the console by somebody who knows where it answers, and nothing else. */

const bearer = customConnector('directus', { origin: { from: 'setting' }, auth: { kind: 'bearer' } })
const store = bearer ? givenStore(bearer) : null

describe.skipIf(!store?.writes)('Directus, described in the studio from nothing', () => {
  let stage: Stage
  let browser: Browser
  beforeAll(async () => {
    ;[stage, browser] = [await openStage(), await openBrowser({ width: 1440, height: 900 })]
  })
  afterAll(async () => {
    await browser?.close()
    await stage?.close()
  })

  test('takes at most 40 clicks and 15 minutes; then orders, products, stock and changes are right', async () => {
    if (!store) throw new Error('Say STORE_DIRECTUS_URL.')
    const { merchant } = stage
    const page = await browser.context.newPage()
    await signIn(page, stage.origin, merchant.email)
    const hand = studioHand()
    await page.goto(`${stage.origin}/console`)
    const begun = performance.now()
    await hand.click(page.getByRole('link', { name: 'Settings', exact: true }))
    await hand.click(page.getByRole('link', { name: 'Own services' }))
    const token = String(store.credentials['token'])
    await describeByHand(page, hand, {
      ...{ address: store.url.href.replace(/\/$/, ''), token, orders: '/items/orders', products: '/items/articles' },
      ...{ currency: 'EUR', name: 'Our Directus', type: 'our-directus' },
    })
    const waited = (performance.now() - begun) / 1000
    const minutes = minutesOf(hand, waited)
    process.stdout.write(
      `${hand.clicks} clicks, ${hand.keys} keys, ${waited.toFixed(0)} s of a machine, ${minutes.toFixed(1)} min of a person\n`,
    )
    expect(hand.clicks).toBeLessThanOrEqual(40)
    expect(minutes).toBeLessThanOrEqual(15)

    const [service] = rows(await merchant.asUser('GET', '/api/1.0/services?per_page=100')).filter(
      ({ type }) => type === 'our-directus',
    )
    await merchant.asUser('POST', `/apps/${merchant.appId}/services`, { service_id: service?.['id'] })
    const { id } = data(
      await merchant.asApp('POST', '/our-directus/install', {
        ...{ name: 'Directus', shop: store.shop, remote_id: merchant.remoteId, credentials: { token } },
        settings: { base_url: store.url.href.replace(/\/$/, '') },
      }),
    )
    const runs = async () => rows(await merchant.asApp('GET', `/integrations/${id}/runs`)).map(({ status }) => status)
    await expect.poll(runs, { timeout: 300_000, interval: 500 }).toEqual(Array(3).fill('completed'))

    const theirs = (await servers['directus']?.(store)) ?? { orders: [], products: [], levels: [] }
    const held: Record<string, unknown>[] = []
    for (let n = 1; n === 1 || held.length === (n - 1) * 100; n++) {
      held.push(...rows(await merchant.asApp('GET', `/orders?integration_id=${id}&per_page=100&sort=id&page=${n}`)))
    }
    const ours = new Map(held.map((order) => [order['remote_id'], order]))
    const told = theirs.orders.map(({ tracking: _, ...order }) => order)
    expect(told.flatMap((order) => differences(ours.get(order.remote_id), order, order.remote_id))).toEqual([])
    expect(held.length).toBe(told.length)
    const count = async (table: 'products' | 'inventory') =>
      Number(
        (
          await stage.server.context.db
            .selectFrom(table)
            .select(({ fn }) => fn.countAll().as('n'))
            .where('integration_id', '=', Number(id))
            .executeTakeFirstOrThrow()
        ).n,
      )
    expect([await count('products'), await count('inventory')]).toEqual([theirs.products.length, theirs.levels.length])

    const act = (resource: string, fields: object) =>
      merchant.asApp('POST', `/integrations/${id}/action`, { resource, ...fields })
    const [sent, gone] = theirs.orders.filter(({ status, tracking }) => status === 'PENDING' && tracking === null)
    const [level] = theirs.levels
    if (!sent || !gone || !level) throw new Error('The server has too few open orders.')
    const parcel = { order_remote_id: sent.remote_id, tracking_number: `STUDIO-${sent.remote_id}`, carrier: 'Post' }
    data(await act('create_shipment', parcel))
    data(await act('cancel_order', { remote_id: gone.remote_id }))
    for (const quantity of [777, level.available]) {
      expect(data(await act('set_inventory', { items: [{ sku: level.sku, quantity }] }))).toMatchObject([{ ok: true }])
      expect((await servers['directus']?.(store))?.levels).toContainEqual({ sku: level.sku, available: quantity })
    }
    const now = (await servers['directus']?.(store))?.orders ?? []
    expect(now.find((one) => one.remote_id === sent.remote_id)).toMatchObject({
      status: 'SHIPPED',
      tracking: parcel.tracking_number,
    })
    expect(now.find((one) => one.remote_id === gone.remote_id)).toMatchObject({ status: 'CANCELLED' })
  })
})
