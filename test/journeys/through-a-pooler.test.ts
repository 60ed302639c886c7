import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { data, type Merchant, makeMerchant, rows } from '../integrations/support.ts'
import { coarseStatus } from '../support/coarse-status.ts'
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../support/pgbouncer.ts'
import { freePort } from '../support/process.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { installOn, simulatedShops } from '../support/simulated.ts'

/** `TEST_POOLER=1 npx vitest run FILE` does the same with any test. */
describe.skipIf(!hasPgBouncer)('through PgBouncer in transaction mode (else: pgbouncer is not installed)', () => {
  let pooler: PgBouncer
  let server: TestServer
  let other: TestServer
  let merchant: Merchant
  let path: string
  const simulated = simulatedShops()

  beforeAll(async () => {
    pooler = await startPgBouncer(inject('templateUrl'))
    const port = await freePort()
    const options = { pooler, egressAllow: ['127.0.0.1'], egressRoutes: simulated.routes }
    server = await startTestServer({ ...options, works: true, publicUrl: `http://127.0.0.1:${port}` })
    await server.program.http?.listen('127.0.0.1', port)
    other = await startTestServer({
      ...options,
      publicUrl: `http://127.0.0.1:${port}`,
      databaseUrl: server.databaseUrl,
    })
    merchant = await makeMerchant(server)
  })
  afterAll(async () => {
    await simulated.close()
    await other?.close()
    await server?.close()
    await pooler?.close()
  })

  const runs = async () => rows(await merchant.asApp('GET', `${path}/runs`))

  test('transactions have the settings of the service, which no connection was opened with', async () => {
    const wanted = ['TimeZone', 'idle_in_transaction_session_timeout', 'lock_timeout', 'statement_timeout']
    const { rows: found } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings where name = any(${wanted})`.execute(server.context.db)
    expect(Object.fromEntries(found.map(({ name, setting }) => [name, setting]))).toEqual({
      TimeZone: 'UTC',
      idle_in_transaction_session_timeout: '10000',
      lock_timeout: '2000',
      statement_timeout: '60000',
    })
  })

  test('a shop is copied, and the copy follows its messages', async () => {
    const shop = await simulated.open({ platform: 'woocommerce', orders: 12, products: 4, seed: 'pooled' })
    const id = Number(data(await installOn(merchant, shop))['id'])
    path = `/integrations/${id}`
    await expect.poll(async () => (await runs()).map(({ status }) => status)).toEqual(Array(3).fill('completed'))
    const registered = async () => data(await merchant.asApp('GET', path))['webhooks']
    await expect.poll(registered).toMatchObject({ registered_at: expect.any(String), error: null })
    shop.change({ orders: 4, new_orders: 3, delete_orders: 1 })
    await shop.delivered()
    const line = (order: { remote_id: string; status: string; total: unknown }) =>
      `${order.remote_id} ${coarseStatus(order.status)} ${Number(order.total)}`
    const copy = async () => {
      const { db } = server.context
      const orders = db.selectFrom('orders').select(['remote_id', 'status', 'total']).where('integration_id', '=', id)
      return (await orders.where('deleted_at', 'is', null).execute()).map(line).sort()
    }
    await expect.poll(copy).toEqual(shop.truth().map(line).sort())
    // By its messages, and not because somebody has read it again.
    expect(await runs()).toHaveLength(3)
  })

  test('a schedule that is due starts its run', async () => {
    const { db } = server.context
    const body = { resource: 'sync_products', cron: '0 4 * * *' }
    const id = Number(data(await merchant.asAccount('POST', `${path}/schedule`, body))['id'])
    await sql`update schedules set next_run_at = now(), spread_seconds = 0 where id = ${id}`.execute(db)
    const started = () => db.selectFrom('runs').select(['resource', 'status']).where('schedule_id', '=', id).execute()
    await expect.poll(started).toEqual([{ resource: 'sync_products', status: 'completed' }])
  })

  test('a token that one process revokes is refused by the other, which remembers whose it was', async () => {
    const ask = async (one: TestServer) =>
      (await one.call('GET', '/api/2.0/app/accounts', { token: merchant.appToken })).status
    expect([await ask(server), await ask(other)]).toEqual([200, 200])
    const revoked = await server.call('POST', '/oauth/revoke', {
      body: { ...merchant.appClient, token: merchant.appToken },
    })
    expect(revoked.status).toBe(200)
    await expect.poll(() => ask(other)).toBe(401)
  })
})
