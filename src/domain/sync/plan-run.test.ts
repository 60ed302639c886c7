import { describe, expect, test } from 'vitest'
import { isReconciliation, planOf } from './plan-run.ts'

const since = '2026-11-14T12:00:00Z'

describe('a run reads', () => {
  test.each([
    ['sync_orders', {}, { kinds: ['orders'], mode: 'incremental', since: null }],
    ['sync_products', { mode: 'full' }, { kinds: ['products'], mode: 'full', since: null }],
    ['sync_inventory', { updated_since: since }, { kinds: ['inventory'], mode: 'incremental', since }],
    ['reconcile', {}, { kinds: ['orders', 'products', 'inventory'], mode: 'compare', since: null }],
    ['reconcile', { resources: ['products'], updated_since: since }, { kinds: ['products'], mode: 'compare', since }],
  ])('%s with %j', (resource, input, plan) => {
    expect(planOf({ resource, input })).toEqual(plan)
  })

  test.each([null, [], ['full'], 'full', 5])('what is usual, where its input is %j', (input) => {
    expect(planOf({ resource: 'sync_orders', input })).toEqual({ kinds: ['orders'], mode: 'incremental', since: null })
    expect(planOf({ resource: 'reconcile', input })).toMatchObject({ mode: 'compare', since: null })
  })

  test.each(['sync_customers', 'get_orders', 'toString', ''])(
    'nothing, where this version does not know %j',
    (resource) => {
      expect(planOf({ resource, input: {} })).toBeNull()
    },
  )

  test('what its input says, or it is refused', () => {
    expect(() => planOf({ resource: 'sync_orders', input: { mode: 'half' } })).toThrow('mode')
    expect(() => planOf({ resource: 'reconcile', input: { resources: ['customers'] } })).toThrow('resources')
  })
})

test('only a comparison is a reconciliation', () => {
  const plan = { kinds: ['orders'], since: null } as const
  expect((['incremental', 'full', 'compare'] as const).map((mode) => isReconciliation({ ...plan, mode }))).toEqual([
    false,
    false,
    true,
  ])
})
