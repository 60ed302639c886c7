import { sql } from 'kysely'
import { dispatchAlerts } from '../../src/domain/alerts/sending/send-alerts.ts'
import { watchAttention } from '../../src/domain/alerts/watch-attention.ts'
import type { Context } from '../../src/domain/context.ts'
import { makeIntegration } from '../support/gateway.ts'
import { makeTenant, type TestServer, type TestTenant } from '../support/server.ts'

/** An app with shops that can be broken and repaired, and a look at once instead of by the clock. */

const running = () => ({ attempt: 1, signal: new AbortController().signal })

export const look = async (context: Context, part: 'work' | 'stock' = 'work'): Promise<void> =>
  await watchAttention.run(context, { part }, running())

/** What waits for company goes out now. */
export async function hurry(context: Context): Promise<void> {
  await sql`update alert_notifications set due_at = now() where state = 'collecting'`.execute(context.db)
  await dispatchAlerts.run(context, {}, running())
}

export async function makeShops(context: Context, tenant: TestTenant, count: number): Promise<number[]> {
  const ids: number[] = []
  for (let n = 0; n < count; n++) {
    const { integration } = await makeIntegration(context, { appId: tenant.appId })
    ids.push(integration.id)
  }
  return ids
}

export async function breakShops(context: Context, ids: readonly number[]): Promise<void> {
  await sql`
    update integrations set status = 'ERROR', status_reason = 'credentials_rejected', updated_at = now()
    where id = any(${[...ids]}::bigint[])`.execute(context.db)
}

export async function repairShops(context: Context, ids: readonly number[]): Promise<void> {
  await sql`
    update integrations set status = 'ACTIVE', status_reason = null where id = any(${[...ids]}::bigint[])`.execute(
    context.db,
  )
}

export interface AlertedTenant extends TestTenant {
  /** As the user of the app. */
  ask(method: string, path: string, body?: unknown): ReturnType<TestServer['call']>
  /** Makes a channel; says its id. */
  channel(body: object): Promise<number>
}

export async function makeAlerted(server: TestServer): Promise<AlertedTenant> {
  const tenant = await makeTenant(server.context)
  await sql`update users set email_verified_at = now() where id = ${tenant.userId}`.execute(server.context.db)
  const ask: AlertedTenant['ask'] = (method, path, body) =>
    server.call(method, `/api/2.0/user/apps/${tenant.appId}${path}`, {
      token: tenant.userToken,
      ...(body === undefined ? {} : { body }),
    })
  return {
    ...tenant,
    ask,
    async channel(body) {
      const { status, json, text } = await ask('POST', '/alert-channels', { name: 'A channel', ...body })
      if (status !== 201) throw new Error(text)
      return (json['data'] as { id: number }).id
    },
  }
}
