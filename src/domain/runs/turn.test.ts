import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { turnsOfRuns, turnsOfSteps } from './turn-store.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const connect = async () => {
  const { integration } = await makeIntegration(tested.context, { appId: await makeApp(tested.context) })
  return {
    id: integration.id,
    run: async (reached: number | null) => (await turnsOfRuns(tested.context.db, [integration.id], reached))[0],
    step: async (reached: number | null) => (await turnsOfSteps(tested.context.db, [integration.id], reached))[0],
  }
}

test('many of one tenant stand in line, and one of another goes next, however late it comes', async () => {
  const [many, few] = [await connect(), await connect()]
  expect(await many.run(null)).toBe(0)
  for (let n = 1; n <= 50; n++) expect(await many.run(0)).toBe(n)
  expect(await few.run(20)).toBe(20)
  expect(await few.run(20)).toBe(21)
  expect(await many.run(20)).toBe(51)
  // The queue of short runs has turns of its own.
  expect(await few.step(null)).toBe(0)
  // Nothing waits: all begin where the furthest is.
  expect(await few.run(null)).toBe(51)
  expect(await (await connect()).run(null)).toBe(51)
})

test('a batch of several tenants gets the turns that its runs would have got one by one', async () => {
  const [many, few] = [await connect(), await connect()]
  const start = (await many.run(null)) ?? 0
  const batch = [many.id, few.id, many.id, many.id, few.id]
  expect(await turnsOfRuns(tested.context.db, batch, start)).toEqual([
    start + 1,
    start,
    start + 2,
    start + 3,
    start + 1,
  ])
  expect(await turnsOfRuns(tested.context.db, batch, start + 10)).toEqual([10, 10, 11, 12, 11].map((n) => start + n))
  expect(await turnsOfRuns(tested.context.db, [], start)).toEqual([])
})
