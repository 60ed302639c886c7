import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { faultOf, makeApp } from '../../../test/support/identity.ts'
import { justBefore } from '../../../test/support/just-before.ts'
import { startAction } from '../actions/run-action.ts'
import type { Context } from '../context.ts'
import type { Integration, IntegrationStatus } from '../integrations/integration.ts'
import { createSchedule } from './create-schedules.ts'
import { dispatchBatch } from './dispatch-due.ts'
import { performStep } from './perform-step.ts'
import { runSchedule } from './run-schedule.ts'
import type { Schedule, ScheduleInput } from './schedule.ts'
import { updateSchedule } from './update-schedules.ts'
import { wakeSchedules } from './wake-schedules.ts'

let tested: TestContext
let context: Context
let appId: number
/** What would be worked on. */
let started: unknown[]

const running = { attempt: 1, signal: new AbortController().signal }

beforeAll(async () => {
  tested = await createTestContext()
  context = {
    ...tested.context,
    record: async (_trx, fact) => void started.push(fact),
    enqueue: async (_trx, { name }, input) => void started.push([name, input]),
  }
  appId = await makeApp(context)
})
afterAll(() => tested.close())
beforeEach(async () => {
  started = []
  await sql`update schedules set active = false`.execute(context.db)
})

const connect = async (status: IntegrationStatus = 'ACTIVE') =>
  (await makeIntegration(context, { appId }, { status })).integration

const plan = (integration: Integration, input: Partial<ScheduleInput> = {}) =>
  createSchedule(context, integration, { resource: 'sync_orders', cron: '*/5 * * * *', ...input })

/** As if its time had come that long ago. */
const fallDue = (ids: readonly number[], ago = '3 hours') =>
  sql`update schedules set next_run_at = now() - ${ago}::interval where id = any(${ids})`.execute(context.db)

async function dispatchAll(): Promise<void> {
  while ((await dispatchBatch(context, 10)) > 0);
}

const read = (id: number) =>
  context.db.selectFrom('schedules').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const runsOf = (integration: Integration) =>
  context.db.selectFrom('runs').selectAll().where('integration_id', '=', integration.id).orderBy('id').execute()
const eventsOf = async ({ id }: Integration) =>
  (await context.db.selectFrom('integration_logs').select('event').where('integration_id', '=', id).execute()).map(
    ({ event }) => event,
  )
const finishRuns = () => sql`update runs set status = 'completed', finished_at = now()`.execute(context.db)
const isAhead = ({ next_run_at: at }: Pick<Schedule, 'next_run_at'>) => at !== null && Date.parse(at) > Date.now()

test('four dispatchers start each of 200 due schedules once, however many slots were missed', async () => {
  const ids: number[] = []
  for (let n = 0; n < 200; n++) ids.push((await plan(await connect())).id)
  await fallDue(ids)
  await Promise.all([dispatchAll(), dispatchAll(), dispatchAll(), dispatchAll()])
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from runs where schedule_id = any(${ids}) group by schedule_id`.execute(context.db)
  expect(rows.map(({ n }) => n)).toEqual(Array(200).fill(1))
  expect(started.filter((fact) => fact === 'run.queued')).toHaveLength(200)
  const schedules = await context.db.selectFrom('schedules').selectAll().where('id', 'in', ids).execute()
  expect(schedules.every((schedule) => isAhead(schedule) && schedule.last_run_at !== null)).toBe(true)
})

test('those of the same minute are spread over half a minute', async () => {
  const integration = await connect()
  const resources = ['sync_orders', 'sync_products', 'sync_inventory', 'get_orders', 'get_products', 'get_inventory']
  const ids: number[] = []
  for (const resource of resources) ids.push((await plan(integration, { resource })).id)
  await fallDue(ids, '15 seconds')
  await dispatchAll()
  const early = ids.filter((id) => id % 30 <= 15)
  const ran = await context.db
    .selectFrom('schedules')
    .select('id')
    .where('id', 'in', ids)
    .where('last_run_at', 'is not', null)
    .execute()
  expect(ran.map(({ id }) => id).sort((a, b) => a - b)).toEqual(early)
  await fallDue(ids, '30 seconds')
  await finishRuns()
  await dispatchAll()
  expect(await runsOf(integration)).toHaveLength(early.length + ids.length)
})

test('one that cannot be started is put off, and the others of its batch start all the same', async () => {
  const [broken, ...sound] = [await connect(), await connect(), await connect()]
  const schedules = []
  for (const integration of [broken, ...sound]) schedules.push(await plan(integration))
  await fallDue(schedules.map(({ id }) => id))
  const refusing: Context = {
    ...context,
    async record(_trx, fact, about) {
      if ('integrationId' in about && about.integrationId === broken.id)
        throw new Error('connection to the node failed')
      started.push(fact)
    },
  }
  while ((await dispatchBatch(refusing, 10)) > 0);
  for (const integration of sound) expect(await runsOf(integration)).toHaveLength(1)
  expect(await runsOf(broken)).toEqual([])
  const [first] = schedules
  expect(isAhead(await read(Number(first?.id)))).toBe(true)
  await fallDue([Number(first?.id)])
  await dispatchAll()
  expect(await runsOf(broken)).toHaveLength(1)
})

test('what is still under way is not started again, and the log says so', async () => {
  const integration = await connect()
  const first = await plan(integration)
  const same = await plan(integration, { name: 'the same at another time' })
  await fallDue([first.id, same.id])
  await dispatchAll()
  await fallDue([first.id])
  await dispatchAll()
  expect(await runsOf(integration)).toHaveLength(1)
  expect(await eventsOf(integration)).toEqual(['schedule.skipped', 'schedule.skipped'])
  expect(isAhead(await read(first.id))).toBe(true)
  await finishRuns()
  await fallDue([first.id])
  await dispatchAll()
  expect(await runsOf(integration)).toHaveLength(2)
})

test.each(['INACTIVE', 'ERROR', 'PENDING'] as const)('nothing runs while the integration is %s', async (status) => {
  const integration = await connect(status)
  const schedule = await plan(integration)
  await fallDue([schedule.id])
  await dispatchAll()
  expect(await runsOf(integration)).toEqual([])
  expect(isAhead(await read(schedule.id))).toBe(true)
})

test('schedules of a shop that was left sleep until it lets us in again', async () => {
  const integration = await connect('UNINSTALLED')
  const schedule = await plan(integration)
  await fallDue([schedule.id])
  await dispatchAll()
  expect([await runsOf(integration), (await read(schedule.id)).next_run_at]).toEqual([[], null])
  await wakeSchedules.run(context, { integrationId: integration.id }, running)
  expect(isAhead(await read(schedule.id))).toBe(true)
})

test('nor do they sleep on where it does so in the moment in which they are put to sleep', async () => {
  const integration = await connect('UNINSTALLED')
  const schedule = await plan(integration)
  await fallDue([schedule.id])
  const [, woken] = await justBefore(
    context,
    (held) => dispatchBatch(held),
    async () => {
      await sql`update integrations set status = 'ACTIVE' where id = ${integration.id}`.execute(context.db)
      await wakeSchedules.run(context, { integrationId: integration.id }, running)
    },
  )
  expect(woken.status).toBe('fulfilled')
  expect(isAhead(await read(schedule.id))).toBe(true)
})

test('one that is paused does not run by itself, but may be run by hand', async () => {
  const integration = await connect()
  const schedule = await plan(integration, { active: false })
  await fallDue([schedule.id])
  await dispatchAll()
  expect(await runsOf(integration)).toEqual([])
  expect(await runSchedule(context, schedule.id)).toMatchObject({ resource: 'sync_orders', status: 'queued' })
  expect((await faultOf(runSchedule(context, schedule.id))).errors).toEqual({
    schedule: ['The schedule is running already.'],
  })
})

test('one that is being edited is left alone, and then goes by its new time', async () => {
  const integration = await connect()
  const schedule = await plan(integration)
  await fallDue([schedule.id])
  await context.transaction(async (trx) => {
    await updateSchedule(
      { ...context, transaction: (work) => work(trx) },
      { id: schedule.id, changes: { cron: '0 4 * * *' } },
    )
    await dispatchAll()
  })
  await dispatchAll()
  expect(await runsOf(integration)).toEqual([])
  const edited = await read(schedule.id)
  expect([edited.cron, isAhead(edited)]).toEqual(['0 4 * * *', true])
})

test('a payload that no longer fits is reported in the log, and does not stop the others', async () => {
  const [bad, good] = [await connect(), await connect()]
  const schedules = [await plan(bad, { payload: { mode: 'sideways' } }), await plan(good)]
  await fallDue(schedules.map(({ id }) => id))
  await dispatchAll()
  expect([await runsOf(bad), await eventsOf(bad)]).toEqual([[], ['schedule.failed']])
  expect(await runsOf(good)).toHaveLength(1)
})

test('of a record that a schedule fetches, the run keeps which it was and not who is in it', async () => {
  const integration = await connect()
  const listed = await startAction(context, integration, { name: 'get_orders', fields: { limit: 1 }, workKey: null })
  const payload = { remote_id: listed.kind === 'page' ? Object(listed.items[0]).remote_id : null }
  const schedule = await plan(integration, { resource: 'get_order', payload })
  await runSchedule(context, schedule.id)
  const [[, place]] = started as [[string, { integrationId: number; runId: number }]]
  await performStep.run(context, place, running)
  expect((await runsOf(integration)).map(({ result }) => result)).toEqual([{ result: payload }])
})

test('a short action runs at one go, and is a run as well', async () => {
  const integration = await connect()
  const schedule = await plan(integration, { resource: 'get_orders', payload: { limit: 3 } })
  await runSchedule(context, schedule.id)
  const [[, place]] = started as [[string, { integrationId: number; runId: number }]]
  await performStep.run(context, place, running)
  await performStep.run(context, place, running)
  expect(await runsOf(integration)).toMatchObject([
    { status: 'completed', schedule_id: schedule.id, result: { count: 3 } },
  ])
})
