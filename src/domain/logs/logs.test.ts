import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { said } from '../../../test/support/said.ts'
import { redact } from './log.ts'
import { dropOldMonths, makeMonth, monthsAhead } from './log-months-store.ts'
import { appendLog, newestLogs } from './log-store.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

const anchor = (id: number) =>
  tested.context.db.insertInto('integration_state').values({ integration_id: id }).execute()

test('what is secret by its name is not kept, however deep it lies', () => {
  const redacted = redact({ api_key: 'a', nested: [{ access_token: 'b', shop: 'c' }], Authorization: 'd', sku: 'e' })
  expect(redacted).toEqual({
    api_key: '[redacted]',
    nested: [{ access_token: '[redacted]', shop: 'c' }],
    Authorization: '[redacted]',
    sku: 'e',
  })
})

test('an endless text is cut', () => {
  expect(String(redact('x'.repeat(5000)))).toHaveLength(2001)
})

test('the newest entries of many integrations come in one read', async () => {
  const { db } = tested.context
  for (const id of [1, 2]) await anchor(id)
  for (let n = 0; n < 15; n++) {
    await appendLog(db, 1, { level: 'info', event: 'test', words: said(`one ${n}`), context: { secret: 'x' } })
  }
  await appendLog(db, 2, { level: 'error', event: 'test', words: said('two') })
  const logs = await newestLogs(db, [1, 2, 3])
  expect(logs.filter((log) => log.integration_id === 1)).toHaveLength(10)
  expect(logs.find((log) => log.integration_id === 1)).toMatchObject({
    message: 'one 14',
    context: { secret: '[redacted]' },
  })
  expect(logs.filter((log) => log.integration_id === 2)).toMatchObject([{ level: 'error', message: 'two' }])
})

test('entries of this month lie in the partition of this month', async () => {
  const { rows } = await tested.database.pool.query('select count(*) as n from integration_logs_default')
  expect(rows[0].n).toBe(0)
})

test('months are made ahead once, and old ones are dropped', async () => {
  const { db } = tested.context
  const months = await monthsAhead(db, 4)
  const made = []
  for (const month of months) made.push(await makeMonth(db, month))
  expect(made).toEqual([false, false, false, true, true])
  expect(await makeMonth(db, '2020-01-01')).toBe(true)
  expect(await dropOldMonths(db, 3)).toBe(1)
  expect(await dropOldMonths(db, 3)).toBe(0)
})
