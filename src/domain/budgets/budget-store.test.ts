import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { blockBucket, correctBucket, pauseBucket, resumeBucket, takeTokens } from './budget-store.ts'

let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

const bucket = (key: string) => ({ key, capacity: 100, perSecond: 0.0001 })
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
