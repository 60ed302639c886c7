import { sql } from 'kysely'
import type { Context } from '../../src/domain/context.ts'
import { upsertOrders } from '../../src/domain/orders/order-upsert-store.ts'
import { allShipments } from '../../src/domain/orders/parcels/parcel.ts'
import { upsertProducts } from '../../src/domain/products/product-upsert-store.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import { countRows } from '../../src/runtime/db/lists/row-counters.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { makeAgent } from './agents.ts'
import { incomingOrder } from './orders.ts'
import type { World } from './world.ts'

/** Few different words and moments, so that rows tie in every order and several share a filter. */
export const names = ['Alder', 'birch', 'Cedar', 'Ähre', 'élan', '100%', 'a_b']
const named = sql.raw(`(array['${names.join("','")}'])[1 + n % ${names.length}]`)
const moment = sql.raw(`timestamptz '2026-01-01 00:00:00Z' + make_interval(hours => n % 5)`)
const times = sql`${moment}, ${moment} + interval '1 day'`

/** Of a hundred that one may have in an app. */
const maxOfViews = 60

/** Gives a world `count` more of everything that lists show. */
export async function populate(context: Pick<Context, 'db' | 'keys' | 'transaction'>, world: World, count: number) {
  const { db } = context
  const { tenant, ids, canary } = world
  const { companyId, userId, appId, accountId } = tenant
  const rows = sql`from generate_series(1, ${count}::int) n`
  await sql`insert into users (company_id, created_by, name, email, email_folded, active, created_at, updated_at)
    select ${companyId}, ${userId}, ${named}, ${canary} || n || '@example.com', lower(${canary} || n || '@example.com'), n % 3 > 0, ${times} ${rows}`.execute(
    db,
  )
  await sql`insert into companies (user_id, name, active, created_at, updated_at)
    select ${userId}, ${named}, n % 3 > 0, ${times} ${rows}`.execute(db)
  await sql`insert into apps (user_id, company_id, name, active, created_at, updated_at)
    select ${userId}, ${companyId}, ${named}, n % 3 > 0, ${times} ${rows}`.execute(db)
  await sql`insert into oauth_clients (user_id, company_id, app_id, name, secret_hash, grant_types, created_at, updated_at)
    select ${userId}, ${companyId}, case when n % 2 = 0 then ${appId}::bigint end, ${named}, '\\x00', '{password}', ${times}
    ${rows}`.execute(db)
  await sql`insert into invitations (company_id, invited_by, email, role, token_hash, expires_at, created_at, updated_at)
    select ${companyId}, ${userId}, ${named}, 'support', convert_to(${canary} || n, 'UTF8'), ${moment}, ${times} ${rows}`.execute(
    db,
  )
  for (let n = 0; n < count; n++) {
    await makeAgent(context, { userId, appId }, { name: `${canary} ${n}`, integrationId: ids.integration })
  }
  await sql`insert into v1_calls (client_id, method, route, calls, first_called_at, last_called_at)
    select ${ids.client}, 'GET', '/api/1.0/' || n, n % 4, ${times} ${rows}`.execute(db)
  await sql`insert into accounts (app_id, remote_id, name, active, created_at, updated_at)
    select ${appId}, ${canary} || n, ${named}, n % 3 > 0, ${times} ${rows}`.execute(db)
  await sql`insert into services (user_id, company_id, type, name, auth_type, active, created_at, updated_at)
    select ${userId}, ${companyId}, ${canary} || '-' || n, ${named}, (array['basic', 'none'])[1 + n % 2], n % 3 > 0, ${times}
    ${rows}`.execute(db)
  await sql`insert into service_versions (service_id, number, definition, user_id, created_at)
    select ${ids.ownService}, 10 + n, '{}', ${userId}, ${moment} ${rows}`.execute(db)
  await sql`insert into app_services (app_id, service_id, active, created_at, updated_at)
    select ${appId}, id, id % 4 > 0, created_at, updated_at from services where type like ${`${canary}-%`}`.execute(db)
  await sql`insert into flows (app_id, service_id, name, type, active, created_at, updated_at)
    select ${appId}, ${ids.service}, ${named}, (array['manual', 'schedule'])[1 + n % 2], n % 3 > 0, ${times} ${rows}`.execute(
    db,
  )
  await sql`insert into flow_runs (flow_id, integration_id, status, steps, created_at)
    select ${ids.flow}, ${ids.integration}, (array['completed', 'failed'])[1 + n % 2], '[]', ${moment} ${rows}`.execute(
    db,
  )
  await populateIntegrations(db, world, rows)
  await sql`insert into schedules (integration_id, name, resource, cron, active, created_at, updated_at, next_run_at)
    select id, ${named}, (array['sync_orders', 'sync_products'])[1 + n % 2], '0 * * * *', n % 3 > 0, ${times}, ${moment}
    from generate_series(1, 2) n cross join integrations
    where app_id = ${appId} and account_id = ${accountId}`.execute(db)
  await sql`insert into runs (integration_id, resource, status, created_at)
    select ${ids.integration}, 'sync_orders', (array['completed', 'failed'])[1 + n % 2], ${moment} ${rows}`.execute(db)
  await sql`insert into integration_logs (integration_id, at, run_id, level, event, message)
    select ${ids.integration}, ${moment}, n, (array['info', 'error'])[1 + n % 2], 'event.' || n % 3, ${canary} ${rows}`.execute(
    db,
  )
  await sql`insert into shop_messages (integration_id, delivery_id, topic, kind, remote_id, outcome, body, received_at,
      processed_at)
    select ${ids.integration}, ${canary} || n, 'order.updated', 'order', 'order ' || n % 3,
      (array['stored', 'unchanged'])[1 + n % 2], ${canary}::bytea, ${moment}, ${moment} ${rows}`.execute(db)
  await sql`insert into webhook_subscriptions (app_id, events, url, secret, key_id, active, created_at, updated_at)
    select ${appId}, '{run.failed}', 'https://example.com', '\\x00', 'none', n % 3 > 0, ${times} ${rows}`.execute(db)
  await sql`
    with event as (
      insert into webhook_events (app_id, type, subject, data) values (${appId}, 'run.failed', '', '{}') returning id
    )
    insert into webhook_deliveries (webhook_id, event_id, type, subject, state, created_at)
    select ${ids.appWebhook}, event.id, 'run.failed', '', (array['delivered', 'failed'])[1 + n % 2], ${moment}
    from event, generate_series(1, ${count}::int) n`.execute(db)
  await sql`insert into attentions (app_id, kind, cause, integration_id, severity, opened_at, closed_at)
    select ${appId}, (array['run_failed', 'orders_due'])[1 + n % 2], ${canary} || ':' || n, ${ids.integration},
      (array['critical', 'warning'])[1 + n % 2], ${moment}, case when n % 3 > 0 then ${moment} end ${rows}`.execute(db)
  await sql`insert into alert_channels (app_id, type, name, address, key_id, hint, severity, active, delivery, time_zone,
      created_at, updated_at)
    select ${appId}, (array['slack', 'pagerduty'])[1 + n % 2], ${named}, '\\x00', 'none', ${canary}, 'warning', n % 3 > 0,
      'immediate', 'UTC', ${times} ${rows}`.execute(db)
  await sql`insert into saved_views (user_id, app_id, list, name, filters, created_at, updated_at)
    select ${userId}, ${appId}, (array['orders', 'runs'])[1 + n % 2], ${canary} || ' ' || n, '[]', ${times}
    from generate_series(1, ${Math.min(count, maxOfViews)}::int) n`.execute(db)
  await sql`insert into api_requests (app_id, at, id, source, caller, method, route, path, query, status, ms, address,
      request_bytes, response_bytes, detail)
    select ${appId}, now() - make_interval(secs => n), gen_random_uuid(), 'api', 'client', 'GET', '/api/2.0/app/orders', ${canary}, '',
      (array[200, 404])[1 + n % 2], 1, '127.0.0.1', 0, 0, '{}' ${rows}`.execute(db)
  await sql`insert into stock_articles (pool_id, sku, barcode, name, created_at, updated_at)
    select p.id, ${canary} || '-' || n, ${named}, ${named}, ${times}
    from stock_pools p, generate_series(1, ${count}::int) n where p.account_id = ${accountId}`.execute(db)
  await sql`insert into stock_movements (pool_id, article_id, place_id, kind, on_hand_by, reserved_by, on_hand, reserved,
      source, key, at)
    select p.id, ${ids.article}, 1, (array['purchase', 'sale'])[1 + n % 2], 1, 0, n, 0, 'app:api', ${canary} || n, ${moment}
    from stock_pools p, generate_series(1, ${count}::int) n where p.account_id = ${accountId}`.execute(db)
  await populateShop(context, world, count)
}

/** Of the account, of the app only, and of nobody but the user. */
async function populateIntegrations(db: Db, { tenant, ids }: World, rows: ReturnType<typeof sql>): Promise<void> {
  const { appId, accountId, userId, companyId } = tenant
  await sql`
    with made as (
      insert into integrations (app_id, account_id, user_id, company_id, service_id, name, type, shop, status, active,
        created_at, updated_at)
      select case when n % 5 > 0 then ${appId}::bigint end, case when n % 5 > 1 then ${accountId}::bigint end,
        ${userId}, ${companyId}, ${ids.service}, ${named}, 'sandbox', 'shop-' || n || '.example.com',
        (array['ACTIVE', 'PENDING', 'ERROR', 'INACTIVE'])[1 + n % 4], n % 3 > 0, ${times} ${rows}
      returning id, app_id
    )
    insert into integration_state (integration_id, app_id) select id, app_id from made`.execute(db)
}

async function populateShop(context: Pick<Context, 'db' | 'transaction'>, { ids, canary }: World, count: number) {
  const each = Array.from({ length: count }, (_, n) => n)
  const statuses = ['PENDING', 'SHIPPED', 'CANCELLED'] as const
  const orderIds = await takeIds(context.db, 'orders', count)
  const productIds = await takeIds(context.db, 'products', count)
  const orders = each.map((n) =>
    incomingOrder(`${canary}-${n}`, {
      number: `#${n % 4}`,
      status: statuses[n % 3] ?? 'PENDING',
      placed_at: `2026-01-01T0${n % 5}:00:00.000000Z`,
      sandbox: n % 2 === 0,
    }),
  )
  const products = each.map((n) => ({
    remote_id: `${canary}-${n}`,
    sku: `sku-${n % 6}`,
    name: names[n % names.length] ?? '',
    description: null,
    price: '1.00',
    currency: 'EUR',
    quantity: n,
    active: n % 3 > 0,
    images: [],
    variants: [],
    remote_status: null,
    remote_version: '1',
  }))
  await context.transaction(async (trx) => {
    await upsertOrders(trx, ids.integration, { ids: orderIds, orders })
    await upsertProducts(trx, ids.integration, { ids: productIds, products })
  })
  const { rows: parcels } = await sql<{
    id: number
  }>`insert into shipments (integration_id, order_id, tracking_number, carrier, status, created_at, updated_at)
    select ${ids.integration}, unnest(${orderIds}::bigint[]), ${canary}, 'DHL', 'SHIPPED', now(), now()
    returning id`.execute(context.db)
  const counted = parcels.map(({ id }) => ({ kind: allShipments, id, by: 1 as const }))
  await countRows(context.db, ids.integration, counted)
  await sql`insert into inventory (integration_id, sku, location, quantity)
    select ${ids.integration}, 'sku-' || n, ${canary}, n from generate_series(1, ${count}::int) n`.execute(context.db)
  // Articles of the shared stock, at two places: which of both is meant is in doubt.
  await sql`insert into inventory (integration_id, sku, location, quantity)
    select ${ids.integration}, ${canary} || '-' || n, place, n
    from generate_series(1, ${count}::int) n, unnest(array['north', 'south']) place`.execute(context.db)
}
