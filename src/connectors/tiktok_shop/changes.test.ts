import { describe, expect, test } from 'vitest'
import { envelope, losing, open, scripted } from '../../../test/support/tiktok-shop.ts'
import { prices } from './changes/set-prices.ts'
import { inventory } from './inventory.ts'
import { webhooks } from './messages/webhooks.ts'
import { orders } from './orders.ts'
import { meant } from './parcels/carriers.ts'
import type { TikTokShop } from './settings.ts'
import { shipments } from './shipments.ts'

const query = { updatedSince: null, statuses: [], cursor: null, limit: 20 }
const operation = { id: 'operation-1' }

describe('parcels', () => {
  const parcel = (order_remote_id: string, more: object = {}) => ({
    ...{ order_remote_id, tracking_number: 'TRACK-1', carrier: 'ups', ...more },
  })

  test('hold the pieces that are named, and the rest follows', async () => {
    const { shop, some, read, asked } = open({ orders: 200 })
    const id = some(({ stage, lines }) => stage === 'paid' && lines.some(({ quantity }) => quantity > 2))
    const before = await read(id)
    const line = before.lines.find(({ quantity }) => quantity > 2)
    const lines = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 2 }]
    const made = await shipments.create.send(shop, parcel(id, { lines }), operation)
    expect(made).toMatchObject({ tracking_number: 'TRACK-1', carrier_name: 'UPS', status: 'shipped', lines })
    expect(await read(id)).toMatchObject({ status: 'open', fulfillment_status: 'partial' })
    const sent = asked.find(({ request }) => request.path.endsWith('/packages'))
    expect(JSON.parse(String(sent?.request.body)).order_line_item_ids).toHaveLength(2)
    await shipments.create.send(shop, parcel(id, { tracking_number: 'TRACK-2' }), { id: 'operation-2' })
    expect(await read(id)).toMatchObject({ status: 'completed', remote_status: 'AWAITING_COLLECTION' })
  })

  test.each(['US', 'ID'])('whose answer is lost in %s are sent once', async (region) => {
    const { shop, inStage, read, effects, simulator } = open({ settings: { region } })
    const id = inStage('paid')
    const lost = losing(shop, /packages|ship$/)
    await expect(shipments.create.send(lost, parcel(id), operation)).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    if (shipments.create.repeatable) throw new Error('Sent twice is two parcels.')
    expect(await shipments.create.confirm(shop, parcel(id), operation)).toMatchObject({ tracking_number: 'TRACK-1' })
    // Whoever sends it again is told of the same parcel.
    await shipments.create.send(shop, parcel(id), operation)
    expect([effects('shipment.create').length, (await read(id)).shipments.length]).toEqual([1, 1])
    expect(simulator.doubles()).toEqual([])
  })

  test('go as a whole, and by the package, where TikTok Shop takes no parts', async () => {
    const { shop, inStage, read, paths } = open({ settings: { region: 'ID' } })
    const id = inStage('paid')
    const [line] = (await read(id)).lines
    const lines = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 1 }]
    await expect(shipments.create.send(shop, parcel(id, { lines }), operation)).rejects.toMatchObject({
      message: expect.stringContaining('in some countries only'),
    })
    await shipments.create.send(shop, parcel(id), operation)
    expect(paths().filter((path) => path.startsWith('POST'))).toEqual([
      expect.stringMatching(/^POST \/fulfillment\/202309\/packages\/1152\d{14}\/ship$/),
    ])
    expect((await read(id)).status).toBe('completed')
  })

  test('are corrected, and twice does no harm', async () => {
    const { shop, inStage, read, effects } = open()
    const id = inStage('paid')
    await shipments.create.send(shop, parcel(id), operation)
    const right = parcel(id, { tracking_number: 'RIGHT', carrier: 'DHL', previous_tracking_number: 'TRACK-1' })
    const lost = losing(shop, /shipping_info/)
    await expect(shipments.amend?.send(lost, right, operation)).rejects.toMatchObject({ kind: 'upstream_retryable' })
    const again = { ...right, remote_id: (await read(id)).shipments[0]?.remote_id ?? '' }
    const made = await shipments.amend?.send(shop, again, operation)
    expect(made).toMatchObject({ tracking_number: 'RIGHT', carrier_name: 'DHL' })
    expect([(await read(id)).shipments.length, effects('shipment.amend').length]).toEqual([1, 1])
  })

  test.each([
    ['of a carrier that TikTok Shop does not know', {}, { carrier: 'Pigeon' }, /no carrier "Pigeon".*DHL, UPS/],
    ['of what TikTok labels itself', { variant: { shipping: 'tiktok' } }, {}, /shipped with TikTok/],
    ['of more than is left', {}, { lines: [{ order_line_remote_id: 'none', quantity: 1 }] }, /fewer are left/],
  ])('%s are refused before anything is sent', async (_, options, more, message) => {
    const { shop, inStage, effects } = open(options)
    await expect(shipments.create.send(shop, parcel(inStage('paid'), more), operation)).rejects.toMatchObject({
      ...{ kind: 'upstream_refused', message: expect.stringMatching(message) },
    })
    expect(effects('shipment.create')).toEqual([])
  })

  test('a carrier is known by its number, its name, or the only name that begins so', () => {
    const all = [
      ...[
        { id: '1', name: 'DHL eCommerce' },
        { id: '2', name: 'DHL Express' },
      ],
      ...[
        { id: '3', name: 'Royal Mail' },
        { id: '4', name: 'UPS' },
      ],
    ]
    const found = (carrier: string) => meant(all, carrier)?.id
    expect(['2', 'royal-mail', 'Royal Mail Tracked', 'dhl express'].map(found)).toEqual(['2', '3', '3', '2'])
    expect(['DHL', '', 'GLS'].map(found)).toEqual([undefined, undefined, undefined])
  })
})

describe('cancelling', () => {
  const wanted = (remoteId: string, reason: string | null = null) => ({ remoteId, reason })
  const reasonsIn = (asked: ReturnType<typeof open>['asked']) =>
    asked.flatMap(({ request }) =>
      request.path.endsWith('/cancellations') ? [JSON.parse(String(request.body)).cancel_reason] : [],
    )

  test.each([
    ['paid', null, 'seller_cancel_reason_out_of_stock'],
    ['unpaid', null, 'seller_cancel_unpaid_reason_out_of_stock'],
    ['paid', 'Wrong price', 'seller_cancel_reason_wrong_price'],
    ['paid', 'The customer asked for it', 'seller_cancel_paid_reason_buyer_requested_cancellation'],
    ['paid', 'Address unknown', 'seller_cancel_paid_reason_address_not_deliver'],
    ['paid', 'seller_cancel_reason_logistics_issue', 'seller_cancel_reason_logistics_issue'],
  ] as const)('an order that is %s because of %j', async (stage, reason, word) => {
    const { shop, inStage, asked } = open({ orders: 200 })
    const id = inStage(stage)
    expect(await orders.cancel?.send(shop, wanted(id, reason), operation)).toMatchObject({ status: 'cancelled' })
    expect(reasonsIn(asked)).toEqual([word])
  })

  test('in the United Kingdom has a word of its own', async () => {
    const { shop, inStage, asked } = open({ settings: { region: 'GB' } })
    await orders.cancel?.send(shop, wanted(inStage('paid')), operation)
    expect(reasonsIn(asked)).toEqual(['seller_cancel_reason_out_of_stock_uk'])
  })

  test('whose answer is lost happens once', async () => {
    const { shop, inStage, effects } = open()
    const id = inStage('paid')
    await expect(orders.cancel?.send(losing(shop, /cancellations$/), wanted(id), operation)).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    expect(await orders.cancel?.send(shop, wanted(id), operation)).toMatchObject({ status: 'cancelled' })
    expect(effects('order.cancel')).toHaveLength(1)
  })

  test('what the buyer asks for is granted', async () => {
    const { shop, some, paths, read } = open({ orders: 200, variant: { cancel_wishes: 'yes' } })
    const id = some(({ index, stage }) => stage === 'paid' && index % 4 === 1)
    expect((await read(id)).cancel_requested).toBe(true)
    expect(await orders.cancel?.send(shop, wanted(id), operation)).toMatchObject({ status: 'cancelled' })
    expect(paths().filter((path) => /approve|cancellations$/.test(path))).toEqual([expect.stringMatching(/\/approve$/)])
  })

  test('is not begun again while TikTok Shop still decides', async () => {
    const order = { id: '576400000000000001', status: 'AWAITING_SHIPMENT' }
    const pending = { cancel_id: '1', role: 'SELLER', cancel_status: 'CANCELLATION_REQUEST_PENDING' }
    const answers = [envelope({ orders: [order] }), envelope({ cancellations: [pending] })]
    const { shop, asked } = scripted(...answers, envelope({ orders: [order] }))
    await orders.cancel?.send(shop, wanted(order.id), operation).catch(() => null)
    expect(asked.map(({ request }) => request.path)).toEqual([
      '/order/202309/orders',
      '/return_refund/202309/cancellations/search',
      '/order/202309/orders',
    ])
  })

  test('single pieces are called off, once', async () => {
    const { shop, some, read, effects } = open({ orders: 200 })
    const id = some(({ stage, lines }) => stage === 'paid' && lines.some(({ quantity }) => quantity > 2))
    const line = (await read(id)).lines.find(({ quantity }) => quantity > 2)
    const lines = [{ order_line_remote_id: line?.remote_id ?? '', quantity: 2, before: 0 }]
    const cancellation = { order_remote_id: id, lines, reason: null }
    const { cancelLines } = orders
    if (!cancelLines || cancelLines.repeatable) throw new Error('Called off twice is more than was wanted.')
    expect(await cancelLines.confirm(shop, cancellation, operation)).toBeNull()
    const lost = losing(shop, /cancellations$/)
    await expect(cancelLines.send(lost, cancellation, operation)).rejects.toMatchObject({ kind: 'upstream_retryable' })
    const after = await cancelLines.confirm(shop, cancellation, operation)
    expect(after?.lines.find((one) => one.remote_id === line?.remote_id)?.quantity_cancelled).toBe(2)
    expect(effects('order.cancel_lines')).toHaveLength(1)
    const tooMany = {
      ...cancellation,
      lines: [{ ...lines[0], order_line_remote_id: line?.remote_id ?? '', quantity: 999, before: 2 }],
    }
    await expect(cancelLines.send(shop, tooMany, operation)).rejects.toMatchObject({ kind: 'upstream_refused' })
  })
})

describe('stock', () => {
  const set = async (shop: TikTokShop, ...items: Parameters<NonNullable<typeof inventory.set>['send']>[1]) =>
    (await inventory.set?.send(shop, items, operation)) ?? []
  const levelsOf = async (shop: TikTokShop, sku: string) =>
    (await inventory.list(shop, { ...query, limit: 100 })).items
      .map((raw) => inventory.translate(raw, shop))
      .filter((level) => level.sku === sku)

  test('of one warehouse is set with those of all others beside it', async () => {
    const { shop, asked } = open()
    const sku = 'SKU-00003-1'
    const before = await levelsOf(shop, sku)
    expect(before).toHaveLength(3)
    const location = before[1]?.location_remote_id ?? ''
    expect(await set(shop, { sku, quantity: 4711, location })).toMatchObject([{ ok: true }])
    const after = await levelsOf(shop, sku)
    expect(after.map(({ available }) => available)).toEqual([before[0]?.available, 4711, before[2]?.available])
    const sent = asked.find(({ request }) => request.path.endsWith('/inventory/update'))
    expect(JSON.parse(String(sent?.request.body)).skus[0].inventory).toHaveLength(3)
  })

  test('is refused where it is not clear, or not possible, and says why', async () => {
    const { shop, effects } = open()
    const sku = 'SKU-00003-1'
    const location = (await levelsOf(shop, sku))[0]?.location_remote_id ?? ''
    const results = await set(
      shop,
      { sku, quantity: 1 },
      { sku, quantity: 1, location: '123' },
      { sku, quantity: 100_000, location },
      { sku: 'none', quantity: 1, location },
    )
    expect(results.map(({ error }) => error)).toEqual([
      expect.stringContaining('several warehouses'),
      'The article is not kept in this warehouse.',
      expect.stringContaining('99,999'),
      'The shop has no such article.',
    ])
    expect(effects('inventory.set')).toEqual([])
  })

  test('of many articles takes one request for each product, and one refusal stays with its article', async () => {
    const sku = (id: string, seller_sku: string) => ({
      id,
      seller_sku,
      inventory: [{ warehouse_id: '7', quantity: 1 }],
    })
    const listing = { id: '1728000001', status: 'ACTIVATE', skus: [sku('1729000001', 'A'), sku('1729000002', 'B')] }
    const error = {
      ...{ code: 12_052_990, message: 'Check failed' },
      detail: { sku_id: '1729000002', extra_errors: [{ message: 'The warehouse does not exist' }] },
    }
    const { shop, asked } = scripted(envelope({ products: [listing] }), envelope({ errors: [error] }))
    expect(await set(shop, { sku: 'A', quantity: 5 }, { sku: 'B', quantity: 6 })).toMatchObject([
      { sku: 'A', ok: true },
      { sku: 'B', ok: false, error: 'The warehouse does not exist' },
    ])
    expect(asked).toHaveLength(2)
  })

  test('and prices whose answer is lost are set once', async () => {
    const { shop, effects } = open()
    const sku = 'SKU-00003-1'
    const location = (await levelsOf(shop, sku))[0]?.location_remote_id ?? ''
    const items = [{ sku, quantity: 77, location }]
    await expect(inventory.set?.send(losing(shop, /update$/), items, operation)).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    expect(await set(shop, ...items)).toMatchObject([{ ok: true }])
    const priced = [{ sku, price: '40', currency: 'USD' }]
    await expect(prices.set.send(losing(shop, /update$/), priced, operation)).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    expect(await prices.set.send(shop, priced, operation)).toMatchObject([{ ok: true }])
    expect([effects('inventory.set').length, effects('price.set').length]).toEqual([1, 1])
  })
})

describe('addresses for messages', () => {
  const { registration } = webhooks
  if (registration.kind !== 'api') throw new Error('They are registered.')
  const wanted = {
    url: 'https://entrepot.example/in',
    topics: ['order.updated', 'app.uninstalled'],
    secret: 'x',
  } as const

  test('whose answer is lost are entered once, and removed once', async () => {
    const { shop, effects } = open()
    await expect(registration.register(losing(shop, /webhooks/), wanted)).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    const made = await registration.register(shop, wanted)
    expect([made.length, effects('webhook.create').length]).toEqual([4, 4])
    const [first] = made
    await expect(registration.remove(losing(shop, /webhooks/), first?.remoteId ?? '')).rejects.toMatchObject({
      kind: 'upstream_retryable',
    })
    await registration.remove(shop, first?.remoteId ?? '')
    expect([(await registration.list(shop)).length, effects('webhook.delete').length]).toEqual([3, 1])
  })

  test('that somebody else has entered since are left to them', async () => {
    const { shop } = open()
    const [ours] = await registration.register(shop, wanted)
    await registration.register(shop, { ...wanted, url: 'https://other.example/in' })
    await registration.remove(shop, ours?.remoteId ?? '')
    expect((await registration.list(shop)).map(({ url }) => url)).toEqual(Array(4).fill('https://other.example/in'))
  })
})
