import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { rateWindows } from './rate-windows.ts'

let it: TestContext
let add: ReturnType<typeof rateWindows>
beforeAll(async () => {
  it = await createTestContext()
  add = rateWindows(it.database.reader)
})
afterAll(() => it.close())

const hit = async (key: string, hits = 1, resetsAtMs: number | null = null) => {
  const [window] = await add([{ key, hits, resetsAtMs }])
  if (!window) throw new Error('There is no window.')
  return window
}
const pass = (key: string, seconds: number) =>
  sql`update rate_windows set resets_at = resets_at - make_interval(secs => ${seconds}) where key = ${key}`.execute(
    it.context.db,
  )

test('a window lasts a minute from its first hit, however many follow', async () => {
  const first = await hit('a')
  expect([first.hits, Math.round((first.resetsAtMs - Date.now()) / 1000)]).toEqual([1, 60])
  await pass('a', 50)
  const second = await hit('a')
  expect(second.hits).toBe(2)
  expect(first.resetsAtMs - second.resetsAtMs).toBeCloseTo(50_000, -1)
  await pass('a', 11)
  const third = await hit('a')
  expect(third.hits).toBe(1)
  expect(third.resetsAtMs).toBeGreaterThan(Date.now() + 55_000)
})

test('a window that is brought along keeps its end', async () => {
  const end = Date.now() + 20_000
  expect(await hit('b', 5, end)).toEqual({ key: 'b', hits: 5, resetsAtMs: expect.closeTo(end, 0) })
  expect(await hit('b', 2, end + 30_000)).toEqual({ key: 'b', hits: 7, resetsAtMs: expect.closeTo(end, 0) })
})

test('several at once are counted each by itself, and a look adds nothing', async () => {
  const windows = await add(['y', 'x'].map((key) => ({ key, hits: 3, resetsAtMs: null })))
  expect(windows.map(({ key, hits }) => [key, hits])).toEqual([
    ['x', 3],
    ['y', 3],
  ])
  expect((await hit('x', 0)).hits).toBe(3)
})
