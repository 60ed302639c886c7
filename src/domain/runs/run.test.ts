import { expect, test } from 'vitest'
import { completedWords } from './run.ts'

test.each([
  ['sync_orders', { read: 1250, inserted: 1200, updated: 3 }, 'Orders synced: 1,250 read, 1,200 new, 3 changed.'],
  ['sync_inventory', { read: 40, unchanged: 40 }, 'Stock synced: 40 read, nothing new.'],
  ['reconcile', { read: 9, deleted: 1, set_aside: 2 }, 'Compared with the shop: 9 read, 1 removed, 2 quarantined.'],
  ['test_connection', {}, 'Completed: test connection.'],
] as const)('the log says what came of %s', (resource, counts, words) => {
  expect(completedWords(resource, { ...counts }).text).toBe(words)
})
