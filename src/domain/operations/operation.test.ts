import { describe, expect, test } from 'vitest'
import { whole } from '../../../test/support/bare-connector.ts'
import type { Connector } from '../../commerce/connector.ts'
import type { OrderDraft, RemoteOrder } from '../../commerce/order.ts'
import { noTransport } from '../../commerce/remote.ts'
import {
  amendmentPlan,
  fingerprint,
  isOperationKind,
  namedBy,
  operationId,
  orderMaking,
  orderPlan,
  setsState,
  shipmentPlan,
  writeOf,
} from './operation.ts'

const draft: OrderDraft = { currency: 'EUR', lines: [{ sku: 'CUP', quantity: 1 }] }

describe('what makes two requests the same change', () => {
  test('is what they say, in whatever order', () => {
    const one = { a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } }
    const same = { b: { f: null, c: [1, { e: 3, d: 2 }], g: undefined }, a: 1 }
    expect(fingerprint(one)).toBe(fingerprint(same))
    expect(fingerprint(one)).toMatch(/^[0-9a-f]{40}$/)
    expect(fingerprint({ b: 1, a: 2, c: 3 })).toBe(fingerprint({ c: 3, a: 2, b: 1 }))
  })

  test.each([
    [{ a: 1 }, { a: 2 }],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: 1 }, [['a', 1]]],
    [{ a: null }, {}],
    ['1', 1],
    [null, 'null'],
    [undefined, null],
  ])('%j and %j are two', (one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other))
  })

  test('of a parcel is its order and its number', () => {
    const parcel = { order_remote_id: '1', tracking_number: 'T' }
    expect(shipmentPlan(parcel)).toMatchObject({ kind: 'create_shipment', once: true })
    const more = { ...parcel, carrier: 'Post' }
    expect(shipmentPlan(more).key).toBe(shipmentPlan(parcel).key)
    const others = [
      { ...parcel, order_remote_id: '2' },
      { ...parcel, tracking_number: 'U' },
    ]
    expect(new Set([parcel, ...others].map((one) => shipmentPlan(one).key)).size).toBe(3)
  })

  test('of an order is the caller’s reference, and everything in it where there is none', () => {
    const named = { ...draft, reference: 'R1' }
    expect(orderPlan(named)).toMatchObject({ kind: 'create_order', input: named, once: true })
    expect(orderPlan({ ...named, currency: 'USD' }).key).toBe(orderPlan(named).key)
    expect(orderPlan({ ...named, reference: 'R2' }).key).not.toBe(orderPlan(named).key)
    for (const nameless of [draft, { ...draft, reference: null }]) {
      expect(orderPlan(nameless)).toMatchObject({ kind: 'create_order', input: nameless, once: false })
      expect(orderPlan({ ...nameless, currency: 'USD' }).key).not.toBe(orderPlan(nameless).key)
    }
  })

  test('of a correction is all that it says', () => {
    const parcel = { order_remote_id: '1', shipment_remote_id: 'F1', tracking_number: 'T' }
    const plan = amendmentPlan({ ...parcel, carrier: 'Post' })
    expect(plan.kind).toBe('amend_shipment')
    expect(amendmentPlan({ carrier: 'Post', ...parcel }).key).toBe(plan.key)
    expect(amendmentPlan({ ...parcel, carrier: 'Bike' }).key).not.toBe(plan.key)
  })
})

describe('work that may have to be come back to', () => {
  const plan = { kind: 'cancel_order', key: 'k' } as const

  test('makes its changes once', () => {
    const named = namedBy('work', plan)
    expect(named).toMatchObject({ kind: 'cancel_order', once: true })
    expect(namedBy('work', plan).key).toBe(named.key)
    const keys = [named, plan, namedBy('other', plan), namedBy('work', { ...plan, key: 'l' })].map(({ key }) => key)
    expect(new Set(keys).size).toBe(4)
  })

  test.each([
    ['has no name', null, plan],
    ['wants what is done once anyhow', 'work', { ...plan, once: true }],
    ['goes on with a batch', 'work', { kind: 'acknowledge_orders', key: 'k' }],
  ] as const)('leaves a change as it is where it %s', (_, name, wanted) => {
    expect(namedBy(name, wanted)).toEqual(wanted)
  })
})

describe('the part of a connector that makes a change', () => {
  test.each([
    ['cancel_order', whole.orders?.cancel],
    ['cancel_order_lines', whole.orders?.cancelLines],
    ['create_refund', whole.refunds?.create],
    ['acknowledge_orders', whole.acknowledgement],
    ['export_product', whole.products?.export],
    ['set_inventory', whole.inventory?.set],
    ['set_prices', whole.products?.prices?.set],
    ['create_shipment', whole.shipments?.create],
    ['amend_shipment', whole.shipments?.amend],
    ['cancel_shipment', whole.shipments?.cancel],
    ['annotate_order', whole.orders?.annotate],
    ['hold_order', whole.orders?.hold],
    ['release_order', whole.orders?.release],
    ['capture_payment', whole.orders?.capture],
  ] as const)('of %s', (kind, part) => {
    expect(part).toBeDefined()
    expect(writeOf(whole, kind)).toBe(part)
  })

  test.each([
    'create_order',
    'cancel_order',
    'cancel_order_lines',
    'create_refund',
    'acknowledge_orders',
    'export_product',
    'set_inventory',
    'set_prices',
    'create_shipment',
    'amend_shipment',
    'cancel_shipment',
    'annotate_order',
    'hold_order',
    'release_order',
    'capture_payment',
  ] as const)('is missing where the platform cannot do it: %s', (kind) => {
    const { orders: _, products: __, inventory: ___, shipments: ____, refunds: _____, ...rest } = whole
    const { acknowledgement: ______, ...nothing } = rest
    expect(writeOf(nothing, kind)).toBeUndefined()
  })
})

describe('an order that is made', () => {
  const shop = {
    shop: 'a.example',
    settings: {},
    credentials: {},
    remote: { request: () => noTransport({ url: '', request: { method: 'GET', path: '/' } }) },
  }
  const operation = { id: 'create-order-1' }

  /** A platform that writes down under which reference it was asked to make an order, and asked for one. */
  function platform(repeatable: boolean) {
    const sent: unknown[] = []
    const asked: unknown[] = []
    const made = { remote_id: '1' } as RemoteOrder
    const send = async (_: unknown, { reference }: OrderDraft) => {
      sent.push(reference)
      return made
    }
    const confirm = async (_: unknown, { reference }: OrderDraft) => {
      asked.push(reference)
      return made
    }
    const create = repeatable ? { repeatable, send } : { repeatable, send, confirm }
    const { orders } = whole
    const connector = { ...whole, orders: { ...orders, create } } as Connector
    return { sent, asked, made, write: orderMaking(connector) }
  }

  test.each([true, false])(
    'goes to the shop under the caller’s reference, or the name of the change (%s)',
    async (repeatable) => {
      const { write, sent, made } = platform(repeatable)
      expect(write?.repeatable).toBe(repeatable)
      expect(await write?.send(shop, draft, operation)).toBe(made)
      await write?.send(shop, { ...draft, reference: 'R1' }, operation)
      await write?.send(shop, { ...draft, reference: null }, operation)
      expect(sent).toEqual(['create-order-1', 'R1', 'create-order-1'])
    },
  )

  test('is found again by the same reference', async () => {
    const { write, asked, made } = platform(false)
    if (!write || write.repeatable) throw new Error('It can be asked for.')
    expect(await write.confirm(shop, draft, operation)).toBe(made)
    await write.confirm(shop, { ...draft, reference: 'R1' }, operation)
    expect(asked).toEqual(['create-order-1', 'R1'])
  })
})

test('the shop is sent a name that is the same for every attempt and nobody else’s', () => {
  const operation = { kind: 'create_order', key: 'k', generation: 1 } as const
  const name = operationId('integration', operation)
  expect(name).toMatch(/^create-order-[0-9a-f]{32}$/)
  expect(operationId('integration', { ...operation })).toBe(name)
  const others = [
    operationId('another', operation),
    operationId('integration', { ...operation, kind: 'cancel_order' }),
    operationId('integration', { ...operation, key: 'l' }),
    operationId('integration', { ...operation, generation: 2 }),
  ]
  expect(new Set([name, ...others]).size).toBe(5)
})

test('what says how things are to be is not sent late', () => {
  const kinds = [
    'create_order',
    'cancel_order',
    'acknowledge_orders',
    'export_product',
    'set_inventory',
    'set_prices',
    'create_shipment',
    'amend_shipment',
    'cancel_order_lines',
    'create_refund',
    'cancel_shipment',
    'annotate_order',
    'hold_order',
    'release_order',
    'capture_payment',
  ]
  expect(kinds.filter(isOperationKind)).toEqual(kinds)
  expect(kinds.filter(isOperationKind).filter(setsState)).toEqual([
    'export_product',
    'set_inventory',
    'set_prices',
    'amend_shipment',
  ])
  expect(['toString', 'sync_orders', ''].filter(isOperationKind)).toEqual([])
})
