import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWebhookLab, type WebhookLab } from '../../../../test/support/webhook-lab.ts'
import { emitTo } from '../../events/event-store.ts'
import { pruneDeliveries } from '../prune-deliveries.ts'
import { nextRange } from './keep-ranges.ts'
import { readRanges } from './range-store.ts'

let lab: WebhookLab
let webhook: { id: number; app_id: number | null; integration_id: number | null }

beforeEach(async () => {
  lab = await openWebhookLab('nobody')
  webhook = (await lab.subscribe('http://127.0.0.1:9/hook')).webhook
})
afterEach(() => lab.close())

const million = 1_000_000
const prune = () => pruneDeliveries.perform(lab.context, {}, { attempt: 1, signal: new AbortController().signal })

/** Made under that id and so many days ago, with an attempt. */
async function emitted(id: number, days: number): Promise<void> {
  const { db } = lab.context
  for (const table of ['webhook_events', 'webhook_deliveries'])
    await sql`select setval(${`${table}_id_seq`}::regclass, ${id}, false)`.execute(db)
  expect(await emitTo(db, webhook, { type: 'webhook.test', data: { id } })).toBe(id)
  await sql`insert into webhook_attempts (delivery_id, number, trigger, duration_ms, at)
    values (${id}, 1, 'schedule', 1, now())`.execute(db)
  await aged(id, days)
}

async function aged(id: number, days: number): Promise<void> {
  for (const table of ['webhook_events', 'webhook_deliveries'])
    await sql`update ${sql.table(table)} set created_at = now() - make_interval(days => ${days}::int)
      where id = ${id}`.execute(lab.context.db)
}

/** The first range is full and the next one has begun. */
async function twoRanges(days: { first: number; last: number; next: number }): Promise<void> {
  await emitted(2 * million - 1, 0)
  await prune()
  await emitted(1, days.first)
  await aged(2 * million - 1, days.last)
  await emitted(2 * million, days.next)
}

async function kept(): Promise<Record<string, number[]>> {
  const ids = async (table: string, column: string) =>
    (
      await sql<{ id: number }>`select ${sql.ref(column)} as id from ${sql.table(table)} order by 1`.execute(
        lab.context.db,
      )
    ).rows.map(({ id }) => id)
  return {
    events: await ids('webhook_events', 'id'),
    deliveries: await ids('webhook_deliveries', 'id'),
    attempts: await ids('webhook_attempts', 'delivery_id'),
  }
}

const all = (...ids: number[]) => ({ events: ids, deliveries: ids, attempts: ids })
const rangesOf = async (table: 'webhook_events' | 'webhook_deliveries') =>
  (await readRanges(lab.context.db, table)).map(({ begin, end }) => [begin, end])
test('there is a first range, and the next is made before ids come to its end', async () => {
  expect(await rangesOf('webhook_events')).toEqual([[0, 2 * million]])
  await prune()
  expect(await rangesOf('webhook_events')).toEqual([[0, 2 * million]])
  await emitted(2 * million - 100, 0)
  await prune()
  for (const table of ['webhook_events', 'webhook_deliveries'] as const)
    expect(await rangesOf(table)).toEqual([
      [0, 2 * million],
      [2 * million, 3 * million],
    ])
  await emitted(2 * million + 1, 0)
  const { rows } = await sql<{ table: string }>`
    select tableoid::regclass::text as table from webhook_attempts order by delivery_id`.execute(lab.context.db)
  expect(rows.map(({ table }) => table)).toEqual(['webhook_attempts_first', 'webhook_attempts_from_2000000'])
  expect(await kept()).toEqual(all(2 * million - 100, 2 * million + 1))
})

test('a range whose last row is older than a month is dropped whole, with the attempts of its deliveries', async () => {
  await twoRanges({ first: 60, last: 31, next: 29 })
  await prune()
  expect(await rangesOf('webhook_events')).toEqual([[2 * million, 3 * million]])
  expect(await rangesOf('webhook_deliveries')).toEqual([[2 * million, 3 * million]])
  const { rows } = await sql`select to_regclass('webhook_attempts_first') as gone`.execute(lab.context.db)
  expect(rows).toEqual([{ gone: null }])
  expect(await kept()).toEqual(all(2 * million))
})

test('rows of a range that can be dropped within a week wait for that; of any other they go one by one', async () => {
  await twoRanges({ first: 33, last: 26, next: 0 })
  await prune()
  expect(await kept()).toEqual(all(1, 2 * million - 1, 2 * million))
  await aged(2 * million - 1, 3)
  await prune()
  expect(await kept()).toEqual(all(2 * million - 1, 2 * million))
})

test('what comes where nobody has made a range is kept, found, and deleted in its time', async () => {
  await emitted(5 * million, 0)
  await prune()
  // The one before it was empty, and nothing comes there any more.
  expect(await rangesOf('webhook_events')).toEqual([[5 * million + 1000, 6 * million + 1000]])
  expect(await kept()).toEqual(all(5 * million))
  await aged(5 * million, 31)
  await prune()
  expect(await kept()).toEqual(all())
})

describe('the next range', () => {
  test.each([
    ['is not made while there is room', { end: 2 * million, reached: million, perHour: 10 }, null],
    ['holds a million at least', { end: 2 * million, reached: 1.6 * million, perHour: 10 }, [2 * million, 3 * million]],
    [
      'holds what comes in five days',
      { end: 90 * million, reached: 88 * million, perHour: 100_000 },
      [90 * million, 102 * million],
    ],
    [
      'begins ahead of ids that have none',
      { end: 2 * million, reached: 3 * million, perHour: 500 },
      [3_001_500, 4_001_500],
    ],
  ])('%s', (_, { end, reached, perHour }, expected) => {
    const range = nextRange(end, { reached, perHour })
    expect(range && [range.begin, range.end]).toEqual(expected)
  })
})
