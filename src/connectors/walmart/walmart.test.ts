import { describe, expect, test } from 'vitest'
import { scriptedShop } from '../../../test/support/connector-shop.ts'
import { type ImitationOptions, openImitation } from '../../../test/support/imitation.ts'
import type { RawPage } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsIn, recordsIn } from '../../commerce/reading.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { inMicroseconds, toSecond } from '../../simulator/clock.ts'
import type { TruthOrder } from '../../simulator/truth.ts'
import { acknowledgement } from './acknowledge-orders.ts'
import { walmart } from './index.ts'
import { orders } from './orders.ts'
import type { Credentials, Settings } from './settings.ts'
import { shipments } from './shipments.ts'
import { parcelsIn } from './translate-order.ts'

const facts: { shop: string; settings: Settings } = { shop: '100009.walmart.com', settings: {} }
const credentials = { client_id: 'id', client_secret: 'secret', access_token: 'token' }
const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }
const operation = { id: 'x' }

const scripted = (...answers: Partial<RemoteAnswer>[]) =>
  scriptedShop<Settings, Credentials>(walmart, { facts, credentials }, answers)

function open(options: ImitationOptions = {}) {
  const imitation = openImitation<Settings, Credentials>(walmart, options)
  const used = new Set<string>()
  /** Another one each time. */
  const find = (wanted: (order: TruthOrder) => boolean): string => {
    const found = imitation.simulator.truth().find((one) => !used.has(one.remote_id) && wanted(one))
    if (!found) throw new Error('No order is left.')
    used.add(found.remote_id)
    return found.remote_id
  }
  const openOrder = () => find(({ stage, acknowledged, lines }) => stage === 'paid' && !acknowledged && lines > 1)
  return { ...imitation, find, openOrder }
}

const each = (amount: number) => ({ unitOfMeasurement: 'EACH', amount: String(amount) })
const dollars = (amount: number) => ({ currency: 'USD', amount })

/** Two lines of 12.50 each, the first of them twice, as Walmart reports them. */
const rawOrder = (...statuses: readonly string[]) => ({
  purchaseOrderId: '1796000000000',
  customerOrderId: '5281000000000',
  customerEmailId: '0@relay.walmart.com',
  orderType: 'REGULAR',
  orderDate: Date.UTC(2026, 8, 1),
  shippingInfo: {
    phone: '3155550100',
    methodCode: 'Value',
    postalAddress: { name: 'Ada Byron', address1: 'Dock 1', city: 'Warners', state: 'NY', country: 'USA' },
  },
  orderLines: {
    orderLine: statuses.map((status, n) => ({
      lineNumber: String(n + 1),
      item: { productName: `Thing ${n + 1}`, sku: `SKU-${n + 1}` },
      charges: {
        charge: [
          {
            ...{ chargeType: 'PRODUCT', chargeName: 'ItemPrice', chargeAmount: dollars(12.5 * (2 - n)) },
            tax: { taxName: 'Tax1', taxAmount: dollars(0.8) },
          },
          { chargeType: 'SHIPPING', chargeName: 'Shipping', chargeAmount: dollars(3.1) },
        ],
      },
      orderLineQuantity: each(2 - n),
      statusDate: Date.UTC(2026, 8, 2),
      orderLineStatuses: {
        orderLineStatus: [
          {
            ...{ status, statusQuantity: each(2 - n) },
            ...(status === 'Shipped' || status === 'Delivered'
              ? { trackingInfo: { carrierName: { carrier: 'USPS' }, trackingNumber: 'TRACK-1' } }
              : {}),
          },
        ],
      },
    })),
  },
})

const usd = (amount: string) => ({ amount, currency: 'USD' })

describe('orders', () => {
  const page = (total: number, rows: readonly Fields[] = [], more: Fields = {}) => ({
    headers: { date: 'Sun, 15 Nov 2026 00:00:00 GMT' },
    body: { list: { meta: { totalCount: total, limit: 20, ...more }, elements: { order: rows } } },
  })

  test('are asked for since long ago, not for seven days, and a second early', async () => {
    const { shop, asked } = scripted(page(0))
    await orders.list(shop, { ...query, updatedSince: '2026-11-14T10:00:00.123456Z' })
    expect(asked[0]?.request.query).toMatchObject({
      createdStartDate: '2013-01-01T00:00:00Z',
      lastModifiedStartDate: '2026-11-14T09:59:59Z',
      shipNodeType: 'SellerFulfilled',
      limit: 20,
    })
  })

  test('are paged by the query that a page names as the next', async () => {
    const nextCursor =
      '?limit=10&hasMoreElements=true&soIndex=31&poIndex=10&createdStartDate=2013-08-16&createdEndDate=2019-09-17T18:47:03.703Z'
    const { shop, asked } = scripted(page(31, [rawOrder('Created')], { nextCursor }), page(31))
    const { next } = await orders.list(shop, query)
    expect((await orders.list(shop, { ...query, cursor: next })).next).toBeNull()
    expect(asked[1]?.request.query).toEqual({
      limit: '10',
      hasMoreElements: 'true',
      soIndex: '31',
      poIndex: '10',
      createdStartDate: '2013-08-16',
      createdEndDate: '2019-09-17T18:47:03.703Z',
    })
    await expect(orders.list(shop, { ...query, cursor: 'anything' })).rejects.toMatchObject({
      kind: 'upstream_refused',
    })
  })

  test('more than ten thousand are read window by window, which share a second', async () => {
    const { shop, asked } = scripted(page(12_000), page(6000), page(10_500), page(5000), page(5000))
    const spans: unknown[] = []
    let cursor: string | null = null
    do {
      cursor = (await orders.list(shop, { ...query, cursor })).next
      const { createdStartDate: from, createdEndDate: to } = asked.at(-1)?.request.query ?? {}
      spans.push([from, to])
    } while (cursor !== null)
    expect(spans).toEqual([
      ['2013-01-01T00:00:00Z', null],
      ['2026-05-19T00:00:00Z', '2026-08-17T00:00:00Z'],
      ['2026-08-16T23:59:59Z', null],
      ['2026-08-16T23:59:59Z', '2026-09-30T23:59:59Z'],
      ['2026-09-30T23:59:58Z', null],
    ])
  })

  test('that are refused for being too many are asked for in smaller windows', async () => {
    const refusal = { ...page(0), status: 400, body: { errors: [{ code: 'INVALID', description: 'Too many.' }] } }
    const { shop, asked } = scripted(refusal, page(1, [rawOrder('Created')]))
    const { next, items } = await orders.list(shop, query)
    expect(items).toEqual([])
    expect((await orders.list(shop, { ...query, cursor: next })).items).toHaveLength(1)
    // What is older than half a year is not told, and may be what is refused.
    const half = { createdStartDate: '2026-05-19T00:00:00Z', createdEndDate: '2026-08-17T00:00:00Z' }
    expect(asked[1]?.request.query).toMatchObject(half)
  })

  test('that are older than Walmart tells are not expected', () => {
    expect(walmart.orders?.horizon?.(facts)).toBe(180)
  })

  test('of the seller and of Walmart’s warehouse are read as one list, and only the seller’s can be changed', async () => {
    const { shop, simulator, asked } = open({ variant: { fulfilled_by: 'both' }, settings: { fulfilled_by: 'all' } })
    const read = new Map<string, unknown>()
    for (let cursor: string | null = null; ; ) {
      const page: RawPage = await orders.list(shop, { ...query, cursor })
      for (const raw of page.items) read.set(orders.translate(raw, facts).remote_id, raw)
      cursor = page.next
      if (cursor === null) break
    }
    expect([...read.keys()].sort()).toEqual(
      simulator
        .truth()
        .map(({ remote_id: id }) => id)
        .sort(),
    )
    const nodes = asked.flatMap(({ request: { query: one } }) => one?.['shipNodeType'] ?? [])
    expect([...new Set(nodes)]).toEqual(['SellerFulfilled', 'WFSFulfilled', '3PLFulfilled'])

    const isTheirs = (raw: unknown) => orders.translate(raw, facts).fulfilled_by === 'platform'
    const theirs = simulator.truth().find(({ stage, remote_id: id }) => stage === 'paid' && isTheirs(read.get(id)))
    const id = theirs?.remote_id ?? ''
    const draft = { order_remote_id: id, tracking_number: 'T 1', carrier: 'UPS' }
    const refusal = { kind: 'upstream_refused', message: expect.stringContaining('from its own warehouse') }
    await expect(shipments.create.send(shop, draft, operation)).rejects.toMatchObject(refusal)
    await expect(orders.cancel?.send(shop, { remoteId: id, reason: null }, operation)).rejects.toMatchObject(refusal)
    expect(asked.some(({ request }) => request.method === 'POST')).toBe(false)
  })

  test('that the buyer wants cancelled say so until they have left', () => {
    const wish = (status: string, intentToCancel: unknown) => {
      const raw = rawOrder(status)
      for (const line of raw.orderLines.orderLine) Object.assign(line, { intentToCancel })
      return orders.translate(raw, facts).cancel_requested
    }
    expect(wish('Acknowledged', 'true')).toBe(true)
    expect([wish('Created', undefined), wish('Created', null), wish('Created', 'false')]).toEqual([false, false, false])
    expect([wish('Shipped', 'true'), wish('Cancelled', 'true')]).toEqual([false, false])
  })

  test('have no address for letters as long as Walmart writes its own in its place', () => {
    const email = (customerEmailId: string) =>
      orders.translate({ ...rawOrder('Created'), customerEmailId }, facts).customer?.email
    expect(email('nocxemail@walmartone.com')).toBeNull()
    expect(email('NoCxEmail@walmartone.com')).toBeNull()
    expect(email('0@relay.walmart.com')).toBe('0@relay.walmart.com')
  })

  test('take the status of the last of their lines', () => {
    const pairs = ['Created Created', 'Acknowledged Acknowledged', 'Shipped Acknowledged', 'Shipped Shipped']
    const rest = ['Delivered Delivered', 'Cancelled Cancelled', 'Created Cancelled']
    const reported = [...pairs, ...rest]
      .map((words) => orders.translate(rawOrder(...words.split(' ')), facts))
      .map((one) => [one.remote_status, one.status, one.fulfillment_status, one.payment_status, one.acknowledged])
    expect(reported).toEqual([
      ['Created', 'open', 'unfulfilled', 'paid', false],
      ['Acknowledged', 'open', 'unfulfilled', 'paid', true],
      ['Acknowledged', 'open', 'partial', 'paid', true],
      ['Shipped', 'completed', 'fulfilled', 'paid', true],
      ['Delivered', 'completed', 'delivered', 'paid', true],
      ['Cancelled', 'cancelled', 'unfulfilled', 'voided', true],
      ['Created', 'open', 'unfulfilled', 'paid', false],
    ])
    expect(orders.translate(rawOrder('Created', 'Created'), facts)).toMatchObject({
      subtotal: usd('37.50'),
      shipping_total: usd('6.20'),
      tax_total: usd('1.60'),
      total: usd('45.30'),
      lines: [{ unit_price: usd('12.50'), total: usd('25.00') }, { unit_price: usd('12.50') }],
    })
  })

  test('with discounts, countries and words that are strange', () => {
    const changed = (change: (order: Fields) => void) => {
      const copy = rawOrder('Created', 'Created')
      change(copy)
      return () => orders.translate(copy, facts)
    }
    const place = (order: Fields) =>
      fieldsIn(fieldsIn(order, 'shippingInfo'), 'postalAddress') as Record<string, unknown>
    const line = (order: Fields) => recordsIn(fieldsIn(order, 'orderLines'), 'orderLine')[0] ?? {}
    const discount = {
      chargeType: 'PRODUCT',
      chargeName: 'SubscriptionDiscount',
      chargeAmount: { currency: 'USD', amount: -2.5 },
    }
    const reduced = changed((order) => (fieldsIn(line(order), 'charges')['charge'] as unknown[]).push(discount))()
    expect(reduced).toMatchObject({ discount_total: usd('2.50'), subtotal: usd('37.50'), total: usd('42.80') })
    expect(reduced.lines[0]).toMatchObject({ discount: usd('2.50'), total: usd('22.50') })
    expect(changed((order) => Object.assign(place(order), { country: 'PRI' }))().shipping_address?.country_code).toBe(
      'PR',
    )
    expect(changed((order) => Object.assign(place(order), { country: 'XXX' }))).toThrow(/XXX/)
    const lost = { orderLineStatus: [{ status: 'Lost', statusQuantity: { unitOfMeasurement: 'EACH', amount: '1' } }] }
    expect(changed((order) => Object.assign(line(order), { orderLineStatuses: lost }))()).toMatchObject({
      hold_reason: 'unknown status: Lost',
    })
  })

  test('are cancelled in Walmart’s words, line by line, and not once they have gone', async () => {
    const { shop, simulator, find, openOrder, asked } = open()
    const reasonsOf = async (reason: string | null) => {
      const remoteId = openOrder()
      await orders.cancel?.send(shop, { remoteId, reason }, operation)
      const body = JSON.stringify(asked.at(-1)?.request.body)
      const words = [...body.matchAll(/"cancellationReason":"(\w+)"/g)].map(([, word]) => word)
      expect(words).toHaveLength(simulator.order(remoteId)?.lines.length ?? 0)
      return [...new Set(words)]
    }
    expect(await reasonsOf(null)).toEqual(['SELLER_CANCEL_OUT_OF_STOCK'])
    expect(await reasonsOf('pricing error')).toEqual(['SELLER_CANCEL_PRICING_ERROR'])
    const sent = find(({ stage }) => stage === 'part_sent')
    await expect(orders.cancel?.send(shop, { remoteId: sent, reason: null }, operation)).rejects.toMatchObject({
      message: 'The order has been sent, at least in part.',
    })
  })
})

describe('acknowledgement', () => {
  test('is sent once, and each order has its own answer', async () => {
    const { shop, find, openOrder, asked } = open()
    const remoteIds = [openOrder(), 'none', find(({ stage }) => stage === 'cancelled')]
    for (const _ of [1, 2]) {
      expect(await acknowledgement.send(shop, { remoteIds }, operation)).toEqual([
        { remoteId: remoteIds[0], ok: true, error: null },
        { remoteId: 'none', ok: false, error: 'Walmart has no such order.' },
        { remoteId: remoteIds[2], ok: true, error: null },
      ])
    }
    expect(asked.filter(({ request }) => request.method === 'POST')).toHaveLength(1)
  })
})

describe('parcels', () => {
  test('are sent in parts, after the order has been acknowledged, at Walmart’s own time', async () => {
    const { shop, simulator, find, asked } = open()
    // Its clock is ahead of ours.
    simulator.advance(600)
    const earliest = inMicroseconds(toSecond(simulator.world.clock.now()))
    const id = find(
      ({ remote_id: one, stage, acknowledged, lines }) =>
        stage === 'paid' && !acknowledged && lines > 1 && (simulator.order(one)?.lines[0]?.quantity ?? 0) > 1,
    )
    const quantity = simulator.order(id)?.lines[0]?.quantity ?? 0
    const draft = {
      order_remote_id: id,
      tracking_number: 'T 1',
      carrier: 'fedex',
      lines: [{ order_line_remote_id: '1', quantity: 1 }],
    }
    const parcel = await shipments.create.send(shop, draft, operation)
    expect(parcel).toMatchObject({
      carrier_code: 'FedEx',
      service: simulator.order(id)?.shippingMethod === 'Express' ? 'Express' : 'Value',
      lines: [{ order_line_remote_id: '1', quantity: 1 }],
    })
    expect(String(parcel.shipped_at) >= earliest).toBe(true)
    expect(asked.map(({ request }) => request.path.split('/').at(-1))).toContain('acknowledge')
    expect(await shipments.create.send(shop, draft, operation)).toEqual(parcel)
    expect(orders.translate(await orders.get(shop, id), facts)).toMatchObject({
      status: 'open',
      fulfillment_status: 'partial',
      lines: expect.arrayContaining([
        expect.objectContaining({ remote_id: '1', quantity, quantity_fulfilled: 1 }),
        expect.objectContaining({ remote_id: '2', quantity_fulfilled: 0 }),
      ]),
    })
    const tooMany = { ...draft, tracking_number: 'T 2', lines: [{ order_line_remote_id: '1', quantity }] }
    await expect(shipments.create.send(shop, tooMany, operation)).rejects.toMatchObject({ kind: 'upstream_refused' })
    expect(simulator.doubles()).toEqual([])
  })

  test('of what the buyer wants cancelled are sent with a word that this is known', async () => {
    const { shop, simulator, find, asked } = open({ variant: { cancel_wishes: 'yes' } })
    const isUnwanted = (index: number) => index % 4 === 1
    const overrides = async (unwanted: boolean) => {
      const id = find(({ stage, remote_id: one }) => {
        const index = simulator.order(one)?.index ?? 0
        return stage === 'paid' && isUnwanted(index) === unwanted
      })
      await shipments.create.send(shop, { order_remote_id: id, tracking_number: 'T 1', carrier: 'UPS' }, operation)
      const body = JSON.stringify(asked.at(-1)?.request.body)
      return [...new Set([...body.matchAll(/"intentToCancelOverride":(\w+)/g)].map(([, word]) => word))]
    }
    expect(await overrides(true)).toEqual(['true'])
    expect(await overrides(false)).toEqual(['false'])
  })

  test('of other carriers need an address where they are followed', async () => {
    const { shop, openOrder, asked } = open()
    const draft = { order_remote_id: openOrder(), tracking_number: 'T&1', carrier: 'Rowing Boat' }
    await expect(shipments.create.send({ ...shop, settings: {} }, draft, operation)).rejects.toMatchObject({
      message: expect.stringContaining('does not know the carrier Rowing Boat'),
    })
    expect(asked.some(({ request }) => request.method === 'POST')).toBe(false)
    expect(await shipments.create.send(shop, draft, operation)).toMatchObject({
      carrier_code: null,
      carrier_name: 'Rowing Boat',
      tracking_url: 'https://parcels.example.com/?id=T%261',
    })
  })
})

test('lines that were sent without a number are parcels all the same', () => {
  const order = rawOrder('Shipped', 'Shipped')
  const [parcel] = parcelsIn(order)
  for (const part of order.orderLines.orderLine.flatMap((line) => line.orderLineStatuses.orderLineStatus)) {
    if (part.trackingInfo) Object.assign(part.trackingInfo, { trackingNumber: null })
  }
  expect(parcel?.tracking_number).toMatch(/^TRACK-/)
  const parcels = orders.translate(order, facts).shipments
  expect(parcels.map(({ remote_id: id, tracking_number: number }) => [id, number])).toEqual(
    (parcel?.lines ?? []).map(() => [null, null]),
  )
  expect(parcels.flatMap(({ lines: sent }) => sent)).toEqual(parcel?.lines)
})
