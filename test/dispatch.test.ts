import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queueRun } from '../src/domain/runs/queue-run.ts'
import { data, errors, installed, type Merchant, makeMerchant, rows } from './integrations/support.ts'
import { makeIntegration } from './support/gateway.ts'
import { runsOver } from './support/runs-over.ts'
import { startTestServer, type TestServer } from './support/server.ts'

let server: TestServer
let worker: TestServer | null = null
let merchant: Merchant
beforeAll(async () => {
  server = await startTestServer()
  merchant = await makeMerchant(server)
})
afterAll(async () => {
  await worker?.close()
  await server.close()
})

const startWorker = async () => {
  worker ??= await startTestServer({ databaseUrl: server.databaseUrl, works: true })
}
const runs = async (id: unknown) => rows(await merchant.asApp('GET', `/integrations/${id}/runs`))
const logs = async (id: unknown, query = '') =>
  rows(await merchant.asAccount('GET', `/integrations/${id}/logs${query}`))

test('a run of a tenant waits for no transaction that starts others of the same tenant', async () => {
  const { context } = server
  const busy = Number((await installed(merchant))['id'])
  const other = Number((await installed(merchant))['id'])
  await context.transaction(async (dispatching) => {
    await queueRun(context, dispatching, busy, { resource: 'sync_orders', input: { mode: 'full' } })
    const asked = await merchant.asApp('POST', `/integrations/${other}/action`, { resource: 'sync_orders' })
    expect(asked.status).toBe(200)
  })
  for (const id of [busy, other]) expect(await runs(id)).toMatchObject([{ status: 'queued' }])
})

test('one tenant has 2000 runs waiting, and the run of another one starts all the same', async () => {
  const crowd = await makeMerchant(server)
  const integrations: number[] = []
  for (let n = 0; n < 100; n++) {
    integrations.push((await makeIntegration(server.context, { appId: crowd.appId }, { orders: 200 })).integration.id)
  }
  const { context } = server
  for (let round = 0; round < 20; round++) {
    await context.transaction(async (trx) => {
      for (const id of integrations)
        await queueRun(context, trx, id, { resource: 'sync_orders', input: { mode: 'full' } })
    })
  }
  await startWorker()
  const started = async (app: number) => {
    const [row] = await context.db
      .selectFrom('runs')
      .innerJoin('integration_state', 'integration_state.integration_id', 'runs.integration_id')
      .select(({ fn }) => fn.countAll<number>().as('n'))
      .where('app_id', '=', app)
      .where('started_at', 'is not', null)
      .execute()
    return row?.n ?? 0
  }
  await expect.poll(() => started(crowd.appId)).toBeGreaterThan(0)
  const { id } = await installed(merchant)
  const run = data(await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'sync_orders' }))
  const before = await started(crowd.appId)
  const own = async () => data(await merchant.asApp('GET', `/integrations/${id}/runs/${run['id']}`))['started_at']
  await expect.poll(own, { interval: 100 }).not.toBeNull()
  // In turns, not behind them: whatever the machine is doing, few of theirs have begun meanwhile.
  expect((await started(crowd.appId)) - before).toBeLessThan(200)
  // The worker is at some of them, and lets go when it likes: those are left to it.
  const withdrawFrom = (integrationId: number) =>
    context.transaction(async (trx) => {
      const { rows: free } = await sql<{ id: number }>`
        select id from runs where integration_id = ${integrationId} and status = 'queued' for update skip locked`.execute(
        trx,
      )
      await sql`update runs set status = 'cancelled'
        where integration_id = ${integrationId} and id = any(${free.map((run) => run.id)}::bigint[])`.execute(trx)
    })
  const withdrawn = async () => {
    for (const each of integrations) await withdrawFrom(each)
    const { rows: left } = await sql<{ n: number }>`
      select count(*)::int as n from runs
      where integration_id = any(${integrations}::bigint[]) and status = 'queued'`.execute(context.db)
    return left[0]?.n
  }
  await expect.poll(withdrawn).toBe(0)
})

test('a schedule can be run now', async () => {
  await startWorker()
  const { id } = await installed(merchant)
  // The first sync reads products too, and nothing is read twice at a time.
  await expect.poll(async () => (await runs(id)).length).toBe(3)
  await runsOver(server.context, Number(id))
  const body = { resource: 'sync_products', cron: '0 4 * * *', active: false }
  const schedule = data(await merchant.asAccount('POST', `/integrations/${id}/schedule`, body))
  const path = `/integrations/${id}/schedule/${schedule['id']}/run`
  const started = await merchant.asAccount('POST', path)
  expect([started.status, data(started)]).toMatchObject([201, { resource: 'sync_products', status: 'queued' }])
  const status = async () => (await runs(id)).find((run) => run['id'] === data(started)['id'])?.['status']
  await expect.poll(status).toBe('completed')
})

test('a flow runs its steps to the end, and its list shows how that went', async () => {
  await startWorker()
  const { id } = await installed(merchant)
  const flows = `/apps/${merchant.appId}/flows`
  const steps = [{ action: 'test_connection' }, { action: 'sync_inventory' }]
  const flow = data(await merchant.asUser('POST', flows, { name: 'Two steps', type: 'manual', steps }))
  const started = await merchant.asUser('POST', `${flows}/${flow['id']}/run`, { integration_id: id })
  expect([started.status, data(started)]).toMatchObject([201, { status: 'running', progress: { done: 0, total: 2 } }])
  const again = await merchant.asUser('POST', `${flows}/${flow['id']}/run`, { integration_id: id })
  expect(errors(again)).toEqual({ flow: ['The flow is running already.'] })
  const last = async () => data(await merchant.asUser('GET', `${flows}/${flow['id']}`))['last_run_status']
  await expect.poll(last).toBe('completed')
  expect(rows(await merchant.asUser('GET', `${flows}/${flow['id']}/runs`))).toMatchObject([
    { integration_id: id, status: 'completed', progress: { done: 2, total: 2 }, error: null },
  ])
})

test('the log is searched by text, level, run and time', async () => {
  await startWorker()
  const { id } = await installed(merchant)
  await merchant.asAccount('POST', `/integrations/${id}/uninstall`)
  const events = async (query: string) => (await logs(id, query)).map((entry) => entry['event'])
  expect(await events('?q=DISCONNECTED')).toEqual(['integration.uninstalled'])
  expect(await events('?q=integration.unin')).toEqual(['integration.uninstalled'])
  expect(await events('?q=no, such, text')).toEqual([])
  expect(await events('?since=2020-01-01&until=2020-01-02T00:00:00Z')).toEqual([])
  expect((await merchant.asAccount('GET', `/integrations/${id}/logs?since=whenever`)).status).toBe(400)
  expect(await events('?since=0000-01-01&until=9999-12-31T23:59:59-14:00&q=disconnected')).toHaveLength(1)
  expect(await events('?q=disconnected&level=error')).toEqual([])
})
