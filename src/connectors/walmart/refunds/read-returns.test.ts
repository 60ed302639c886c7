import { describe, expect, test } from 'vitest'
import { hasSpecifications, noSpecifications, readSample } from '../../../../test/support/vendor-specification.ts'
import { fieldsOf, recordsIn } from '../../../commerce/reading.ts'
import { returns } from './read-returns.ts'

const facts = { shop: '100009.walmart.com', settings: {} }
const line = (status: string, eventTag: string, more: object = {}) => ({
  ...{ purchaseOrderId: '1', purchaseOrderLineNumber: 1, quantity: { measurementValue: 1 }, returnReason: 'DAMAGED' },
  ...{ status, statusTime: '2026-11-02T08:00:00.000Z' },
  returnTrackingDetail: [
    { sequenceNo: 1, eventTag, eventTime: '2026-11-03T08:00:00.000Z' },
    { sequenceNo: 0, eventTag: 'RETURN_INITIATED', eventTime: '2026-11-01T08:00:00.000Z' },
  ],
  ...more,
})
const read = (...returnOrderLines: object[]) =>
  returns.translate({ returnOrderId: 'R1', returnOrderDate: '2026-11-01T08:00:00.000Z', returnOrderLines }, facts)

describe('a return', () => {
  test.each([
    ['INITIATED', 'RETURN_INITIATED', 'requested'],
    ['INITIATED', 'RETURN_IN_TRANSIT', 'approved'],
    ['DELIVERED', 'DELIVERED_AT_RETURN_CENTER', 'received'],
    ['COMPLETED', 'REFUND_ISSUED', 'completed'],
    ['COMPLETED', 'RETURN_CANCELLED', 'cancelled'],
    ['CANCELLED', 'RETURN_INITIATED', 'cancelled'],
    ['LOST', 'RETURN_INITIATED', 'unknown'],
  ])('that is %s after %s is %s', (status, event, expected) => {
    expect(read(line(status, event))).toMatchObject([{ told: { status: expected, remote_status: status } }])
  })

  test('is as far as its lines are together', () => {
    const [way, back, paid, off] = [
      line('INITIATED', 'RETURN_IN_TRANSIT'),
      line('DELIVERED', 'DELIVERED_AT_RETURN_CENTER'),
      line('COMPLETED', 'REFUND_ISSUED'),
      line('COMPLETED', 'RETURN_CANCELLED'),
    ]
    const together = (...lines: object[]) => read(...lines)[0]?.told.status
    expect([together(way, back), together(back, paid), together(paid, off), together(off, off)]).toEqual([
      ...['partially_received', 'received', 'completed', 'cancelled'],
    ])
  })

  test('of several orders is told of each with its own lines, and changed when its last event was', () => {
    const lines = [
      line('INITIATED', 'RETURN_IN_TRANSIT'),
      line('DELIVERED', 'X', { purchaseOrderId: '2', purchaseOrderLineNumber: 4 }),
    ]
    expect(read(...lines)).toMatchObject([
      {
        order_remote_id: '1',
        updated_at: '2026-11-03T08:00:00.000000Z',
        told: { remote_id: 'R1', lines: [{ order_line_remote_id: '1' }] },
      },
      {
        order_remote_id: '2',
        told: { remote_id: 'R1', status: 'received', lines: [{ order_line_remote_id: '4', quantity: 1 }] },
      },
    ])
  })

  test.skipIf(!hasSpecifications)(`of the official sample is understood (else: ${noSpecifications})`, () => {
    const sample = fieldsOf(readSample('walmart/samples/us-mp-returns.getReturns.response-200.json'))
    expect(recordsIn(sample, 'returnOrders').flatMap((raw) => returns.translate(raw, facts))).toEqual([
      {
        order_remote_id: '4790210558890',
        updated_at: '2019-03-02T05:45:45.000000Z',
        told: {
          ...{ remote_id: '103738048909818825', status: 'completed', remote_status: 'COMPLETED' },
          requested_at: '2019-02-21T01:01:08.000000Z',
          lines: [{ order_line_remote_id: '1', quantity: 3, reason: 'ARRIVED_LATE' }],
        },
      },
    ])
  })
})
