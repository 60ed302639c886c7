import { expect, test } from 'vitest'
import { inTurns } from './in-turns.ts'

test('a long list is gone through in order, and others have their turns in between', async () => {
  const items = Array.from({ length: 50 }, (_, n) => n)
  const done: number[] = []
  let turns = 0
  const others = setInterval(() => turns++, 0)
  await inTurns(items, (item) => {
    const until = performance.now() + 5
    while (performance.now() < until);
    done.push(item)
  })
  clearInterval(others)
  expect(done).toEqual(items)
  expect(turns).toBeGreaterThan(5)
})

test('what fails ends it', async () => {
  await expect(
    inTurns([1, 2], () => {
      throw new Error('enough')
    }),
  ).rejects.toThrow('enough')
})
