import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { countIntegrations, readBacklogs } from '../src/domain/backlogs/backlog-store.ts'
import { createSchedule } from '../src/domain/schedules/create-schedules.ts'
import { installed, type Merchant, makeMerchant } from './integrations/support.ts'
import { createTestContext, type TestContext } from './support/context.ts'
import { createTestDatabase } from './support/database.ts'
import { makeIntegration } from './support/gateway.ts'
import { makeApp } from './support/identity.ts'
import { printed, startEntrepot, stop } from './support/process.ts'
import { runsOver } from './support/runs-over.ts'
import { startTestServer, type TestServer } from './support/server.ts'

describe('a service that works', () => {
  let server: TestServer
  let merchant: Merchant
  beforeAll(async () => {
    server = await startTestServer({ works: true })
    merchant = await makeMerchant(server)
  })
  afterAll(() => server.close())

  const figures = async () => readFigures((await server.call('GET', '/metrics')).text)

  test('counts runs and their time by service, action and outcome', async () => {
    const { id } = await installed(merchant)
    await merchant.asApp('POST', `/integrations/${id}/action`, { resource: 'sync_orders' })
    await runsOver(server.context, Number(id))
    const labels = 'service="sandbox",action="sync_orders",outcome="completed"'
    expect((await figures()).get(`entrepot_run_seconds_count{${labels}}`)).toBeGreaterThan(0)
  })

  test('shows how much waits, for how long, what was given up, and what is left of connections', async () => {
    const shown = await figures()
    for (const name of [
      'entrepot_schedule_lag_seconds',
      'entrepot_comparisons_overdue',
      'entrepot_recoveries_overdue',
      'entrepot_webhook_checks_overdue',
      'entrepot_listener_deaf',
    ]) {
      expect([name, shown.get(name)]).toEqual([name, 0])
    }
    expect(shown.get('entrepot_feed_lag_seconds')).toBeLessThan(600)
    for (const pool of ['requests', 'jobs', 'messages', 'webhooks']) {
      expect(shown.get(`entrepot_database_connections_max{pool="${pool}"}`)).toBeGreaterThan(1)
    }
  })
})

describe('what is asked of the database', () => {
  let tested: TestContext
  beforeAll(async () => {
    tested = await createTestContext()
  })
  afterAll(() => tested.close())

  test('is how late the latest schedule is, and how many copies nobody has looked at', async () => {
    const { context } = tested
    expect(await readBacklogs(context.db)).toEqual({
      ...{ scheduleLag: 0, comparisons: 0, recoveries: 0, webhookChecks: 0, retention: 0 },
    })
    const { integration } = await makeIntegration(context, { appId: await makeApp(context) })
    const { id } = await createSchedule(context, integration, { resource: 'sync_orders', cron: '0 0 1 1 *' })
    await sql`update schedules set next_run_at = now() - interval '1 hour' where id = ${id}`.execute(context.db)
    await sql`update integrations set installed_at = now() - interval '3 days'`.execute(context.db)
    const { scheduleLag, comparisons } = await readBacklogs(context.db)
    expect(scheduleLag).toBeGreaterThan(3500)
    expect(comparisons).toBe(1)
  })

  test('is integrations by service and status, without the names of services that tenants describe', async () => {
    const { context } = tested
    const { integration } = await makeIntegration(context, { appId: await makeApp(context) }, { status: 'ERROR' })
    expect(await countIntegrations(context.db)).toContainEqual({ service: 'sandbox', status: 'ERROR', n: 1 })
    await sql`update services set definition = '{}' where id = ${integration.service_id}`.execute(context.db)
    const services = (await countIntegrations(context.db)).map(({ service }) => service)
    expect([services.includes('described'), services.includes('sandbox')]).toEqual([true, false])
  })
})

test('a worker beside a service says where its probes are, and ends in order', async () => {
  const database = await createTestDatabase()
  const worker = startEntrepot(['worker'], {
    env: { DATABASE_URL: database.url, ENTREPOT_MASTER_KEYS: `k1:${randomBytes(32).toString('base64')}` },
  })
  try {
    const [, url] = /Probes and metrics at (\S+)\. /.exec(await printed(worker, 'Stop with')) ?? []
    expect((await fetch(`${url}/live`)).status).toBe(200)
    expect((await fetch(`${url}/ready`)).status).toBe(200)
    const shown = readFigures(await (await fetch(`${url}/metrics`)).text())
    expect(shown.get('entrepot_database_connections_max{pool="jobs"}')).toBe(10)
    expect(await stop(worker)).toBe(0)
  } finally {
    await stop(worker)
    await database.drop()
  }
})

/** Value by name and labels, as Prometheus reads them. */
const readFigures = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line): [string, number] => [
        line.slice(0, line.lastIndexOf(' ')),
        Number(line.slice(line.lastIndexOf(' '))),
      ]),
  )
