import { countStored } from './count-stored.ts'
import type { Query, Shops } from './many-shops.ts'

/** Of so many rows, how many are orders, and how many are of each other kind. */
const shares = { orders: 0.6, products: 0.1, inventory: 0.1, runs: 0.1, integration_logs: 0.1 } as const
type Table = keyof typeof shares
const tables = Object.keys(shares) as Table[]

export const ordersIn = (rows: number): number => Math.round(rows * shares.orders)

/** Orders that one statement stores. */
const atOnce = 500_000

/** The place of a row among all of its kind, from 0 to 1, and of its shop among all: few shops have very many, most have few. */
const place = 'n / $4::float8'
const skewed = '$1::bigint + floor($2::int * power(n * 0.6180339887498949 - floor(n * 0.6180339887498949), 4))::bigint'
/** What happens by the clock happens to all alike. */
const evenly = '$1::bigint + n % $2::int'
const within = (days: number) => `now() - make_interval(secs => ${days} * 86400 * (1 - ${place}))`
const word = (of: string, seed: string) => `hashint8extended(${of}, ${seed}) & 9007199254740991`

/** What is sealed of an order is noise, as long as it would be, and its words are nobody's. */
const statements: Readonly<Record<Table, string>> = {
  orders: `
    insert into orders (integration_id, remote_id, number, status, remote_status, payment_status, fulfillment_status, currency, total, items,
      remote_version, private, private_digest, private_words, placed_at, acknowledged_at, acknowledgement_reported_at, created_at, updated_at)
    select shop, 'r' || n, '#' || n, case when old then (array['SHIPPED', 'DELIVERED', 'CANCELLED'])[1 + n % 3] else 'PENDING' end, 'open',
      'paid', 'unfulfilled', 'EUR', 19.90, '[{"sku": "A-1", "name": "Thing", "quantity": 1, "price": "19.90"}]', '1',
      decode(repeat(md5(n::text), 16), 'hex'), decode(md5(n::text), 'hex'),
      array[${word('shop', 'n % 40')}, ${word('shop', '100 + n % 200')}, ${word('n', '1')}, ${word('n', '2')}],
      at, case when old then at end, case when old then at end, at, at
    from (select n, ${skewed} as shop, ${within(90)} as at, ${place} < 0.98 as old from generate_series($3::bigint, $5::bigint) n) placed
    order by shop, n`,
  products: `
    insert into products (integration_id, remote_id, sku, name, price, currency, quantity, remote_version, created_at, updated_at)
    select ${skewed}, 'p' || n, 'sku-' || n, 'Product ' || n, 9.95, 'EUR', n % 100, '1', ${within(300)}, ${within(300)}
    from generate_series($3::bigint, $5::bigint) n order by 1, n`,
  inventory: `
    insert into inventory (integration_id, sku, location, quantity, remote_id, updated_at)
    select ${skewed}, 'sku-' || n, 'main', n % 100, 'i' || n, ${within(90)} from generate_series($3::bigint, $5::bigint) n
    order by 1, n`,
  runs: `
    insert into runs (integration_id, resource, status, done, quiet, automatic, created_at, started_at, finished_at)
    select ${evenly}, (array['sync_orders', 'sync_products'])[1 + n % 2], case when n % 1000 = 0 then 'failed' else 'completed' end,
      n % 10, n % 10 > 0, true, ${within(30)}, ${within(30)}, ${within(30)} from generate_series($3::bigint, $5::bigint) n order by 1, n`,
  // Since the month began: of earlier ones there are no partitions.
  integration_logs: `
    insert into integration_logs (integration_id, at, level, event, message)
    select ${evenly}, date_trunc('month', now()) + (now() - date_trunc('month', now())) * (${place}), 'info', 'run.completed', 'Done.'
    from generate_series($3::bigint, $5::bigint) n order by 1, n`,
}

export interface Filled extends Shops {
  /** Of all kinds together. */
  rows: number
}

/**
 * Orders above all, products, stock, runs and entries of the log, of several groups of shops, in rounds: in each every shop has some, so that no
 * shop's lie together. So many of them go into bare tables faster, whose indexes are made afterwards.
 */
export async function fillRows(
  query: Query,
  groups: readonly Filled[],
  { progress = () => undefined, bareFrom = 1_000_000 }: { progress?: (text: string) => void; bareFrom?: number } = {},
): Promise<void> {
  const all = groups.reduce((sum, { rows }) => sum + rows, 0)
  const parts = Math.ceil((all * shares.orders) / atOnce)
  const missing = all >= bareFrom ? await makeBare(query) : []
  for (let part = 0; part < parts; part++) {
    for (const table of tables) for (const group of groups) await fillPart(query, table, group, { part, parts })
    progress(`${Math.round((all * (part + 1)) / parts).toLocaleString('en')} of ${all.toLocaleString('en')} rows`)
  }
  for (const [n, statement] of missing.entries()) {
    await query(statement)
    progress(`${n + 1} of ${missing.length} indexes and constraints`)
  }
  for (const group of groups)
    for (const table of ['orders', 'products'] as const) await countStored(query, table, group)
  progress('counted')
}

async function fillPart(
  query: Query,
  table: Table,
  { first, count, rows }: Filled,
  { part, parts }: { part: number; parts: number },
): Promise<void> {
  const own = Math.round(rows * shares[table])
  const [from, to] = [part, part + 1].map((each) => Math.floor((own * each) / parts))
  if (from === undefined || to === undefined || from === to) return
  await query(statements[table], [first, count, from, own, to - 1])
}

/** Whatever is looked up or kept up for each row but the primary key; how to make it again. */
async function makeBare(query: Query): Promise<string[]> {
  const bare = tables.filter((table) => table !== 'integration_logs')
  const rules = await query<{ of: string; name: string; definition: string }>(
    `select conrelid::regclass::text as of, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = any($1::regclass[]) and contype in ('f', 'u') order by 1, 2`,
    [bare],
  )
  for (const { of, name } of rules) await query(`alter table ${of} drop constraint ${name}`)
  const indexes = await query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any($1::regclass[]) and not indisprimary order by 1`,
    [bare],
  )
  for (const { name } of indexes) await query(`drop index ${name}`)
  return [
    ...rules.map(({ of, name, definition }) => `alter table ${of} add constraint ${name} ${definition}`),
    ...indexes.map(({ definition }) => definition),
  ]
}
