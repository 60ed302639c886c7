import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { said } from '../../../test/support/said.ts'
import { clearTablesWith } from '../../../test/support/tables-with.ts'
import { readMigrations } from '../../runtime/db/migration-files.ts'
import { destroyKey } from '../../runtime/db/vault/vault.ts'
import { appendLog, listLogs } from '../logs/log-store.ts'
import { listRuns } from '../runs/run-store.ts'
import { openAnswers, type SealedAnswer } from '../webhooks/sealed-answer.ts'
import { sealStoredRows } from './seal-stored.ts'
import { countUnsealed } from './sealable-store.ts'

/** Reports, ends of runs and answers of endpoints that were written before what shops say was sealed in them. */

let tested: TestContext
let id: number
const word = 'zebrafinch'
const seal = () => sealStoredRows.run(tested.context, {}, { attempt: 1, signal: new AbortController().signal })
const run = <Row>(text: string, ...values: unknown[]) => tested.database.query<Row & object>(text, values)
const everyPage = { page: 1, perPage: 500, filter: {}, sort: [{ field: 'id', descending: false }] }

beforeAll(async () => {
  tested = await createTestContext('nobody')
})
afterAll(() => tested.close())
beforeEach(async () => {
  id = (await makeIntegration(tested.context, { appId: null })).integration.id
})

/** The tables as they were; the rows that `plant` makes are marked by the migration itself. */
async function fromBefore(plant: () => Promise<void>): Promise<void> {
  const tables = ['integration_logs', 'runs', 'webhook_attempts']
  for (const table of tables) {
    // Those of other tests would be marked once more.
    await run(`delete from ${table}`)
    await run(`alter table ${table} drop column to_seal`)
  }
  await plant()
  const migration = (await readMigrations()).find(({ name }) => name === '0077_seal_from_before')
  for (const statement of migration?.statements ?? expect.fail()) await run(statement)
}

const unsealed = async () =>
  Object.fromEntries(
    (await countUnsealed(tested.context.db)).flatMap(({ table, rows }) => (rows ? [[table, rows]] : [])),
  )

describe('reports', () => {
  const plant = (message: string, more: { at?: string; context?: object } = {}) =>
    run(
      `insert into integration_logs (integration_id, level, event, message, context, at)
       values ($1, 'warning', 'sync.failed', $2, $3, now() - interval '40 days' + $4::interval)`,
      id,
      message,
      more.context ?? null,
      more.at ?? '0',
    )
  const read = async () =>
    (await listLogs(tested.context.reader, id, everyPage)).rows.map(({ message, context }) => [message, context])

  test('are marked where they are, sealed and read as they did', async () => {
    await fromBefore(async () => {
      await plant(`${word} is no number.`, { context: { records: [{ remote_id: '7', reason: word }] } })
      await plant('Connected.')
    })
    // Those that come are not looked at.
    await appendLog(tested.context.db, id, { level: 'info', event: 'sync.done', words: said('All is here.') })
    const asTheyWere = await read()
    expect(await unsealed()).toEqual({ integration_logs: 2 })
    expect(await clearTablesWith(tested.context.db, word)).toEqual([expect.stringMatching(/^integration_logs/)])
    await seal()
    expect(await unsealed()).toEqual({})
    expect(await clearTablesWith(tested.context.db, word)).toEqual([])
    expect(await read()).toEqual(asTheyWere)
    expect(asTheyWere).toHaveLength(3)
  })

  test('that were written since then stay findable, and what is sealed already stays as it is', async () => {
    await fromBefore(async () => {
      await appendLog(tested.context.db, id, { level: 'info', event: 'a', words: said('Ours.') })
      await plant('Ours as well.', { at: '42 days' })
      await appendLog(tested.context.db, id, {
        level: 'info',
        event: 'b',
        words: said('Ours.'),
        said: { words: said(word) },
      })
    })
    // What was said in the first day may be of the version before.
    await run(`update migrations set applied_at = now() - interval '3 days' where name = '0060_sealed_reports'`)
    const asTheyWere = await read()
    await seal()
    expect(await unsealed()).toEqual({})
    expect(await read()).toEqual(asTheyWere)
    const found = await listLogs(tested.context.reader, id, { ...everyPage, filter: { q: ['ours'] } })
    expect(found.total).toBe(3)
  })

  test('go with the key', async () => {
    await fromBefore(async () => void (await plant(word)))
    await seal()
    await tested.context.transaction((trx) => destroyKey(trx, id))
    expect(await read()).toEqual([['[redacted]', null]])
  })

  test('of many are sealed a hundred at a time, until none is left', async () => {
    await fromBefore(async () => {
      await run(
        `insert into integration_logs (integration_id, level, event, message, at)
         select $1, 'warning', 'e', '${word} ' || n, now() - interval '40 days' from generate_series(1, 250) n`,
        id,
      )
    })
    await seal()
    expect([await unsealed(), await clearTablesWith(tested.context.db, word)]).toEqual([{}, []])
    expect(new Set((await read()).map(([message]) => message)).size).toBe(250)
  })
})

describe('runs', () => {
  const read = async () =>
    (await listRuns(tested.context.reader, id, everyPage)).rows.map(({ status, result, error }) => [
      status,
      result,
      error,
    ])

  test('that are over are sealed with how they ended; those under way are left alone', async () => {
    await fromBefore(async () => {
      await run(
        `insert into runs (integration_id, resource, status, result, error) values
          ($1, 'get_order', 'completed', '{"result": {"email": "${word}"}}', null),
          ($1, 'sync_orders', 'failed', '{"orders": 7}', '${word} is no number.'),
          ($1, 'sync_orders', 'cancelled', null, 'The integration was uninstalled.'),
          ($1, 'sync_orders', 'completed', null, null), ($1, 'sync_orders', 'running', null, null)`,
        id,
      )
    })
    const asTheyWere = await read()
    expect(await unsealed()).toEqual({ runs: 4 })
    await seal()
    expect([await unsealed(), await clearTablesWith(tested.context.db, word)]).toEqual([{}, []])
    expect(await read()).toEqual(asTheyWere)
    await run(`update runs set status = 'completed' where integration_id = $1 and status = 'running'`, id)
    expect(await unsealed()).toEqual({ runs: 1 })
    await seal()
    expect(await unsealed()).toEqual({})
  })
})

describe('answers of endpoints', () => {
  async function plantDelivery(integrationId: number | null): Promise<number> {
    const [event] = await run<{ id: number }>(
      `insert into webhook_events (integration_id, type, subject, data) values ($1, 'order.updated', 's', '{}') returning id`,
      integrationId,
    )
    const [delivery] = await run<{ id: number }>(
      `insert into webhook_deliveries (webhook_id, event_id, type, subject, state)
       values (1, $1, 'order.updated', 's', 'delivered') returning id`,
      event?.id,
    )
    return delivery?.id ?? expect.fail()
  }
  const plantAttempt = (delivery: number, body: string | null) =>
    run(
      `insert into webhook_attempts (delivery_id, number, trigger, response_status, response_body, duration_ms, at)
       values ($1, 1, 'schedule', 200, $2, 5, now())`,
      delivery,
      body,
    )
  const bodyOf = async (delivery: number) => {
    const rows = await run<SealedAnswer>(`select * from webhook_attempts where delivery_id = $1`, delivery)
    return (await openAnswers(tested.context.db, rows)).map(({ response_body: body }) => body)
  }

  test('are sealed for the shop that the news was about, and gone where nobody knows which that was', async () => {
    const [ours, ofWebhooks] = [await plantDelivery(id), await plantDelivery(null)]
    await fromBefore(async () => {
      await plantAttempt(ours, `{"email":"${word}"}`)
      await plantAttempt(ofWebhooks, 'thanks')
      await plantAttempt(999_999, word)
    })
    expect(await unsealed()).toEqual({ webhook_attempts: 3 })
    await seal()
    expect([await unsealed(), await clearTablesWith(tested.context.db, word)]).toEqual([{}, []])
    expect([await bodyOf(ours), await bodyOf(ofWebhooks), await bodyOf(999_999)]).toEqual([
      [`{"email":"${word}"}`],
      ['thanks'],
      [null],
    ])
    const [attempt] = await run(`select integration_id from webhook_attempts where delivery_id = $1`, ours)
    expect(attempt).toEqual({ integration_id: id })
  })
})
