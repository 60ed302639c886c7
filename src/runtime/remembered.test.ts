import { expect, test } from 'vitest'
import { remembered } from './remembered.ts'

test('an answer is read once for all who ask within its time', async () => {
  let [clock, reads] = [0, 0]
  const read = remembered(
    5,
    async () => ++reads,
    () => clock,
  )
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  clock = 4999
  expect(await read()).toBe(1)
  clock = 5000
  expect(await read()).toBe(2)
})

test('a read that fails is not remembered', async () => {
  let fails = true
  const read = remembered(60, async () => {
    if (fails) throw new Error('away')
    return 'there'
  })
  await expect(read()).rejects.toThrow('away')
  fails = false
  expect(await read()).toBe('there')
})
