import { expect } from 'vitest'
import type { Context } from '../../src/domain/context.ts'
import type { Integration } from '../../src/domain/integrations/integration.ts'
import { listOrders } from '../../src/domain/orders/order-list-store.ts'
import { insertRun } from '../../src/domain/runs/run-store.ts'
import type { TestContext } from './context.ts'
import { makeIntegration } from './gateway.ts'
import type { ScriptedShop } from './order-shop.ts'

/** For tests of syncs: shops are connected, runs queued, and what is held is looked at. */
export function syncedOrders(tested: () => TestContext) {
  const query = <Row extends Record<string, unknown>>(text: string, { id }: Integration) =>
    tested().database.query<Row>(text, [id])

  /** A shop, and an integration that is connected to it. */
  async function connected(
    shop: ScriptedShop,
    appId: number | null = null,
  ): Promise<{ context: Context; integration: Integration }> {
    const context = { ...tested().context, connectors: new Map([['sandbox', shop.connector]]) }
    const { integration } = await makeIntegration(context, { appId })
    return { context, integration }
  }

  async function queued(context: Context, integration: Integration) {
    const { id } = await insertRun(context.db, integration.id, { resource: 'sync_orders', input: {} })
    return { integrationId: integration.id, runId: id }
  }

  const rowsOf = (integration: Integration) =>
    query<Record<string, string>>(
      `select remote_id, status, total, remote_version, id, xmin::text as xmin, ctid::text as ctid,
        (deleted_at is not null)::text as deleted
      from orders where integration_id = $1 order by id`,
      integration,
    )

  const present = async (integration: Integration) =>
    (await rowsOf(integration)).filter((row) => row['deleted'] === 'false').map((row) => row['remote_id'])

  /** What the lists count is what is there. */
  async function expectCountersRight(integration: Integration): Promise<void> {
    const all = { page: 1, perPage: 100, filter: { acknowledged: ['all'] }, sort: [] }
    const { total } = await listOrders(tested().context.reader, integration.id, all)
    expect(total).toBe((await present(integration)).length)
  }

  const eventsOf = async (integration: Integration) =>
    (
      await query<{ event: string }>(
        'select event from integration_logs where integration_id = $1 order by at, id',
        integration,
      )
    ).map(({ event }) => event)

  return { connected, queued, rowsOf, present, expectCountersRight, eventsOf, query }
}
