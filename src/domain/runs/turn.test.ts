import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { turnOf } from './turn-store.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const connect = async () => {
  const { integration } = await makeIntegration(tested.context, { appId: await makeApp(tested.context) })
  return (reached: number | null, queue: 'runs' | 'steps' = 'runs') =>
    turnOf(tested.context.db, queue, integration.id)(reached)
}

test('many of one tenant stand in line, and one of another goes next, however late it comes', async () => {
  const [many, few] = [await connect(), await connect()]
  expect(await many(null)).toBe(0)
  for (let n = 1; n <= 50; n++) expect(await many(0)).toBe(n)
  expect(await few(20)).toBe(20)
  expect(await few(20)).toBe(21)
  expect(await many(20)).toBe(51)
  // The queue of short runs has turns of its own.
  expect(await few(null, 'steps')).toBe(0)
  // Nothing waits: all begin where the furthest is.
  expect(await few(null)).toBe(51)
  expect(await (await connect())(null)).toBe(51)
})
