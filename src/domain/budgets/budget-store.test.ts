import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { blockBucket, correctBucket, pauseBucket, resumeBucket, takeShared, takeTokens } from './budget-store.ts'

let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

const bucket = (key: string) => ({ key, ownKey: key, sharer: null, capacity: 100, perSecond: 0.0001 })
const take = (key: string, cost: number, more: { reserve?: number; spare?: number; probes?: boolean } = {}) =>
  takeTokens(it.context.db, { ...bucket(key), cost, reserve: 0, spare: 0, probes: false, ...more })

test('a platform that wants to be left alone is, for the longest of the times that it has named', async () => {
  await take('a', 1)
  for (const seconds of [60, 5]) await blockBucket(it.context.db, bucket('a'), seconds)
  const taken = await take('a', 1)
  expect([taken.granted, Math.ceil(taken.blockedSeconds)]).toEqual([0, 60])
  await blockBucket(it.context.db, bucket('a'), 300)
  expect(Math.ceil((await take('a', 1)).blockedSeconds)).toBe(300)
})

test('people may look at a shop that is down, and who finds it back opens it for all', async () => {
  await take('down', 1)
  await pauseBucket(it.context.db, bucket('down'), 60)
  const waiting = await take('down', 1)
  expect([waiting.granted, Math.ceil(waiting.blockedSeconds), waiting.paused]).toEqual([0, 60, true])
  expect(await take('down', 1, { probes: true })).toMatchObject({ granted: 1, paused: true })
  await resumeBucket(it.context.db, bucket('down'))
  expect(await take('down', 1)).toMatchObject({ granted: 1, paused: false })
})

test('what is left is corrected downwards only', async () => {
  expect((await take('b', 50)).tokens).toBeCloseTo(50, 0)
  await correctBucket(it.context.db, bucket('b'), { remaining: 90 })
  expect((await take('b', 10)).tokens).toBeCloseTo(40, 0)
  await correctBucket(it.context.db, bucket('b'), { remaining: 5 })
  expect(await take('b', 10)).toMatchObject({ granted: 0, tokens: expect.closeTo(5, 0) })
  await correctBucket(it.context.db, bucket('b'), { capacity: 40 })
  expect(await take('b', 1)).toMatchObject({ granted: 1, capacity: 40 })
})

test('it is all or nothing, and a part stays for others', async () => {
  expect(await take('c', 70)).toMatchObject({ granted: 70 })
  expect(await take('c', 31)).toMatchObject({ granted: 0, tokens: expect.closeTo(30, 0) })
  expect(await take('c', 21, { reserve: 0.1 })).toMatchObject({ granted: 0 })
  expect(await take('c', 20, { reserve: 0.1 })).toMatchObject({ granted: 20 })
  // What costs more than there can be is let through when it is full.
  expect(await take('d', 500)).toMatchObject({ granted: 100, tokens: 0 })
})

test('buckets are one shop’s each', async () => {
  await take('e', 100)
  expect(await take('f', 100)).toMatchObject({ granted: 100 })
})

describe('a bucket that several shops share', () => {
  const slow = { capacity: 100, perSecond: 0.001, cost: 1, reserve: 0, spare: 0, probes: false, plenty: 0.5 }
  const ask = (key: string, sharer: string, more: { cost?: number } = {}) =>
    takeShared(it.context.db, { ...slow, key, ownKey: `${key}|${sharer}`, sharer, ...more })
  /** As much as it gets before it is turned away. */
  async function greed(key: string, sharer: string): Promise<number> {
    for (let got = 0; ; got++) if ((await ask(key, sharer)).granted === 0) return got
  }
  /** As if so many tokens had flowed in. */
  const fill = async (key: string, tokens: number) => {
    for (const table of ['rate_budgets', 'budget_shares']) {
      await it.database.query(
        `update ${table} set refilled_at = refilled_at - make_interval(secs => $2) where key = $1`,
        [key, tokens * 1000],
      )
    }
  }

  test('is all of the only one who wants it', async () => {
    expect(await greed('alone', 'a')).toBe(100)
  })

  test('is nobody’s alone while others want it: one takes the plenty and its part, and no more', async () => {
    for (const modest of ['b', 'c', 'd']) await ask('many', modest)
    const got = await greed('many', 'a')
    expect([got >= 47, got <= 52]).toEqual([true, true])
    // The others are served at once, each to its part.
    for (const modest of ['b', 'c']) expect(await greed('many', modest)).toBeGreaterThanOrEqual(20)
  })

  test('fills again for each in equal parts', async () => {
    for (const modest of ['b', 'c', 'd']) await ask('again', modest)
    await greed('again', 'a')
    await it.database.query("update budget_shares set tokens = 0 where key = 'again'")
    await it.database.query("update rate_budgets set tokens = 0 where key = 'again'")
    await fill('again', 40)
    expect(await greed('again', 'a')).toBe(10)
    expect((await ask('again', 'a')).shareSeconds).toBeGreaterThan(3000)
    for (const other of ['b', 'c', 'd']) expect(await greed('again', other)).toBe(10)
  })

  test('is whole again for who is left when the others have stopped asking', async () => {
    for (const modest of ['b', 'c', 'd']) await ask('quiet', modest)
    await greed('quiet', 'a')
    await it.database.query("update budget_shares set wanted_at = now() - interval '16 minutes' where key = 'quiet'")
    await fill('quiet', 100)
    expect(await greed('quiet', 'a')).toBe(100)
  })

  test('gives to each in turn although a part is less than one request costs', async () => {
    for (let n = 0; n < 200; n++) await ask('crowd', `shop-${n}`)
    await fill('crowd', 30)
    const got = await Promise.all(Array.from({ length: 30 }, (_, n) => ask('crowd', `shop-${n}`)))
    expect(got.filter(({ granted }) => granted > 0).length).toBeGreaterThan(0)
  })

  test('never gives more than it holds, whoever asks at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 300 }, (_, n) => ask('rush', `shop-${n % 7}`)))
    expect(all.filter(({ granted }) => granted > 0).length).toBeLessThanOrEqual(100)
  })

  test('is closed to all when the platform has told one of them to wait; a shop that is down is down alone', async () => {
    await ask('closed', 'a')
    const bucket = { ...slow, key: 'closed', ownKey: 'closed|a', sharer: 'a' }
    await pauseBucket(it.context.db, bucket, 30)
    expect([(await ask('closed', 'a')).granted, (await ask('closed', 'b')).granted]).toEqual([0, 1])
    await blockBucket(it.context.db, bucket, 60)
    expect(Math.ceil((await ask('closed', 'b')).blockedSeconds)).toBe(60)
  })
})
