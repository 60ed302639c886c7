import { describe, expect, test } from 'vitest'
import { fingerprint, isOperationKind, operationId, setsState, shipmentPlan } from './operation.ts'

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
  ])('%j and %j are two', (one, other) => {
    expect(fingerprint(one)).not.toBe(fingerprint(other))
  })

  test('of a parcel is its order and its number', () => {
    const draft = { order_remote_id: '1', tracking_number: 'T' }
    expect(shipmentPlan(draft)).toEqual({ kind: 'create_shipment', key: fingerprint(['1', 'T']), once: true })
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
    'create_shipment',
  ]
  expect(kinds.filter(isOperationKind)).toEqual(kinds)
  expect(kinds.filter(isOperationKind).filter(setsState)).toEqual(['export_product', 'set_inventory'])
  expect(['toString', 'sync_orders', ''].filter(isOperationKind)).toEqual([])
})
