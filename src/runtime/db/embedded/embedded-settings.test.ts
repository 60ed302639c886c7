import { expect, test } from 'vitest'
import { findMachine, settingsFor } from './embedded-settings.ts'

const gigabyte = 2 ** 30

test.each([
  ['a small machine', { memory: gigabyte / 2, disk: 100 * gigabyte }, ['128MB', '64MB', '2048MB']],
  ['a laptop', { memory: 8 * gigabyte, disk: 100 * gigabyte }, ['512MB', '64MB', '2048MB']],
  ['a server', { memory: 24 * gigabyte, disk: 1000 * gigabyte }, ['1536MB', '192MB', '2048MB']],
  ['a large one', { memory: 512 * gigabyte, disk: 1000 * gigabyte }, ['2048MB', '256MB', '2048MB']],
  ['a disk that is nearly full', { memory: 8 * gigabyte, disk: 4 * gigabyte }, ['512MB', '64MB', '410MB']],
  ['one that is full', { memory: 8 * gigabyte, disk: 0 }, ['512MB', '64MB', '256MB']],
])('on %s', (_, machine, expected) => {
  const { shared_buffers: buffers, maintenance_work_mem: work, max_wal_size: wal } = settingsFor(machine)
  expect([buffers, work, wal]).toEqual(expected)
})

test('this machine has memory and a disk', async () => {
  const { memory, disk } = await findMachine(import.meta.dirname)
  expect(memory).toBeGreaterThan(gigabyte / 4)
  expect(memory).toBeLessThan(2 ** 50)
  expect(disk).toBeGreaterThan(0)
})
