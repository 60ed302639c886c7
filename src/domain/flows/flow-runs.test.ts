import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { faultOf, makeApp } from '../../../test/support/identity.ts'
import { justBefore } from '../../../test/support/just-before.ts'
import type { Context } from '../context.ts'
import type { Integration, IntegrationStatus } from '../integrations/integration.ts'
import { performStep } from '../schedules/perform-step.ts'
import { advanceFlows } from './advance-flows.ts'
import { dispatchDueFlows, dispatchFlows } from './dispatch-flows.ts'
import type { Flow } from './flow.ts'
import { findOwnFlow } from './flow-store.ts'
import { listFlowRuns } from './list-flow-runs.ts'
import { pruneFlowRuns } from './prune-flow-runs.ts'
import { startFlow, startFlowsFor } from './start-flow.ts'
import { createFlow, type FlowInput, updateFlow } from './write-flow.ts'

let tested: TestContext
let context: Context
let tenant: { appId: number }
/** Short steps that wait for a worker. */
let waiting: { integrationId: number; runId: number }[]

beforeAll(async () => {
  tested = await createTestContext()
  const enqueue: Context['enqueue'] = async (_trx, { name }, input) => {
    if (name === performStep.name) waiting.push(input as never)
  }
  context = { ...tested.context, enqueue }
})
afterAll(() => tested.close())
beforeEach(async () => {
  waiting = []
  tenant = { appId: await makeApp(context) }
})

const connect = async (status: IntegrationStatus = 'ACTIVE') =>
  (await makeIntegration(context, tenant, { status })).integration
const twoSteps = { steps: [{ action: 'sync_orders' }, { action: 'test_connection' }] }
const write = (input: Partial<FlowInput>) =>
  createFlow(context, tenant, { name: 'Flow', type: 'manual', ...twoSteps, ...input })
const fallDue = (...flows: Flow[]) =>
  sql`update flows set next_run_at = now() - interval '3 hours'
    where id = any(${flows.map(({ id }) => id)}::bigint[])`.execute(context.db)
const flowRuns = ({ id }: Flow) =>
  context.db.selectFrom('flow_runs').selectAll().where('flow_id', '=', id).orderBy('id').execute()
const runsOf = ({ id }: Integration) =>
  context.db.selectFrom('runs').selectAll().where('integration_id', '=', id).orderBy('id').execute()
const endRuns = (status: string, error: string | null = null) =>
  sql`update runs set status = ${status}, error = ${error} where status in ('queued', 'running') and resource like 'sync%'`.execute(
    context.db,
  )
async function workSteps(): Promise<void> {
  const running = { attempt: 1, signal: new AbortController().signal }
  for (const place of waiting.splice(0)) await performStep.run(context, place, running)
}
const read = ({ id }: Flow) => findOwnFlow(context.db, tenant, id)

test('steps run one after the other, each as a run of the integration', async () => {
  const integration = await connect()
  const flow = await write({})
  const started = await startFlow(context, tenant, { flow, integrationId: integration.id })
  expect(started).toMatchObject({ status: 'running', step: 0 })
  await advanceFlows(context)
  expect(await runsOf(integration)).toMatchObject([{ resource: 'sync_orders', flow_id: flow.id }])
  await endRuns('completed')
  await advanceFlows(context)
  expect(await runsOf(integration)).toMatchObject([
    {},
    { resource: 'test_connection', status: 'queued', flow_id: flow.id },
  ])
  await workSteps()
  await advanceFlows(context)
  expect(await flowRuns(flow)).toMatchObject([{ status: 'completed', step: 1, error: null }])
  expect(await read(flow)).toMatchObject({ last_run_status: 'completed', last_run_at: expect.any(String) })
})

test('the first step that fails is the last, and the reason is kept', async () => {
  const integration = await connect()
  const flow = await write({})
  await startFlow(context, tenant, { flow, integrationId: integration.id })
  await endRuns('failed', 'The shop is gone.')
  await advanceFlows(context)
  expect(await flowRuns(flow)).toMatchObject([{ status: 'failed', error: 'Step 1 (sync_orders): it failed.' }])
  const { rows: shown } = await listFlowRuns(context, flow.id, { page: 1, perPage: 15, filter: {}, sort: [] })
  expect(shown).toMatchObject([{ status: 'failed', error: 'Step 1 (sync_orders): The shop is gone.' }])
  expect(await runsOf(integration)).toHaveLength(1)
  const logs = await context.db
    .selectFrom('integration_logs')
    .selectAll()
    .where('integration_id', '=', integration.id)
    .execute()
  expect(logs).toMatchObject([{ event: 'flow.started' }, { event: 'flow.failed', level: 'error' }])
})

test('a step that is called off ends the flow, though its integration goes on', async () => {
  const integration = await connect()
  const flow = await write({})
  await startFlow(context, tenant, { flow, integrationId: integration.id })
  await endRuns('cancelled', 'Stopped by hand.')
  await advanceFlows(context)
  expect(await flowRuns(flow)).toMatchObject([{ status: 'failed', error: 'Step 1 (sync_orders): Stopped by hand.' }])
  expect(await runsOf(integration)).toHaveLength(1)
})

test('three steps run as the first, the second and the third', async () => {
  const integration = await connect()
  const actions = ['sync_orders', 'sync_products', 'sync_inventory']
  const flow = await write({ steps: actions.map((action) => ({ action })) })
  await startFlow(context, tenant, { flow, integrationId: integration.id })
  for (const [step] of actions.entries()) {
    expect(await flowRuns(flow)).toMatchObject([{ status: 'running', step }])
    await endRuns('completed')
    await advanceFlows(context)
  }
  expect(await flowRuns(flow)).toMatchObject([{ status: 'completed', step: 2 }])
  expect((await runsOf(integration)).map(({ resource }) => resource)).toEqual(actions)
})

test('it runs on one integration once at a time', async () => {
  const { id: integrationId } = await connect()
  const flow = await write({})
  const start = () => startFlow(context, tenant, { flow, integrationId })
  const ends = await Promise.allSettled([start(), start(), start()])
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect((await faultOf(start())).errors).toEqual({ flow: ['The flow is running already.'] })
})

test('it runs on integrations of its app that are active, and nowhere else', async () => {
  const flow = await write({})
  const { id: paused } = await connect('INACTIVE')
  expect((await faultOf(startFlow(context, tenant, { flow, integrationId: paused }))).kind).toBe('invalid')
  const { integration: foreign } = await makeIntegration(context, { appId: await makeApp(context) })
  const fault = await faultOf(startFlow(context, tenant, { flow, integrationId: foreign.id }))
  expect(fault.errors).toEqual({ integration_id: ['The selected integration id is invalid.'] })
})

test('the clock starts it on every active integration of the app once, however many dispatchers there are', async () => {
  const integrations = [await connect(), await connect(), await connect()]
  const paused = await connect('INACTIVE')
  const flow = await write({ type: 'schedule', trigger: { cron: '0 * * * *' } })
  expect(flow.next_run_at).not.toBeNull()
  await fallDue(flow)
  await Promise.all([1, 2, 3].map(() => dispatchDueFlows(context)))
  await Promise.all([1, 2, 3].map(() => advanceFlows(context)))
  for (const integration of integrations) expect(await runsOf(integration)).toHaveLength(1)
  expect(await runsOf(paused)).toEqual([])
  expect(await read(flow)).toMatchObject({ last_run_status: 'running' })
  expect(Date.parse((await read(flow)).next_run_at ?? '')).toBeGreaterThan(Date.now())
  await fallDue(flow)
  await dispatchDueFlows(context)
  expect(await flowRuns(flow)).toHaveLength(3)
})

test('a flow that rests has no appointment, and gets one when it goes on', async () => {
  const flow = await write({ type: 'schedule', trigger: { cron: '0 * * * *' } })
  const change = (changes: { active?: boolean; name?: string }) => updateFlow(context, tenant, { id: flow.id, changes })
  expect((await change({ name: 'Renamed' })).next_run_at).toBe(flow.next_run_at)
  expect((await change({ active: false })).next_run_at).toBeNull()
  expect((await change({ active: true })).next_run_at).not.toBeNull()
})

test('an event starts the flows that wait for it; while one runs, one more waits', async () => {
  const integration = await connect()
  const flow = await write({ type: 'webhook', trigger: { event: 'order.created' } })
  const other = await write({ type: 'webhook', trigger: { event: 'order.cancelled' } })
  const happen = () => context.transaction((trx) => startFlowsFor(context, trx, integration.id, 'order.created'))
  await happen()
  await happen()
  await advanceFlows(context)
  await happen()
  await happen()
  await advanceFlows(context)
  expect((await flowRuns(flow)).map(({ status }) => status)).toEqual(['running', 'queued'])
  expect(await flowRuns(other)).toEqual([])
  await endRuns('failed', 'No.')
  await advanceFlows(context)
  await advanceFlows(context)
  expect((await flowRuns(flow)).map(({ status }) => status)).toEqual(['failed', 'running'])
})

test('shops of an app that report the same event at the same moment do not wait for each other', async () => {
  const [one, other] = [await connect(), await connect()]
  const flow = await write({ type: 'webhook', trigger: { event: 'order.created' } })
  const happen = (at: Context, { id }: Integration) =>
    at.transaction((trx) => startFlowsFor(at, trx, id, 'order.created'))
  let isFirstOver = false
  const [, second] = await justBefore(
    context,
    async (held) => {
      await happen(held, one)
      isFirstOver = true
    },
    async () => {
      await happen(context, other)
      return { hasWaited: isFirstOver }
    },
  )
  expect(second).toMatchObject({ value: { hasWaited: false } })
  expect(await flowRuns(flow)).toMatchObject([{ status: 'queued' }, { status: 'queued' }])
  expect(await read(flow)).toMatchObject({ last_run_status: 'queued' })
})

test('what is under way ends when its integration does', async () => {
  const integration = await connect()
  const flow = await write({})
  await startFlow(context, tenant, { flow, integrationId: integration.id })
  await endRuns('cancelled', 'The integration was uninstalled.')
  await sql`update integrations set status = 'UNINSTALLED' where id = ${integration.id}`.execute(context.db)
  await advanceFlows(context)
  expect(await flowRuns(flow)).toMatchObject([{ status: 'cancelled', error: 'The integration is not active.' }])
})

test('runs that ended long ago are forgotten', async () => {
  const integration = await connect()
  const [old, recent] = [await write({}), await write({})]
  for (const flow of [old, recent]) await startFlow(context, tenant, { flow, integrationId: integration.id })
  await sql`update flow_runs set status = 'completed', finished_at = now()`.execute(context.db)
  await sql`update flow_runs set finished_at = now() - interval '91 days' where flow_id = ${old.id}`.execute(context.db)
  await pruneFlowRuns.run(context, {}, { attempt: 1, signal: new AbortController().signal })
  expect([(await flowRuns(old)).length, (await flowRuns(recent)).length]).toEqual([0, 1])
})

describe('one that cannot go on keeps no others waiting', () => {
  /** Long steps cannot be queued there. */
  const refusing = (broken: Integration): Context => ({
    ...context,
    async record(trx, fact, about) {
      if ('integrationId' in about && about.integrationId === broken.id)
        throw new Error('connection to the node failed')
      await context.record(trx, fact, about)
    },
  })
  const twoLong = { steps: [{ action: 'sync_orders' }, { action: 'sync_products' }] }

  test('at its next step', async () => {
    const [broken, ...sound] = [await connect(), await connect(), await connect()]
    const flow = await write(twoLong)
    for (const { id } of [broken, ...sound]) await startFlow(context, tenant, { flow, integrationId: id })
    await endRuns('completed')
    await advanceFlows(refusing(broken))
    expect((await flowRuns(flow)).map(({ step }) => step)).toEqual([0, 1, 1])
    await advanceFlows(context)
    expect((await flowRuns(flow)).map(({ step }) => step)).toEqual([1, 1, 1])
  })

  test('nor at its first', async () => {
    const [broken, ...sound] = [await connect(), await connect(), await connect()]
    const flow = await write({ ...twoLong, type: 'schedule', trigger: { cron: '0 * * * *' } })
    await fallDue(flow)
    await dispatchDueFlows(context)
    await advanceFlows(refusing(broken))
    expect(await runsOf(broken)).toEqual([])
    for (const integration of sound) expect(await runsOf(integration)).toHaveLength(1)
  })

  test('nor when it is due', async () => {
    await connect()
    const [broken, sound] = [
      await write({ type: 'schedule', trigger: { cron: '0 * * * *' } }),
      await write({ type: 'schedule', trigger: { cron: '0 * * * *' } }),
    ]
    // What an older version, or a hand, has left in the table.
    await sql`update flows set steps = 'null', trigger = 'null' where id = ${broken.id}`.execute(context.db)
    await fallDue(broken)
    await fallDue(sound)
    await dispatchDueFlows(context)
    expect((await flowRuns(sound)).map(({ status }) => status)).toEqual(['queued'])
    expect(await flowRuns(broken)).toEqual([])
    expect(Date.parse((await read(broken)).next_run_at ?? '')).toBeGreaterThan(Date.now())
    await sql`update flows set active = false where id = ${broken.id}`.execute(context.db)
  })
})

test('where somebody has more flows due than a turn can start, those under way go on all the same', async () => {
  const integration = await connect()
  const flow = await write({})
  await startFlow(context, tenant, { flow, integrationId: integration.id })
  await endRuns('completed')
  const crowd: Flow[] = []
  for (let n = 0; n < 10; n++) crowd.push(await write({ type: 'schedule', trigger: { cron: '* * * * *' } }))
  await fallDue(...crowd)
  const turn = new AbortController()
  let starts = 0
  const crowded: Context = {
    ...context,
    async transaction(work) {
      const result = await context.transaction(work)
      // By the time that these have started, as many others are due.
      await fallDue(...crowd)
      if (++starts > 50) turn.abort()
      return result
    },
  }
  await dispatchFlows.run(crowded, {}, { attempt: 1, signal: turn.signal })
  expect(await flowRuns(flow)).toMatchObject([{ step: 1 }])
})

test('what is under way is looked at and not written, however many there are', async () => {
  const integrations = await Promise.all(Array.from({ length: 20 }, () => connect()))
  const flow = await write({})
  for (const { id } of integrations) await startFlow(context, tenant, { flow, integrationId: id })
  const versions = () => sql`select id, xmin from flow_runs where flow_id = ${flow.id} order by id`.execute(context.db)
  const before = (await versions()).rows
  await advanceFlows(context)
  expect((await versions()).rows).toEqual(before)
  await endRuns('completed')
  await advanceFlows(context)
  expect((await flowRuns(flow)).map(({ step }) => step)).toEqual(Array(20).fill(1))
})
