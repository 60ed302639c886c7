import { afterEach, expect, test } from 'vitest'
import type { AddHits } from './rate-batch.ts'
import { createRateLimiter, type RateLimiter } from './rate-limit.ts'

/** The table `rate_windows` with a clock that the test moves. */
function createWorld() {
  let now = 1_000_000
  let statements = 0
  let away = false
  const rows = new Map<string, { hits: number; resetsAtMs: number }>()
  const addHits: AddHits = async (additions) => {
    statements++
    await new Promise((resolve) => setImmediate(resolve))
    if (away) throw new Error('The database is away.')
    return additions.map(({ key, hits, resetsAtMs }) => {
      const row = rows.get(key)
      const live = row && row.resetsAtMs > now
      const counted = {
        hits: live ? row.hits + hits : hits,
        resetsAtMs: live ? row.resetsAtMs : (resetsAtMs ?? now + 60_000),
      }
      rows.set(key, counted)
      return { key, ...counted }
    })
  }
  const limiters: RateLimiter[] = []
  return {
    rows,
    limiters,
    limiter: () => {
      const limiter = createRateLimiter(addHits, () => now)
      limiters.push(limiter)
      return limiter
    },
    pass: (ms: number) => {
      now += ms
    },
    setAway: (value: boolean) => {
      away = value
    },
    get statements() {
      return statements
    },
  }
}

let world = createWorld()
afterEach(() => {
  for (const limiter of world.limiters) limiter.close()
  world = createWorld()
})

async function hits(limiter: RateLimiter, times: number, limit = 10): Promise<number> {
  const windows = await Promise.all(Array.from({ length: times }, () => limiter.hit('user:1', limit)))
  return windows.filter((window) => window.allowed).length
}

test('exactly the limit passes, and then nothing until the window ends', async () => {
  const limiter = world.limiter()
  expect(await hits(limiter, 30)).toBe(10)
  world.pass(59_999)
  expect(await hits(limiter, 1)).toBe(0)
  world.pass(1)
  expect(await hits(limiter, 30)).toBe(10)
})

test('the window begins with the first hit, and says what is left and when it ends', async () => {
  const limiter = world.limiter()
  world.pass(500)
  expect(await limiter.hit('user:1', 2)).toEqual({ allowed: true, limit: 2, remaining: 1, resetsAt: 1061 })
  world.pass(30_000)
  expect(await limiter.hit('user:1', 2)).toEqual({ allowed: true, limit: 2, remaining: 0, resetsAt: 1061 })
  expect(await limiter.hit('user:1', 2)).toEqual({ allowed: false, limit: 2, remaining: 0, resetsAt: 1061 })
})

test('one process alone asks the database nothing', async () => {
  await hits(world.limiter(), 20)
  expect(world.statements).toBe(0)
})

test('subjects do not touch each other', async () => {
  const limiter = world.limiter()
  await hits(limiter, 10)
  expect(await limiter.hit('user:2', 10)).toMatchObject({ allowed: true, remaining: 9 })
})

test('two that share let exactly the limit pass, in few statements', async () => {
  const [one, two] = [world.limiter(), world.limiter()]
  await Promise.all([one.share(), two.share()])
  const passed = await Promise.all([hits(one, 100, 60), hits(two, 100, 60)])
  expect(passed[0] + passed[1]).toBe(60)
  expect(world.statements).toBeLessThan(10)
})

test('what was counted in memory is carried over', async () => {
  const [one, two] = [world.limiter(), world.limiter()]
  expect(await hits(one, 7)).toBe(7)
  await Promise.all([one.share(), two.share()])
  expect((await hits(one, 5)) + (await hits(two, 5))).toBe(3)
})

test('the carried window keeps its end', async () => {
  const one = world.limiter()
  const { resetsAt } = await one.hit('user:1', 10)
  world.pass(40_000)
  await one.share()
  expect(await one.hit('user:1', 10)).toMatchObject({ remaining: 8, resetsAt })
  world.pass(20_000)
  expect(await one.hit('user:1', 10)).toMatchObject({ remaining: 9 })
})

test('back in memory the count goes on, also over the limit', async () => {
  const one = world.limiter()
  await one.share()
  expect(await hits(one, 25)).toBe(10)
  one.stopSharing()
  expect(await one.hit('user:1', 10)).toMatchObject({ allowed: false, remaining: 0 })
  expect(await hits(one, 5)).toBe(0)
})

test('each key is looked up once after sharing ends', async () => {
  const one = world.limiter()
  await one.share()
  await hits(one, 2)
  one.stopSharing()
  const before = world.statements
  expect(await hits(one, 20)).toBe(8)
  expect(world.statements - before).toBe(1)
})

test('sharing, alone, sharing again counts every hit once', async () => {
  const one = world.limiter()
  await one.share()
  await hits(one, 3)
  one.stopSharing()
  await hits(one, 2)
  await one.share()
  expect(await one.hit('user:1', 10)).toMatchObject({ remaining: 4 })
  one.stopSharing()
  await hits(one, 1)
  await one.share()
  expect(await one.hit('user:1', 10)).toMatchObject({ remaining: 2 })
})

test('hits that are under way when the mode changes are neither lost nor doubled', async () => {
  const one = world.limiter()
  const all: Promise<number>[] = []
  for (let round = 0; round < 5; round++) {
    all.push(hits(one, 7, 1000))
    const sharing = one.share()
    all.push(hits(one, 7, 1000))
    await sharing
    all.push(hits(one, 7, 1000))
    one.stopSharing()
    all.push(hits(one, 7, 1000))
  }
  await Promise.all(all)
  await one.share()
  expect(await one.hit('user:1', 1000)).toMatchObject({ remaining: 1000 - 5 * 4 * 7 - 1 })
})

test('while the database is away a shared hit fails, and what was in memory is carried over later', async () => {
  const one = world.limiter()
  await hits(one, 4)
  world.setAway(true)
  await expect(one.share()).rejects.toThrow('away')
  await expect(one.hit('user:1', 10)).rejects.toThrow('away')
  world.setAway(false)
  expect(await one.hit('user:1', 10)).toMatchObject({ remaining: 5 })
})
