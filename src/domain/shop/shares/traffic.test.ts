import { afterEach, describe, expect, test, vi } from 'vitest'
import { asPiece } from '../../../lib/turns/piece-of-work.ts'
import { createTraffic, hasLargeAnswer } from './traffic.ts'

const turns = async () => {
  for (let n = 0; n < 20; n++) await Promise.resolve()
}

describe('requests to shops', () => {
  test('of one tenant are so many at once; others are not kept waiting', async () => {
    const traffic = createTraffic({ requests: 2, waitMs: 60_000 })
    const first = await traffic.enter('a')
    await traffic.enter('a')
    let isIn = false
    const third = traffic.enter('a').then((leave) => {
      isIn = true
      return leave
    })
    await traffic.enter('b')
    await turns()
    expect([isIn, traffic.figures()]).toEqual([false, expect.objectContaining({ requests: 3, waiting: 1 })])
    first()
    first()
    const leave = await third
    expect(traffic.figures()).toMatchObject({ requests: 3, waiting: 0 })
    leave()
    expect(traffic.figures()).toMatchObject({ requests: 2 })
  })

  test('that find no place in time are put off', async () => {
    const traffic = createTraffic({ requests: 1, waitMs: 1 })
    const leave = await traffic.enter('a')
    await expect(traffic.enter('a')).rejects.toMatchObject({ kind: 'upstream_retryable', retryAfterSeconds: 10 })
    expect(traffic.figures()).toMatchObject({ requests: 1, waiting: 0, refused: 1 })
    leave()
    expect(traffic.figures()).toMatchObject({ requests: 0 })
  })
})

/** A piece of work with a large answer, until it is told to end. */
function largeWork(traffic: ReturnType<typeof createTraffic>, holder: string) {
  let end: () => void = () => undefined
  const state = { hasRoom: false }
  const over = asPiece(async () => {
    const letNextIn = await traffic.room(holder)
    state.hasRoom = hasLargeAnswer()
    letNextIn()
    const letGo = await traffic.room(holder)
    await new Promise<void>((resolve) => {
      end = resolve
    })
    letGo()
  })
  return {
    state,
    async end() {
      end()
      await over
      await turns()
    },
  }
}

describe('large answers', () => {
  afterEach(() => vi.useRealTimers())

  test('are held by one piece of work of a tenant at a time, in the order in which they came', async () => {
    const traffic = createTraffic({ large: 4, restMs: 0 })
    const [first, second, third] = [1, 2, 3].map(() => largeWork(traffic, 'a'))
    const other = largeWork(traffic, 'b')
    await turns()
    const state = () => [first, second, third, other].map((work) => work?.state.hasRoom)
    expect(state()).toEqual([true, false, false, true])
    expect(traffic.figures()).toMatchObject({ large: 2, waitingLarge: 2 })
    await first?.end()
    expect(state()).toEqual([true, true, false, true])
    await second?.end()
    expect(state()).toEqual([true, true, true, true])
    await Promise.all([third?.end(), other.end()])
    expect(traffic.figures()).toMatchObject({ large: 0, waitingLarge: 0 })
  })

  test('are held by so many tenants at once', async () => {
    const traffic = createTraffic({ large: 2, restMs: 0 })
    const works = ['a', 'b', 'c', 'd'].map((holder) => largeWork(traffic, holder))
    await turns()
    expect(works.map(({ state }) => state.hasRoom)).toEqual([true, true, false, false])
    for (const work of works) await work.end()
    expect(traffic.figures()).toMatchObject({ large: 0, waitingLarge: 0 })
  })

  test('of one tenant do not follow each other at once, and keep no other tenant waiting', async () => {
    const traffic = createTraffic({ large: 2, restMs: 3_600_000 })
    const [first, second] = [largeWork(traffic, 'a'), largeWork(traffic, 'a')]
    await turns()
    await first.end()
    const other = largeWork(traffic, 'b')
    await turns()
    expect([second.state.hasRoom, other.state.hasRoom]).toEqual([false, true])
    expect(traffic.figures()).toMatchObject({ large: 1, waitingLarge: 1 })
    await other.end()
  })

  test('have their turn when the tenant has rested', async () => {
    const traffic = createTraffic({ large: 2, restMs: 1 })
    const [first, second] = [largeWork(traffic, 'a'), largeWork(traffic, 'a')]
    await turns()
    await first.end()
    await expect.poll(() => second.state.hasRoom).toBe(true)
    await second.end()
  })

  test.each([
    ['twice as long as it took', 600, 1200],
    ['a little at least', 10, 250],
    ['not for ever', 60_000, 2000],
  ])('let the tenant rest %s', async (_, tookMs, restMs) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
    const traffic = createTraffic()
    const [first, second] = [largeWork(traffic, 'a'), largeWork(traffic, 'a')]
    await turns()
    await vi.advanceTimersByTimeAsync(tookMs)
    await first.end()
    await vi.advanceTimersByTimeAsync(restMs - 1)
    expect(second.state.hasRoom).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await turns()
    expect(second.state.hasRoom).toBe(true)
    await second.end()
  })

  test('of one piece of work are read one after the other, however many it has asked for', async () => {
    const traffic = createTraffic({ restMs: 0 })
    const read: string[] = []
    await asPiece(async () => {
      const [first, second, third] = ['first', 'second', 'third'].map(async (name) => {
        const letNextIn = await traffic.room('a')
        read.push(name)
        return letNextIn
      })
      await turns()
      expect(read).toEqual(['first'])
      ;(await first)?.()
      await turns()
      expect(read).toEqual(['first', 'second'])
      ;(await second)?.()
      ;(await third)?.()
      expect(read).toEqual(['first', 'second', 'third'])
    })
  })

  test('that are still read when their piece of work is over keep those of the next one waiting', async () => {
    const traffic = createTraffic({ restMs: 0 })
    const letNextIn = await asPiece(() => traffic.room('a'))
    const next = largeWork(traffic, 'a')
    await turns()
    expect(next.state.hasRoom).toBe(false)
    letNextIn()
    await turns()
    expect(next.state.hasRoom).toBe(true)
    await next.end()
  })

  test('belong to nobody once the work that waited for them is over', async () => {
    const traffic = createTraffic({ large: 1, restMs: 0 })
    const first = largeWork(traffic, 'a')
    await turns()
    await asPiece(async () => void traffic.room('a'))
    await first.end()
    expect(traffic.figures()).toMatchObject({ large: 0, waitingLarge: 0 })
    expect(hasLargeAnswer()).toBe(false)
  })
})
