import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { data, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import type { Floor } from './floors.ts'

interface Shared {
  floor: Floor
  id: number
  /** The article of this store that all of them share, and where it is told. */
  sku: string
  location: string
}

/**
 * One stock over real stores: our whole program on one side, on the other buyers who shop by the store's own API, and what the store's own records say is left.
 * They sell different things in fact; a file says which of them are the same here.
 */
export function shareStock(open: () => Promise<{ floors: readonly Floor[]; close(): Promise<void> }>): void {
  let server: TestServer
  let merchant: Merchant
  let close: () => Promise<void> = async () => undefined
  const shared: Shared[] = []
  const measured: string[] = []
  const waiting = { timeout: 240_000, interval: 500 }

  beforeAll(async () => {
    const opened = await open()
    close = opened.close
    const hosts = opened.floors.map(({ address }) => new URL(address).hostname)
    server = await startTestServer({ works: true, egressAllow: [...new Set(hosts)] })
    merchant = await makeMerchant(server)
    for (const floor of opened.floors) shared.push(await install(floor))
    data(await merchant.asAccount('PUT', '/stock', {}))
    for (const { id, location } of shared) data(await merchant.asAccount('PUT', `/stock/shops/${id}`, { location }))
  })
  afterAll(async () => {
    if (server) data(await merchant.asAccount('PUT', '/stock', { mode: 'off' }))
    await server?.close()
    await close()
    const names = shared.map(({ floor }) => `${floor.type} ${floor.version ?? ''}`.trim())
    process.stdout.write(`${[`one stock: ${names.join(', ')}`, ...measured].join('\n  ')}\n`)
  })

  async function install(floor: Floor): Promise<Shared> {
    await merchant.offer(floor.type)
    const installed = data(
      await merchant.asApp('POST', `/${floor.type}/install`, {
        ...{ name: 'Real', shop: `real-${floor.type}.example.com`, remote_id: merchant.remoteId },
        ...{ settings: floor.settings, credentials: floor.credentials },
      }),
    )
    const id = Number(installed['id'])
    const runs = async () => rows(await merchant.asApp('GET', `/integrations/${id}/runs`)).map(({ status }) => status)
    const isRead = async () => (await runs()).filter((status) => status === 'completed').length >= 3
    await vi.waitUntil(isRead, waiting)
    const levels = await floor.levels()
    const one = levels.find(
      ({ sku, available }) => available >= 20 && levels.filter((level) => level.sku === sku).length === 1,
    )
    if (!one) throw new Error(`${floor.type} sells nothing of which twenty are there, at one place.`)
    return { floor, id, sku: one.sku, location: one.location }
  }

  const left = async () =>
    await Promise.all(
      shared.map(
        async ({ floor, sku, location }) =>
          (await floor.levels()).find((level) => level.sku === sku && level.location === location)?.available,
      ),
    )
  async function allShow(quantity: number, what: string) {
    const begun = performance.now()
    await expect.poll(left, waiting).toEqual(shared.map(() => quantity))
    measured.push(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`)
  }

  test('a file says which articles are the same, and switched on every store shows what is there', async () => {
    const lines = shared.map(({ id, sku }) => `POOLED,${id},"${sku.replaceAll('"', '""')}"`)
    const csv = ['sku,integration_id,shop_sku', ...lines].join('\n')
    expect(data(await merchant.asAccount('POST', '/stock/articles/import', { csv }))).toEqual({
      ...{ rows: shared.length, articles: 1, links: shared.length, errors: [] },
    })
    const movements = [{ key: 'opening', kind: 'count', sku: 'POOLED', quantity: 12 }]
    data(await merchant.asAccount('POST', '/stock/movements', { movements }))
    const before = await left()
    expect(before).not.toEqual(shared.map(() => 12))
    data(await merchant.asAccount('PUT', '/stock', { mode: 'on' }))
    // Orders that were open before hold some of it back, and stay out of this.
    const [article] = rows(await merchant.asAccount('GET', '/stock/articles?filter[sku]=POOLED'))
    const held = Number(article?.['reserved'])
    if (held > 0) {
      const more = [{ key: 'for open orders', kind: 'purchase', sku: 'POOLED', quantity: held }]
      data(await merchant.asAccount('POST', '/stock/movements', { movements: more }))
    }
    await allShow(12, 'switched on, all stores right')
  })

  test('a sale in each of them is seen in the others, by their own records', async () => {
    let there = 12
    for (const { floor, sku } of shared) {
      await floor.buy(sku, 2)
      there -= 2
      await allShow(there, `a sale in ${floor.type} seen everywhere`)
    }
  })

  test('what one has sold to the last piece, the others no longer sell', async () => {
    const [first, ...others] = shared
    const [there = 0] = await left()
    await first?.floor.buy(first.sku, there)
    await allShow(0, 'the last piece gone everywhere')
    for (const { floor, sku } of others) await expect(floor.buy(sku, 1)).rejects.toThrow()
    const [article] = rows(await merchant.asAccount('GET', '/stock/articles?filter[sku]=POOLED'))
    expect(article).toMatchObject({ available: 0 })
  })
}
