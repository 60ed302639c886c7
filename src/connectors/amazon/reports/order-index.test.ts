import { describe, expect, test } from 'vitest'
import { type ImitationOptions, openImitation } from '../../../../test/support/imitation.ts'
import { whatDoesNotAddUp } from '../../../../test/support/totals.ts'
import type { IndexItem, IndexPage, RawPage } from '../../../commerce/connector/reads.ts'
import type { RemoteOrder } from '../../../commerce/order.ts'
import { inMicroseconds } from '../../../simulator/clock.ts'
import { amazon } from '../index.ts'
import { orders } from '../orders.ts'
import type { Credentials, Settings } from '../settings.ts'
import { ordersIn } from './order-index.ts'

const daySeconds = 86_400

function open(options: ImitationOptions = {}) {
  const imitation = openImitation<Settings, Credentials>(amazon, { orders: 80, ...options })
  const { simulator, shop } = imitation
  const daysAgo = (days: number) => inMicroseconds(simulator.world.clock.now() - days * daySeconds * 1_000_000)
  /** All pages, as a comparison asks for them: its window ends a day late. */
  const index = async (days: number, each: (item: IndexItem) => void = () => {}) => {
    const found = new Map<string, string>()
    const window = { from: daysAgo(days), to: daysAgo(-1) }
    for (let cursor: string | null = null; ; ) {
      const page: IndexPage | undefined = await orders.index?.(shop, { ...window, cursor })
      for (const item of page?.items ?? []) {
        found.set(item.remoteId, item.version)
        each(item)
      }
      cursor = page?.next ?? null
      if (cursor === null) return found
    }
  }
  const listed = async (days: number) => {
    const found = new Map<string, string>()
    for (let cursor: string | null = null; ; ) {
      const query = { updatedSince: daysAgo(days), statuses: [], cursor, limit: 100 }
      const page: RawPage = await orders.list(shop, query)
      for (const raw of page.items) {
        const order = orders.translate(raw, shop)
        found.set(order.remote_id, order.remote_version)
      }
      cursor = page.next
      if (cursor === null) return found
    }
  }
  return { ...imitation, index, listed }
}

describe('ids and versions of orders', () => {
  test.each([{}, { settings: { fulfilled_by: 'all' } }, { settings: { fulfilled_by: 'amazon' } }])(
    'are in reports what they are in the list: %o',
    async (options) => {
      const { index, listed, asked } = open({ ...options, variant: { fulfilled_by: 'both' } })
      const wanted = await listed(400)
      asked.length = 0
      expect(await index(400)).toEqual(wanted)
      expect(wanted.size).toBeGreaterThan(1)
      expect(asked.some(({ request }) => request.path.startsWith('/orders/'))).toBe(false)
    },
  )

  test('are asked for by the week at first, the latest one first, then by as much as makes a file', async () => {
    const { index, asked, simulator } = open()
    const days = () =>
      asked.flatMap(({ request: { method, body } }) => {
        if (method !== 'POST') return []
        const { dataStartTime: from, dataEndTime: until } = Object(body)
        const end = until === undefined ? simulator.world.clock.now() / 1000 : Date.parse(until)
        return [Math.round((end - Date.parse(from)) / (daySeconds * 1000))]
      })
    await index(60)
    expect(days()).toEqual([7, 30, 23])
    asked.length = 0
    simulator.change({ new_orders: 4800 })
    await index(30)
    expect(days()).toEqual([7, 5, 18])
  })

  test('come with an outline of the order: the same words, goods and sums, and nobody who bought', async () => {
    const { shop, index, simulator } = open({ settings: { fulfilled_by: 'all' }, variant: { fulfilled_by: 'both' } })
    // Its first orders are of certain days, and further back each time that this is run.
    simulator.change({ new_orders: 20 })
    const outlines = new Map<string, RemoteOrder>()
    await index(400, ({ remoteId, outline }) => outlines.set(remoteId, orders.translate(outline, shop)))
    expect(outlines.size).toBeGreaterThan(10)
    for (const [id, outline] of outlines) {
      const whole = orders.translate(await orders.get(shop, id), shop)
      const told = ({ lines, ...order }: RemoteOrder) => ({
        ...{ id: order.remote_id, status: order.status, word: order.remote_status, total: order.total },
        ...{ placed: order.placed_at, payment: order.payment_status, by: order.fulfilled_by },
        lines: lines.map(({ sku, title, quantity }) => ({ sku, title, quantity })),
      })
      expect(told(outline)).toEqual(told(whole))
      expect(whatDoesNotAddUp(outline)).toEqual([])
      expect(outline).toMatchObject({ incomplete: true, customer: null, shipping_address: null })
      expect(outline.remote_version < whole.remote_version).toBe(true)
      expect(whole.incomplete).toBe(false)
    }
  })

  test('no further back than orders are told', async () => {
    const { index, asked } = open()
    await index(20 * 365)
    expect(asked.filter(({ request }) => request.method === 'POST').length).toBeLessThanOrEqual(105)
  })

  test('are waited for, and the report that was ordered is the one that is read', async () => {
    const { shop, simulator, asked } = open({ variant: { report_delay: 'yes' } })
    simulator.change({ new_orders: 3 })
    simulator.advance(1)
    const now = simulator.world.clock.now()
    const window = { from: inMicroseconds(now - 1e9), to: inMicroseconds(now + daySeconds * 1e6) }
    const { next: cursor } = (await orders.index?.(shop, { ...window, cursor: null })) ?? { next: null }
    const again = () => orders.index?.(shop, { ...window, cursor })
    await expect(again()).rejects.toMatchObject({ kind: 'upstream_retryable', retryAfterSeconds: 60 })
    simulator.advance(200)
    expect((await again())?.items).toHaveLength(3)
    expect(asked.filter(({ request }) => request.method === 'POST')).toHaveLength(1)
  })

  test('that nobody is told of are nothing; a report that fails is said', async () => {
    const { shop } = open({
      before: ({ request }) => {
        const status = request.path.endsWith('/1') ? 'CANCELLED' : 'FATAL'
        return request.path.startsWith('/reports/2021-06-30/reports/')
          ? { status: 200, headers: {}, body: { processingStatus: status } }
          : null
      },
    })
    const at = (cursor: string) =>
      orders.index?.(shop, { from: '2026-11-01T00:00:00Z', to: '2026-11-08T00:00:00Z', cursor })
    expect(await at('2026-11-01T00:00:00  1')).toEqual({ items: [], next: null })
    await expect(at('2026-11-01T00:00:00  2')).rejects.toMatchObject({ kind: 'upstream_refused' })
    await expect(at('anything')).rejects.toMatchObject({ message: 'Invalid cursor.' })
  })

  test('of a file: one for all lines of an order, none that was sold elsewhere', () => {
    const head = 'amazon-order-id\tsku\tlast-updated-date\tfulfillment-channel\tsales-channel'
    const rows = [
      '302-1\tA\t2026-11-14T10:00:00+00:00\tMerchant\tAmazon.de',
      '302-1\tB\t2026-11-14T10:00:00+00:00\tMerchant\tAmazon.de',
      '302-2\tA\t2026-11-14T11:00:00+01:00\tAmazon\tAmazon.de',
      'S01-3\tA\t2026-11-14T10:00:00+00:00\tAmazon\tNon-Amazon',
    ]
    const facts = (by: Settings['fulfilled_by']) => ({
      shop: 'a',
      settings: { marketplace: 'DE' as const, ...(by && { fulfilled_by: by }) },
    })
    const read = (by?: Settings['fulfilled_by']) => ordersIn([head, ...rows, ''].join('\r\n'), facts(by))
    expect(read('all')).toMatchObject([
      { remoteId: '302-1', version: '2026-11-14T10:00:00.000000Z' },
      { remoteId: '302-2', version: '2026-11-14T10:00:00.000000Z' },
    ])
    expect(read().map(({ remoteId }) => remoteId)).toEqual(['302-1'])
    expect(read('amazon').map(({ remoteId }) => remoteId)).toEqual(['302-2'])
    expect(() => ordersIn('order\tdate\n', facts('all'))).toThrow('no column "amazon-order-id"')
  })
})
