import { expect, test } from 'vitest'
import { standStill } from '../../../test/support/stand-still.ts'
import { inTurns } from './in-turns.ts'

test('a long list is gone through in order, and others have their turns in between', async () => {
  const items = Array.from({ length: 50 }, (_, n) => n)
  const done: number[] = []
  let turns = 0
  const others = setInterval(() => turns++, 0)
  await inTurns(items, (item) => {
    standStill(5)
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

test('of many lists that are gone through at once, one goes on in each turn of the loop', async () => {
  const inOneTurn: number[] = [0]
  let isOver = false
  const loop = () => {
    inOneTurn.push(0)
    if (!isOver) setImmediate(loop)
  }
  const long = () => {
    standStill(6)
    inOneTurn.push((inOneTurn.pop() ?? 0) + 1)
  }
  setImmediate(loop)
  const items = Array.from({ length: 9 }, (_, n) => n)
  await Promise.all(Array.from({ length: 8 }, () => inTurns(items, long)))
  isOver = true
  expect(inOneTurn.reduce((sum, count) => sum + count)).toBe(72)
  // Whoever counts may be before or after them in the turn.
  expect(Math.max(...inOneTurn)).toBeLessThanOrEqual(2)
})
