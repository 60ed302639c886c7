import { expect, test } from 'vitest'
import { asPiece } from '../../lib/turns/piece-of-work.ts'
import { isDatabaseAway } from './database-away.ts'
import { fairConnections } from './fair-connections.ts'

/** A piece of work that holds a connection until it is let go. */
function holding(enter: () => Promise<() => void>, owner: string | null) {
  const { promise: over, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: held, resolve: hold } = Promise.withResolvers<void>()
  const done = asPiece(async () => {
    const leave = await enter()
    hold()
    await over
    leave()
  }, owner)
  done.catch(() => undefined)
  return { held, done, letGo }
}

test('requests of one caller hold so many at once, those of others theirs, and jobs as many as there are', async () => {
  const enter = fairConnections(2, 10_000)
  const [first, second, third] = [holding(enter, 'a'), holding(enter, 'a'), holding(enter, 'a')]
  await Promise.all([first.held, second.held, holding(enter, 'b').held])
  await Promise.all([1, 2, 3].map(() => holding(enter, null).held))
  let isHeld = false
  third.held.then(() => {
    isHeld = true
  })
  await new Promise(setImmediate)
  expect(isHeld).toBe(false)
  second.letGo()
  await third.held
})

test('one that holds a connection is given another, and its place is free when it has none', async () => {
  const enter = fairConnections(1, 10_000)
  const waiting = holding(enter, 'b')
  await waiting.held
  await asPiece(async () => {
    const [one, other] = [await enter(), await enter()]
    other()
    one()
  }, 'a')
  const next = holding(enter, 'a')
  await next.held
})

test('who waits for too long is told what a pool without connections says', async () => {
  const enter = fairConnections(1, 1)
  const first = holding(enter, 'a')
  await first.held
  const error: unknown = await holding(enter, 'a').done.catch((problem: unknown) => problem)
  expect(isDatabaseAway(error)).toBe(true)
  first.letGo()
  await first.done
  await holding(enter, 'a').held
})
