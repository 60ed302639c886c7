import { describe, expect, test } from 'vitest'
import { openImitation, openOrder } from '../../../test/support/imitation.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { fieldsOf } from '../../commerce/reading.ts'
import { woocommerce } from './index.ts'
import { toOrder } from './translate-order.ts'
import { ofFulfillment } from './translate-shipment.ts'

const facts = {
  shop: 'tea.example',
  settings: { order_statuses: [{ status: 'awaiting-pickup', means: 'open' as const }] },
}

describe('parcels', () => {
  const draft = { tracking_number: 'T-1', carrier: 'Post', tracking_url: 'https://post.example/T-1' }

  test.each(['fulfillments', 'plug-in', 'none'] as const)('are kept by a shop with %s, once', async (tracking) => {
    const { shop, asked, simulator } = openImitation(woocommerce, { variant: { tracking } })
    const id = openOrder(simulator)
    const input = { ...draft, order_remote_id: id }
    for (const _ of [1, 2]) {
      const parcel = await woocommerce.shipments?.create.send(shop, input, { id: 'p' })
      expect(parcel).toMatchObject({ tracking_number: 'T-1', carrier_name: 'Post', status: 'shipped' })
    }
    expect(simulator.doubles()).toEqual([])
    const posted = asked.filter(({ request }) => request.method === 'POST').map(({ url }) => url)
    expect(posted.filter((url) => /fulfillments|trackings|notes/.test(url))).toHaveLength(1)
    const order = toOrder(await woocommerce.orders?.get(shop, id), facts)
    expect(order).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
    if (tracking !== 'plug-in') expect(order.shipments).toMatchObject([{ tracking_number: 'T-1' }])
    if (tracking === 'fulfillments') expect(order.shipments[0]?.remote_id).toMatch(/^\d+$/)
  })

  test('of a shop that keeps none are not looked for again with the next order, until somebody may have changed that', async () => {
    const { shop, asked, simulator } = openImitation(woocommerce, { orders: 900, variant: { tracking: 'none' } })
    const sent = async (from: object) => {
      const id = openOrder(simulator)
      const before = asked.length
      await woocommerce.shipments?.create.send({ ...shop, ...from }, { ...draft, order_remote_id: id }, { id })
      return asked.slice(before).filter(({ url }) => /fulfillments|trackings/.test(url)).length
    }
    const lasting = {}
    expect(await sent({ opening: {}, lasting })).toBe(2)
    expect(await sent({ opening: {}, lasting })).toBe(0)
    expect(await sent({ opening: {}, lasting: {} })).toBe(2)
  })

  test('that complete an order give it the status that the shop has chosen for that', async () => {
    const { shop, simulator } = openImitation(woocommerce)
    const chosen = { ...shop, settings: { ...shop.settings, shipped_status: 'on-hold' } }
    const id = openOrder(simulator)
    await woocommerce.shipments?.create.send(chosen, { ...draft, order_remote_id: id }, { id: 'p' })
    expect(fieldsOf(await woocommerce.orders?.get(shop, id))['status']).toBe('on-hold')
  })

  test('of some of the lines leave the order open, and name the lines', async () => {
    const { shop, simulator } = openImitation(woocommerce, { orders: 900 })
    const id = openOrder(simulator, ({ lines: [only, ...others] }) => others.length === 0 && only?.quantity === 3)
    const line = toOrder(await woocommerce.orders?.get(shop, id), facts).lines[0]?.remote_id ?? ''
    const input = { ...draft, order_remote_id: id, lines: [{ order_line_remote_id: line, quantity: 2 }] }
    const parcel = await woocommerce.shipments?.create.send(shop, input, { id: 'p' })
    expect(parcel?.lines).toEqual([{ order_line_remote_id: line, quantity: 2 }])
    expect(toOrder(await woocommerce.orders?.get(shop, id), facts)).toMatchObject({
      status: 'open',
      fulfillment_status: 'partial',
      lines: [{ remote_id: line, quantity: 3, quantity_fulfilled: 2 }],
      shipments: [{ tracking_number: 'T-1', lines: [{ order_line_remote_id: line, quantity: 2 }] }],
    })
    const rest = await woocommerce.shipments?.create.send(
      shop,
      { ...draft, tracking_number: 'T-2', order_remote_id: id },
      { id: 'q' },
    )
    expect(rest?.lines).toEqual([{ order_line_remote_id: line, quantity: 1 }])
  })

  test.each(['fulfillments', 'none'] as const)(
    'two that hold everything complete the order, with %s',
    async (tracking) => {
      const { shop, simulator } = openImitation(woocommerce, { orders: 900, variant: { tracking } })
      const id = openOrder(simulator, ({ lines: [only, ...others] }) => others.length === 0 && only?.quantity === 3)
      const read = async () => toOrder(await woocommerce.orders?.get(shop, id), facts)
      const line = (await read()).lines[0]?.remote_id ?? ''
      const send = (number: string, quantity: number) =>
        woocommerce.shipments?.create.send(
          shop,
          { ...draft, tracking_number: number, order_remote_id: id, lines: [{ order_line_remote_id: line, quantity }] },
          { id: number },
        )
      await send('P-1', 2)
      expect(await read()).toMatchObject({ status: 'open', fulfillment_status: 'partial' })
      await send('P-2', 1)
      expect(await read()).toMatchObject({ status: 'completed', fulfillment_status: 'fulfilled' })
    },
  )

  test.each(['fulfillments', 'plug-in', 'none'] as const)('are corrected by a shop with %s', async (tracking) => {
    const { shop, asked, simulator } = openImitation(woocommerce, { variant: { tracking } })
    const id = openOrder(simulator)
    const sent = await woocommerce.shipments?.create.send(shop, { ...draft, order_remote_id: id }, { id: 'p' })
    const amendment = {
      ...{ order_remote_id: id, remote_id: sent?.remote_id ?? null, previous_tracking_number: 'T-1' },
      ...{ tracking_number: 'T-9', carrier: 'UPS', tracking_url: null, notify_customer: false },
    }
    asked.length = 0
    for (const _ of [1, 2]) {
      const amended = await woocommerce.shipments?.amend?.send(shop, amendment, { id: 'a' })
      expect(amended).toMatchObject({ tracking_number: 'T-9', carrier_name: 'UPS' })
    }
    expect(simulator.truth().find((order) => order.remote_id === id)?.parcels).toBe(tracking === 'none' ? 0 : 1)
    if (tracking !== 'plug-in') {
      const { shipments } = toOrder(await woocommerce.orders?.get(shop, id), facts)
      // Corrected is not sent again.
      const kept = { lines: sent?.lines, shipped_at: sent?.shipped_at }
      expect(shipments).toMatchObject([{ tracking_number: 'T-9', carrier_name: 'UPS', ...kept }])
    }
    // Nobody is written to who was not to be.
    const bodies = asked.flatMap(({ request }) => (request.method === 'GET' ? [] : [JSON.stringify(request.body)]))
    expect(bodies.filter((body) => /"(notify_customer|customer_note)":true/.test(body))).toEqual([])
  })

  test('cost a request only where an order says that it has some, in lists as well', async () => {
    const { shop, asked, simulator } = openImitation(woocommerce)
    const id = openOrder(simulator)
    await woocommerce.shipments?.create.send(shop, { ...draft, order_remote_id: id }, { id: 'p' })
    asked.length = 0
    const all = []
    for (let cursor: string | null = null; ; ) {
      const query: ReadQuery = { updatedSince: null, statuses: [], cursor, limit: 100 }
      const page: RawPage | undefined = await woocommerce.orders?.list(shop, query)
      all.push(...(page?.items ?? []).map((raw) => toOrder(raw, facts)))
      cursor = page?.next ?? null
      if (cursor === null) break
    }
    expect(all.find((order) => order.remote_id === id)?.shipments).toMatchObject([{ tracking_number: 'T-1' }])
    const noted = all.filter(({ raw }) => JSON.stringify(raw).includes('"_fulfillment_status"'))
    expect(noted.length).toBeLessThan(all.length / 4)
    expect(asked.flatMap(({ url }) => /orders\/(\d+)\/fulfillments$/.exec(url)?.[1] ?? [])).toEqual(
      noted.map((order) => order.remote_id),
    )
  })

  test.each([true, '1'])('that are fulfilled have left, however the shop says so: %o', (is_fulfilled) => {
    const notes = [{ id: 8, key: '_date_fulfilled', value: '2026-11-20T00:42:43Z' }]
    const reported = { id: 5, is_fulfilled, date_updated: '2026-11-20T00:42:47Z', meta_data: notes }
    expect(ofFulfillment(reported)).toMatchObject({
      ...{ remote_id: '5', status: 'shipped' },
      shipped_at: '2026-11-20T00:42:43.000000Z',
    })
  })

  test('that the shop has drafted have not left: the goods are sent once, and the draft is what is sent', async () => {
    const { shop, simulator } = openImitation(woocommerce, { orders: 900, variant: { tracking: 'fulfillments' } })
    const id = openOrder(simulator, ({ lines: [only, ...others] }) => others.length === 0 && only?.quantity === 3)
    const read = async () => toOrder(await woocommerce.orders?.get(shop, id), facts)
    const line = (await read()).lines[0]?.remote_id ?? ''
    const sendDraft = (qty: number) =>
      shop.remote.request({
        method: 'POST',
        path: `/wp-json/wc/v3/orders/${id}/fulfillments`,
        body: { is_fulfilled: false, meta_data: [{ id: 0, key: '_items', value: [{ item_id: Number(line), qty }] }] },
      })
    await sendDraft(2)
    const lines = [{ order_line_remote_id: line, quantity: 1 }]
    await woocommerce.shipments?.create.send(shop, { ...draft, order_remote_id: id, lines }, { id: 'p' })
    expect(await read()).toMatchObject({ status: 'open', fulfillment_status: 'partial', shipments: { length: 2 } })
    await woocommerce.shipments?.create.send(
      shop,
      { ...draft, tracking_number: 'T-2', order_remote_id: id },
      { id: 'q' },
    )
    expect(await read()).toMatchObject({
      status: 'completed',
      shipments: [
        { status: 'shipped', tracking_number: 'T-2', lines: [{ order_line_remote_id: line, quantity: 2 }] },
        { status: 'shipped', tracking_number: 'T-1', lines },
      ],
    })
  })

  test('that are pending have neither left nor a number', () => {
    const items = [{ key: '_items', value: [{ item_id: 1, qty: 2 }] }]
    const reported = { id: 5, is_fulfilled: '0', date_updated: '2026-11-20T00:42:47Z', meta_data: items }
    const pending = { remote_id: '5', status: 'pending', tracking_number: null, shipped_at: null }
    expect(ofFulfillment(reported)).toMatchObject(pending)
  })

  test.each([
    ['dhl', '', 'dhl'],
    ['other', 'Own Van', 'Own Van'],
    ['', 'Own Van', 'Own Van'],
    ['Own Van', 'Own Van', 'Own Van'],
    ['', '', null],
  ])('sent by the carrier %o, or else by %o, are sent by %o', (provider, name, carrier) => {
    const notes = [
      { id: 3, key: '_shipment_provider', value: provider },
      { id: 4, key: '_provider_name', value: name },
    ]
    const reported = { id: 5, is_fulfilled: '1', date_updated: '2026-11-20T00:42:47Z', meta_data: notes }
    expect(ofFulfillment(reported)).toMatchObject({ carrier_name: carrier })
  })

  test('name their carrier to the pages of the shop as well, which know those of their own list only', async () => {
    const { shop, asked, simulator } = openImitation(woocommerce, { variant: { tracking: 'fulfillments' } })
    const id = openOrder(simulator)
    await woocommerce.shipments?.create.send(shop, { ...draft, order_remote_id: id }, { id: 'p' })
    const made = asked.find(({ url, request }) => request.method === 'POST' && url.endsWith('/fulfillments'))
    expect(made?.request.body).toMatchObject({
      meta_data: expect.arrayContaining([
        { id: 0, key: '_shipment_provider', value: 'Post' },
        { id: 0, key: '_provider_name', value: 'Post' },
      ]),
    })
  })

  test('that the plug-in noted in the order are reported, its Unix time as a time', async () => {
    const { shop, simulator } = openImitation(woocommerce)
    const raw = fieldsOf(await woocommerce.orders?.get(shop, openOrder(simulator)))
    const items = [{ tracking_provider: 'dpd', tracking_number: 'D-1', date_shipped: '1772611200', tracking_id: 'a' }]
    const order = toOrder({ ...raw, meta_data: [{ id: 1, key: '_wc_shipment_tracking_items', value: items }] }, facts)
    expect(order.shipments).toMatchObject([
      { carrier_name: 'dpd', tracking_number: 'D-1', shipped_at: '2026-03-04T08:00:00.000000Z' },
    ])
  })
})
