import { expect, test } from 'vitest'
import { asPiece, currentPiece, hasCompany } from './piece-of-work.ts'
import { takeTurns } from './turns.ts'

/** How often everybody else could have gone on while heavy work let them. */
async function turnsOfOthers(): Promise<number> {
  const piece = currentPiece()
  if (!piece) throw new Error('Not a piece of work.')
  piece.isHeavy = true
  const turns = takeTurns({ isBegun: true })
  const until = performance.now() + 50
  while (performance.now() < until);
  let isOver = false
  let count = 0
  const loop = () => {
    count++
    if (!isOver) setImmediate(loop)
  }
  setImmediate(loop)
  await turns.yield()
  isOver = true
  return count
}

test('heavy work rests beside others, and goes on at once where it is alone', async () => {
  await expect.poll(hasCompany, { timeout: 5000 }).toBe(false)
  expect(await asPiece(turnsOfOthers)).toBeLessThanOrEqual(2)
  const beside = Promise.withResolvers<void>()
  const others = asPiece(() => beside.promise)
  expect(await asPiece(turnsOfOthers)).toBeGreaterThan(10)
  beside.resolve()
  await others
  // Who asked for something just now will ask again.
  expect(await asPiece(turnsOfOthers)).toBeGreaterThan(10)
})
