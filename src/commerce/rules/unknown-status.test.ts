import { expect, test } from 'vitest'
import { isUnknownStatus, unknownStatus } from './unknown-status.ts'

test('a word that nobody has explained holds the order, and says where its meaning can be said', () => {
  expect(unknownStatus('picked', 'statuses')).toEqual({
    status: 'on_hold',
    hold_reason: 'unknown status: picked (statuses can say what it means)',
  })
  expect(unknownStatus('picked', null)).toEqual({ status: 'on_hold', hold_reason: 'unknown status: picked' })
})

test('it is told from what merchants hold back themselves', () => {
  const reasons = [unknownStatus('picked', null).hold_reason, unknownStatus('', 'statuses').hold_reason]
  expect(reasons.map(isUnknownStatus)).toEqual([true, true])
  expect([null, '', 'Fraud check', 'An unknown status: x'].map(isUnknownStatus)).toEqual([false, false, false, false])
})
