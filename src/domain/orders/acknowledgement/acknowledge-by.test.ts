import { describe, expect, test } from 'vitest'
import { bare, whole } from '../../../../test/support/bare-connector.ts'
import { acknowledgeBy, clockOf } from './acknowledge-by.ts'

const clock = { hours: 4, runsIn: ['Created', 'Late'] }
const waiting = {
  status: 'PENDING',
  remote_status: 'Created',
  placed_at: '2026-11-15T22:00:00.123456Z',
  acknowledged_at: null,
  deleted_at: null,
} as const

describe('the clock of a platform', () => {
  const connectors = new Map([
    ['whole', whole],
    ['bare', bare],
  ])
  test.each([
    ['whole', null, whole.acknowledgement?.clock],
    ['bare', null, null],
    ['unheard-of', null, null],
    ['whole', {}, null],
  ])('of %s, described as %j', (type, definition, expected) => {
    expect(clockOf({ connectors }, { type, definition })).toBe(expected)
  })

  test('is none where acknowledgements have no deadline', () => {
    const { clock: _, ...timeless } = whole.acknowledgement ?? { repeatable: true, send: async () => [] }
    const patient = new Map([['whole', { ...whole, acknowledgement: timeless }]])
    expect(clockOf({ connectors: patient }, { type: 'whole', definition: null })).toBeNull()
  })
})

describe('the platform waits for an acknowledgement', () => {
  test('so many hours from when the order was placed', () => {
    expect(acknowledgeBy(clock, waiting)).toBe('2026-11-16T02:00:00.123456Z')
    expect(acknowledgeBy(clock, { ...waiting, remote_status: 'Late' })).toBe('2026-11-16T02:00:00.123456Z')
  })

  test.each([
    ['has no deadline', null, {}],
    ['does not say when it was placed', clock, { placed_at: null }],
    ['does not know the order', clock, { remote_status: null }],
    ['has been told by somebody else', clock, { remote_status: 'Acknowledged' }],
    ['has been told by us', clock, { acknowledged_at: '2026-11-15T23:00:00.000000Z' }],
    ['no longer has it', clock, { deleted_at: '2026-11-15T23:00:00.000000Z' }],
    ['holds it back', clock, { status: 'ON_HOLD' }],
    ['has it sent', clock, { status: 'SHIPPED' }],
  ] as const)('never where it %s', (_, rule, more) => {
    expect(acknowledgeBy(rule, { ...waiting, ...more })).toBeNull()
  })
})
