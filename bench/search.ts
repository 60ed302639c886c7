import { randomBytes } from 'node:crypto'
import { maxOfKind, search } from '../src/domain/across/search.ts'
import { wordsOfPerson } from '../src/lib/sealing/person-words.ts'
import { blindWord } from '../src/lib/sealing/record-box.ts'
import { openDatabase } from '../src/runtime/db/connection.ts'
import { createVault, keysForSealing } from '../src/runtime/db/vault/vault.ts'
import { createLog } from '../src/runtime/log.ts'
import { median } from './support/statistics.ts'

/**
 * What it takes to find anything in an app of a thousand shops with two million orders, beside one with ten thousand of them: by
 * number, tracking number, SKU, e-mail address, a rare name and a frequent one. Needs a migrated database of its own.
 */
export interface SearchResult {
  what: string
  /** Milliseconds. */
  median: number
  p95: number
  /** With two million orders against ten thousand. */
  growth: number
}

const shops = 1000
const firstNames = ['Anna', 'Ben', 'Clara', 'David', 'Emma', 'Felix', 'Greta', 'Hugo', 'Ida', 'Jonas']
const lastNames = Array.from(
  { length: 40 },
  (_, n) => `Family${String.fromCharCode(65 + (n % 26))}${n > 25 ? 'x' : ''}`,
)

type Opened = ReturnType<typeof openDatabase>

export async function measureSearch(options: {
  url: string
  small?: number
  large?: number
  rounds?: number
  progress?: (text: string) => void
}): Promise<SearchResult[]> {
  const { url, small = 10_000, large = 2_000_000, rounds = 60, progress = () => undefined } = options
  const log = createLog('warn')
  const vault = createVault({ keys: [{ id: 'bench', key: randomBytes(32) }], log })
  const database = openDatabase({ url, max: 4, statementTimeoutMs: 1_800_000, log, vault })
  try {
    const apps = [
      { id: 2_000_001, first: 3_000_001, orders: small },
      { id: 2_000_002, first: 3_100_001, orders: large },
    ] as const
    for (const app of apps) {
      progress(`${app.orders.toLocaleString('en')} orders of ${shops} shops`)
      await fill(database, app)
    }
    await database.query('vacuum analyze orders, shipments, products, integrations, integration_state, privacy_keys')
    // The last ones have just come: nothing has been tidied up after them.
    for (const app of apps)
      await placeOrders(database.query, app, { from: app.orders - lately(app.orders) + 1, to: app.orders })
    const asked = {
      'an order number': '#777',
      'a tracking number': 't777',
      'a SKU': 'sku-777',
      'an e-mail address': 'buyer777@example.com',
      'a name that many have': 'Anna FamilyA',
      'a name that nobody has': 'Zebedee Nobody',
    }
    const cells = Object.entries(asked).map(([what, q]) => ({ what, q, times: apps.map(() => [] as number[]) }))
    for (let round = -5; round < rounds; round++) {
      for (const { q, what, times } of cells) {
        for (const [n, app] of apps.entries()) {
          const begun = process.hrtime.bigint()
          const found = await search(database, app.id, { q, may: { orders: true, shops: true } })
          const took = Number(process.hrtime.bigint() - begun) / 1e6
          const hits = found.orders.length + found.products.length
          if (what.endsWith('nobody has') ? hits > 0 : hits === 0 || found.orders.length > maxOfKind)
            throw new Error(`The search for ${what} does not find what it should: ${hits}.`)
          if (round >= 0) times[n]?.push(took)
        }
      }
    }
    return cells.map(({ what, times: [few = [], many = []] }) => ({
      what,
      median: median(many),
      p95: many.toSorted((a, b) => a - b)[Math.floor(many.length * 0.95)] ?? 0,
      growth: median(many) / median(few),
    }))
  } finally {
    await database.close()
  }
}

/** As many as there are, in turn among the shops; each is known by the hashes that its shop's key makes of the buyer. */
export async function fill(
  { db, query }: Opened,
  { id, first, orders }: { id: number; first: number; orders: number },
) {
  const ids = Array.from({ length: shops }, (_, n) => first + n)
  await query(`insert into apps (id, name) overriding system value values ($1, 'Bench')`, [id])
  await query(
    `insert into integrations (id, app_id, service_id, name, type, shop, status) overriding system value
     select i, $1, (select min(id) from services), 'Shop ' || i, 'crowd', 'bench-' || i || '.example.com', 'ACTIVE' from unnest($2::bigint[]) i`,
    [id, ids],
  )
  await query('insert into integration_state (integration_id, app_id) select i, $1 from unnest($2::bigint[]) i', [
    id,
    ids,
  ])
  const keyOf = await keysForSealing(db, ids)
  const word = (shop: number, sought: Parameters<typeof wordsOfPerson>[0]) =>
    wordsOfPerson(sought).map((one) => blindWord(keyOf(shop), one))
  const hashes = ids.map((shop) => ({
    shop,
    first: firstNames.flatMap((name) => word(shop, { name })),
    last: lastNames.flatMap((name) => word(shop, { name })),
  }))
  await query(
    'create unlogged table if not exists bench_hashes (shop bigint primary key, first bigint[], last bigint[])',
  )
  await query(
    `insert into bench_hashes select shop, first, last from jsonb_to_recordset($1::jsonb) r(shop bigint, first bigint[], last bigint[])`,
    [JSON.stringify(hashes)],
  )
  await placeOrders(query, { id, first }, { from: 1, to: orders - lately(orders) })
  const [buyer = 0] = word(first + 777, { email: 'buyer777@example.com' })
  await query(
    `update orders set private_words = private_words || $2::bigint where integration_id = $1 and number = '#777'`,
    [first + 777, buyer],
  )
  await query(
    `insert into shipments (integration_id, order_id, tracking_number, carrier, status)
     select integration_id, id, 't' || substr(number, 2), 'DHL', 'SHIPPED' from orders
     where integration_id = any($1::bigint[]) and substr(number, 2)::int <= 200000`,
    [ids],
  )
  await query(
    `insert into products (integration_id, sku, name, price, currency)
     select $1::bigint + n % ${shops}, 'sku-' || n, 'Product ' || n, 9.95, 'EUR' from generate_series(1, 20000) n`,
    [first],
  )
}

/** Of so many orders, how many came after the tables were last tidied up. */
const lately = (orders: number): number => Math.min(20_000, Math.floor(orders / 100))

async function placeOrders(
  query: Opened['query'],
  { id, first }: { id: number; first: number },
  { from, to }: { from: number; to: number },
): Promise<void> {
  await query(
    `insert into orders (integration_id, remote_id, number, status, currency, total, items, private, private_digest, private_words, placed_at)
     select shop, 'r' || n, '#' || n, (array['PENDING', 'SHIPPED', 'DELIVERED'])[1 + n % 3], 'EUR', 19.90, '[]', '\\x01', '\\x01',
       array[first[1 + n / 7 % 10], last[1 + n / 11 % 40], ('x' || substr(md5(n::text || $3), 1, 13))::bit(52)::bigint],
       now() - make_interval(mins => n)
     from generate_series($1::int, $4::int) n join bench_hashes on shop = $2::bigint + n % ${shops}`,
    [from, first, String(id), to],
  )
}
