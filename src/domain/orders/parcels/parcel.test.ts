import { describe, expect, test } from 'vitest'
import { compareParcels, type HeldParcel, mergeParcel, parcelsOf, type SyncedParcel } from './parcel.ts'

const incoming = (changes: Partial<SyncedParcel> = {}): SyncedParcel => ({
  remote_id: 'F1',
  tracking_number: 'T1',
  carrier: 'Post',
  tracking_url: 'https://post.example/T1',
  status: 'SHIPPED',
  items: [{ sku: 'LAMP', quantity: 1 }],
  shipped_at: '2026-11-02T00:00:00.000000Z',
  ...changes,
})
const held = (changes: Partial<HeldParcel> = {}): HeldParcel => ({ ...incoming(), carrier: 'Post', id: 1, ...changes })
const nothing = {
  remote_id: null,
  tracking_number: null,
  carrier: null,
  tracking_url: null,
  items: [],
  shipped_at: null,
}

describe('what we hold of a parcel after the shop has reported it', () => {
  test('is what we held, where that is the same or says more', () => {
    expect(mergeParcel(held(), incoming())).toBeNull()
    expect(mergeParcel(held(), incoming(nothing))).toBeNull()
  })

  test('is when it was first reported as sent', () => {
    expect(mergeParcel(held(), incoming({ shipped_at: '2026-11-03T00:00:00.000000Z' }))).toBeNull()
    const late = mergeParcel(held({ shipped_at: null }), incoming())
    expect(late).toEqual(held())
  })

  test.each([
    ['remote_id', 'F2'],
    ['tracking_number', 'T2'],
    ['carrier', 'Bike'],
    ['tracking_url', 'https://bike.example'],
    ['items', [{ sku: 'LAMP', quantity: 2 }]],
    ['items', [{ sku: 'DESK', quantity: 1 }]],
    ['status', 'DELIVERED'],
  ])('is the new %s', (name, value) => {
    expect(mergeParcel(held(), incoming({ [name]: value }))).toEqual(held({ [name]: value }))
  })

  test.each([
    ['PENDING', 'SHIPPED', 'SHIPPED'],
    ['SHIPPED', 'PENDING', 'SHIPPED'],
    ['SHIPPED', 'IN_TRANSIT', 'IN_TRANSIT'],
    ['IN_TRANSIT', 'SHIPPED', 'IN_TRANSIT'],
    ['DELIVERED', 'SHIPPED', 'DELIVERED'],
    ['DELIVERED', 'FAILED', 'FAILED'],
    ['SHIPPED', 'CANCELLED', 'CANCELLED'],
    ['CANCELLED', 'SHIPPED', 'SHIPPED'],
  ])('%s and then %s is %s', (before, now, after) => {
    expect(mergeParcel(held({ status: before }), incoming({ status: now })) ?? held({ status: before })).toMatchObject({
      status: after,
    })
  })
})

describe('which parcel the shop means', () => {
  test('is known by the number before the id', () => {
    const ours = [
      held({ id: 1, remote_id: 'F1', tracking_number: 'T1' }),
      held({ id: 2, remote_id: 'F2', tracking_number: 'T2' }),
    ]
    const { changed, fresh } = compareParcels(ours, [incoming({ remote_id: 'F1', tracking_number: 'T2' })])
    expect(changed.map(({ before, after }) => [before.id, after.remote_id])).toEqual([[2, 'F1']])
    expect(fresh).toEqual([])
  })

  test('is each of ours once', () => {
    const one = [held({ remote_id: 'F1', tracking_number: null })]
    const both = [incoming({ tracking_number: 'T1' }), incoming({ tracking_number: 'T2' })]
    const { changed, fresh } = compareParcels(one, both)
    expect(changed.map(({ after }) => after.tracking_number)).toEqual(['T1'])
    expect(fresh.map((parcel) => parcel.tracking_number)).toEqual(['T2'])
  })

  test('is one that we do not hold yet, else', () => {
    expect(compareParcels([], [incoming()])).toEqual({ changed: [], fresh: [incoming()] })
    expect(compareParcels([held({ remote_id: null, tracking_number: null })], [incoming()]).fresh).toEqual([incoming()])
  })

  const fresh = (...parcels: readonly SyncedParcel[]) => compareParcels([], parcels).fresh

  test('is one where it is reported several times, with all that is in it', () => {
    const [a, b] = [incoming({ remote_id: 'A' }), incoming({ remote_id: 'B', items: [{ sku: 'DESK', quantity: 2 }] })]
    expect(fresh(a, b)).toEqual([{ ...b, remote_id: 'A', items: [...a.items, ...b.items] }])
    expect(fresh(incoming({ remote_id: null }), b)).toMatchObject([{ remote_id: 'B' }])
    // The same reported again is the newer of the two, not twice as much.
    expect(fresh(a, { ...a, status: 'DELIVERED' })).toEqual([{ ...a, status: 'DELIVERED' }])
  })

  test.each(['CANCELLED', 'FAILED'])('is not the one that was called off (%s)', (status) => {
    const [off, on] = [incoming({ remote_id: 'A', status }), incoming({ remote_id: 'B' })]
    expect(fresh(off, on)).toEqual([on])
    expect(fresh(on, off)).toEqual([on])
  })

  test('is known by its id where it has no number', () => {
    const [a, b] = ['A', 'B'].map((remote_id) => incoming({ remote_id, tracking_number: null }))
    expect(fresh(incoming({ remote_id: 'A', tracking_number: null }), b ?? incoming())).toHaveLength(2)
    expect(fresh(a ?? incoming(), incoming({ remote_id: 'T1', tracking_number: 'A' }))).toHaveLength(2)
  })
})

describe('the parcels of an order', () => {
  const shipment = {
    ...{ remote_id: 'F1', status: 'in_transit', carrier_code: 'post', carrier_name: null, service: null },
    ...{ tracking_number: 'T1', tracking_url: null, shipped_at: null, delivered_at: null, location_remote_id: null },
    lines: [
      { order_line_remote_id: 'L1', quantity: 1 },
      { order_line_remote_id: 'L2', quantity: 2 },
      { order_line_remote_id: 'L9', quantity: 3 },
    ],
  } as const
  const lines = [
    { remote_id: 'L1', sku: 'LAMP' },
    { remote_id: 'L2', sku: null },
  ]
  const parcels = (...shipments: readonly object[]) =>
    parcelsOf({ shipments, lines } as Parameters<typeof parcelsOf>[0])

  test('name lines, and articles where those have a name', () => {
    expect(parcels(shipment)).toEqual([
      {
        remote_id: 'F1',
        tracking_number: 'T1',
        carrier: 'post',
        tracking_url: null,
        status: 'IN_TRANSIT',
        items: [
          { sku: 'LAMP', order_line_remote_id: 'L1', quantity: 1 },
          { sku: null, order_line_remote_id: 'L2', quantity: 2 },
          { sku: null, order_line_remote_id: 'L9', quantity: 3 },
        ],
        shipped_at: null,
      },
    ])
    expect(parcels({ ...shipment, carrier_name: 'Post' })).toMatchObject([{ carrier: 'Post' }])
  })

  test('are those that can be distinguished', () => {
    const nameless = { ...shipment, remote_id: null, tracking_number: '' }
    expect(parcels(nameless, { ...nameless, remote_id: 'F2' }, { ...nameless, tracking_number: 'T2' })).toMatchObject([
      { remote_id: 'F2', tracking_number: null },
      { remote_id: null, tracking_number: 'T2' },
    ])
    expect(parcels()).toEqual([])
  })
})
