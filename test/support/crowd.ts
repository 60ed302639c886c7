import pg from 'pg'

/**
 * The tenants among whom tests run: 1,000 shops of 100 apps, whose rows came in turn, and statistics that know of them.
 * With one tenant and fresh tables every plan is a good plan. All ids are far above those that a test is given.
 */
export const crowd = { firstId: 1_000_000_000, apps: 100, integrations: 1000, orders: 10_000 } as const

const { firstId, apps, integrations, orders } = crowd

/** The n-th row of a table, and whose it is: one after the other, never two of the same shop side by side. */
const each = (count: number) => `generate_series(0, ${count - 1}) n`
const id = (first: number = firstId) => `${first} + n`
const shop = (first: number = firstId) => `${first} + n % ${integrations}`
const app = (first: number = firstId) => `${first} + n % ${apps}`
const moment = `timestamptz '2026-01-01 00:00:00Z' + make_interval(mins => n)`

/** Nothing in it is due, held or under way: the crowd is there, and asks for nothing. */
const controlPlane = [
  `insert into companies (id, name) overriding system value select ${id()}, 'Company ' || n from ${each(apps)}`,
  `insert into users (id, company_id, name, email, email_folded) overriding system value
   select ${id()}, ${id()}, 'User ' || n, 'crowd-' || n || '@example.com', 'crowd-' || n || '@example.com' from ${each(apps)}`,
  `insert into apps (id, user_id, company_id, name) overriding system value
   select ${id()}, ${id()}, ${id()}, 'App ' || n from ${each(apps)}`,
  `insert into accounts (id, app_id, remote_id) overriding system value
   select ${id()}, ${app()}, 'crowd-' || n from ${each(integrations)}`,
  `insert into services (id, type, name, auth_type) overriding system value values (${firstId}, 'crowd', 'Crowd', 'none')`,
  `insert into integrations (id, app_id, account_id, service_id, user_id, company_id, name, type, shop, status,
     installed_at, compared_at, next_read_at)
   overriding system value
   select ${id()}, ${app()}, ${id()}, ${firstId}, ${app()}, ${app()}, 'Shop ' || n, 'crowd', 'crowd-' || n || '.example.com', 'ACTIVE',
     ${moment}, now(), now() + make_interval(years => 10, mins => n) from ${each(integrations)}`,
  `insert into webhook_subscriptions (id, app_id, events, url, secret, key_id) overriding system value
   select ${id()}, ${id()}, '{order.created}', 'https://crowd.example.com', '\\x00', 'none' from ${each(apps)}`,
  `insert into webhook_events (id, app_id, integration_id, type, subject, data) overriding system value
   select ${id()}, ${app()}, ${shop()}, 'order.created', 'order:' || n, '{}' from ${each(5 * integrations)}`,
  `insert into webhook_deliveries (id, webhook_id, event_id, type, subject, state, attempts, delivered_at) overriding system value
   select ${id()}, ${app()}, ${id()}, 'order.created', 'order:' || n, 'delivered', 1, now() from ${each(5 * integrations)}`,
]

const secondEra = `create table shop_messages_era_2 partition of shop_messages
     (primary key (integration_id, delivery_id), unique (integration_id, id)) for values in (2)`

/** What a thousand shops hold, from the first of them on. */
const shopsFrom = (first: number) => [
  `insert into integration_state (integration_id, app_id) select ${shop(first)}, ${app(first)} from ${each(integrations)}`,
  `insert into runs (integration_id, id, resource, status, done, created_at, started_at, finished_at)
   select ${shop(first)}, ${id(first)}, (array['sync_orders', 'sync_products'])[1 + n % 2], 'completed', 10, ${moment}, ${moment}, ${moment}
   from ${each(3 * integrations)}`,
  `insert into orders (integration_id, id, remote_id, number, status, currency, total, items, remote_version,
     private, private_digest, private_words,
     placed_at, acknowledged_at, acknowledgement_reported_at, created_at, updated_at)
   select ${shop(first)}, ${id(first)}, 'r' || n, '#' || n, (array['SHIPPED', 'DELIVERED', 'CANCELLED'])[1 + n % 3], 'EUR', 19.90,
     '[{"sku": "A-1", "name": "Thing", "quantity": 1, "price": "19.90"}]',
     '1', '\\x01', '\\x01', array[n, n % 1000, n % 50 + 1000000, n % 20 + 2000000]::bigint[],
     ${moment}, ${moment}, ${moment}, ${moment}, ${moment} from ${each(orders)}`,
  `insert into order_history (integration_id, id, order_id, status, source, at)
   select ${shop(first)}, ${id(first)}, ${id(first)}, 'SHIPPED', 'sync', ${moment} from ${each(orders)}`,
  `insert into shipments (integration_id, id, order_id, tracking_number, carrier, status, shipped_at)
   select ${shop(first)}, ${id(first)}, ${id(first)}, 't' || n, 'DHL', 'SHIPPED', ${moment} from ${each(orders / 2)}`,
  `insert into products (integration_id, id, remote_id, sku, name, price, currency, remote_version, created_at, updated_at)
   select ${shop(first)}, ${id(first)}, 'p' || n, 'sku-' || n, 'Product ' || n, 9.95, 'EUR', '1', ${moment}, ${moment}
   from ${each(5 * integrations)}`,
  `insert into inventory (integration_id, sku, location, quantity, remote_id, updated_at)
   select ${shop(first)}, 'sku-' || n, 'main', n % 100, 'i' || n, ${moment} from ${each(5 * integrations)}`,
  `insert into row_counters (integration_id, kind, bucket, n)
   select integration_id, kind, -1, count(*)
   from (select integration_id, unnest(array['orders', 'orders:' || status]) kind from orders
     union all select integration_id, 'products' from products
     union all select integration_id, 'shipments' from shipments) rows
   where integration_id between ${first} and ${first + integrations} group by 1, 2`,
  `insert into integration_logs (integration_id, at, id, run_id, level, event, message)
   select ${shop(first)}, now(), ${id(first)}, ${id(first)}, 'info', 'run.completed', 'Done.' from ${each(5 * integrations)}`,
  `insert into shop_messages (integration_id, delivery_id, id, topic, kind, remote_id, outcome, body, private, size,
     received_at, processed_at, era)
   select ${shop(first)}, 'd' || n, ${id(first)}, 'order.updated', 'order', 'r' || n, 'stored', '', '\\x01', 2, ${moment}, ${moment}, 1 + n % 2
   from ${each(5 * integrations)}`,
  `insert into operations (integration_id, id, kind, key, status, input, private_input, settled_at, updated_at)
   select ${shop(first)}, ${id(first)}, (array['create_shipment', 'create_refund', 'cancel_order', 'cancel_order_lines', 'acknowledge_orders'])[1 + n % 5],
     'k' || n, 'confirmed', jsonb_build_object('order_remote_id', 'r' || n), '\\x01', now(), now() from ${each(5 * integrations)}`,
]

export const fillCrowd = (url: string): Promise<void> =>
  onConnection(url, (client) => fill(client, [...controlPlane, secondEra, ...shopsFrom(firstId)]))

/**
 * Of the crowd a shard holds a part only. With a thousand shops more for each further shard it is as full as the table is where
 * there are none, and a walk is as dear. Nobody knows of these shops but the data plane.
 */
export const fillShards = (url: string): Promise<void> =>
  onConnection(url, async (client) => {
    const { rows } = await client.query(`select from pg_dist_shard where logicalrelid = 'integration_state'::regclass`)
    const further = rows.slice(1).map((_, n) => firstId + (n + 1) * 1_000_000)
    await fill(client, further.flatMap(shopsFrom))
  })

async function fill(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) {
    await client.query(statement).catch((error: unknown) => {
      throw new Error(`The crowd does not fit the tables: ${statement}`, { cause: error })
    })
  }
  await client.query('vacuum analyze')
}

async function onConnection(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}
