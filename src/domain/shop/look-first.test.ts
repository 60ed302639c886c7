import { describe, expect, test } from 'vitest'
import { whole } from '../../../test/support/bare-connector.ts'
import { orderLine, remoteOrder } from '../../../test/support/remote-order.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { RemoteOrder } from '../../commerce/order.ts'
import { noTransport } from '../../commerce/remote.ts'
import { Fault } from '../../lib/fault.ts'
import { cancelCheck, look, shipmentCheck } from './look-first.ts'

const shop = {
  shop: 'a.example',
  settings: {},
  credentials: {},
  remote: { request: () => noTransport({ url: '', request: { method: 'GET', path: '/' } }) },
}
const field = 'order_id'
const cup = orderLine({ quantity: 2 })

/** A shop that has this one order; one that cannot be understood is an error. */
function shopWith(order: Partial<RemoteOrder> | Error | null, more: Partial<Connector> = {}) {
  const { orders } = whole
  if (!orders) throw new Error('It has orders.')
  const get = async (_: unknown, id: string) => (order === null || id !== '1' ? null : {})
  const translate = () => {
    if (order instanceof Error) throw order
    return remoteOrder({ lines: [cup], ...order })
  }
  return { connector: { ...whole, orders: { ...orders, get, translate }, ...more }, shop }
}

async function errorsOf(check: Promise<unknown>): Promise<unknown> {
  try {
    await check
    return null
  } catch (error) {
    return error instanceof Fault ? error.errors : error
  }
}

describe('before an order is changed, the shop is asked', () => {
  const asked = { force: false, field }

  test('how it stands now', async () => {
    expect(await look(shopWith({ number: '#9' }), '1', asked)).toMatchObject({ number: '#9' })
  })

  test('whether it is there', async () => {
    const none = { order_id: ['The shop has no such order.'] }
    expect(await errorsOf(look(shopWith(null), '1', asked))).toEqual(none)
    expect(await errorsOf(look(shopWith({}), '2', { ...asked, force: true }))).toEqual(none)
  })

  test('and what nobody understands is changed by force alone', async () => {
    const broken = shopWith(new TypeError('It has no total.'))
    expect(await errorsOf(look(broken, '1', asked))).toEqual({
      order_id: ['The order in the shop cannot be understood: It has no total. Set force to do it anyway.'],
    })
    expect(await look(broken, '1', { ...asked, force: true })).toBeNull()
    const bug = new Error('A bug of ours.')
    expect(await errorsOf(look(shopWith(bug), '1', { ...asked, force: true }))).toBe(bug)
  })

  test('where it can be asked', async () => {
    const { orders: _, ...silent } = whole
    expect(await look({ connector: silent, shop }, '1', asked)).toBeNull()
    expect(await errorsOf(cancelCheck({ connector: silent, shop }, { remoteId: '1', ...asked })())).toBeNull()
  })
})

describe('a parcel goes to the shop', () => {
  const parcel = { order_remote_id: '1', tracking_number: 'T1' }
  const ship = (
    looking: ReturnType<typeof shopWith>,
    { force, lines }: { force?: boolean; lines?: { order_line_remote_id: string; quantity: number }[] } = {},
  ) =>
    errorsOf(
      shipmentCheck(looking, lines ? { ...parcel, lines } : parcel, {
        force,
        orderField: field,
        linesField: 'items',
      })(),
    )

  test('where nothing speaks against it', async () => {
    expect(await ship(shopWith({}))).toBeNull()
    expect(await ship(shopWith({}), { lines: [{ order_line_remote_id: 'L1', quantity: 1 }] })).toBeNull()
  })

  test('never for an order that is cancelled, unless it is forced', async () => {
    const cancelled = shopWith({ status: 'cancelled' })
    expect(await ship(cancelled)).toEqual({ order_id: [expect.stringContaining('cancelled')] })
    expect(await ship(cancelled, { force: true })).toBeNull()
  })

  test('never for an order that the platform sends itself, not even by force', async () => {
    const refused = { order_id: ['The platform sends this order from its own warehouse.'] }
    for (const force of [false, true]) {
      expect(await ship(shopWith({ fulfilled_by: 'platform' }), { force })).toEqual(refused)
    }
    expect(await ship(shopWith({ fulfilled_by: 'merchant' }))).toBeNull()
  })

  test('never with what the order has not got, not even by force', async () => {
    const lines = [{ order_line_remote_id: 'L1', quantity: 3 }]
    const refused = { 'items.0.quantity': [expect.stringContaining('only 2')] }
    expect(await ship(shopWith({}), { lines })).toEqual(refused)
    expect(await ship(shopWith({}), { lines, force: true })).toEqual(refused)
  })

  test('as a whole, where the platform knows no parts', async () => {
    const lines = [{ order_line_remote_id: 'L1', quantity: 1 }]
    const { shipments } = whole
    if (!shipments) throw new Error('It has shipments.')
    const looking = shopWith({}, { shipments: { ...shipments, partial: false } })
    const refused = { items: [expect.stringContaining('as a whole')] }
    expect(await ship(looking, { lines })).toEqual(refused)
    const { shipments: _, ...none } = looking.connector
    expect(await ship({ connector: none, shop }, { lines })).toEqual(refused)
  })

  test('unseen, where it is forced and nobody understands the order', async () => {
    expect(await ship(shopWith(new TypeError('It has no total.')), { force: true })).toBeNull()
  })
})

describe('an order is cancelled in the shop', () => {
  const cancel = (order: Partial<RemoteOrder> | Error, force?: boolean) =>
    errorsOf(cancelCheck(shopWith(order), { remoteId: '1', force, field })())

  test('where nothing speaks against it', async () => {
    expect(await cancel({})).toBeNull()
  })

  test('never once it has been sent, unless it is forced', async () => {
    expect(await cancel({ fulfillment_status: 'fulfilled' })).toEqual({
      order_id: ['The order has already been shipped. Set force to do it anyway.'],
    })
    expect(await cancel({ fulfillment_status: 'fulfilled' }, true)).toBeNull()
    expect(await cancel(new TypeError('It has no total.'), true)).toBeNull()
  })
})
