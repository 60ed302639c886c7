import { expect, test } from 'vitest'
import { unknownStatus, unknownStatusIn } from './unknown-status.ts'

test('a word that nobody has explained holds the order, and says where its meaning can be said', () => {
  expect(unknownStatus('picked', 'statuses')).toEqual({
    status: 'on_hold',
    hold_reason: 'unknown status: picked (statuses can say what it means)',
  })
  expect(unknownStatus('picked', null)).toEqual({ status: 'on_hold', hold_reason: 'unknown status: picked' })
})

test('it is told from what merchants hold back themselves', () => {
  const reasons = [unknownStatus('picked', null).hold_reason, unknownStatus('', 'statuses').hold_reason]
  expect(reasons.map(unknownStatusIn)).toEqual([
    { status: 'picked', setting: null },
    { status: '', setting: 'statuses' },
  ])
  const others = [null, '', 'Fraud check', 'An unknown status: x']
  expect(others.map(unknownStatusIn)).toEqual([null, null, null, null])
})
