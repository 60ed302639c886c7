import { randomBytes } from 'node:crypto'
import { listOrderRecords } from '../src/domain/orders/order-record-store.ts'
import { upsertOrders } from '../src/domain/orders/order-upsert-store.ts'
import { openDatabase } from '../src/runtime/db/connection.ts'
import { takeIds } from '../src/runtime/db/take-ids.ts'
import { createVault } from '../src/runtime/db/vault/vault.ts'
import { createLog } from '../src/runtime/log.ts'
import { incomingOrder } from '../test/support/orders.ts'
import { median, medians } from './support/statistics.ts'

/**
 * What it costs a page of orders that customer data is sealed: the same orders in two shops, sealed in one and in the other as
 * an earlier version left them, read in turns, up to the text that is answered.
 */
export interface SealedListResult {
  perPage: number
  /** Milliseconds, median. */
  sealed: number
  clear: number
  /** How much of the speed is left: medians of fifty pairs each. */
  ratios: number[]
}

const orders = 1000
const shops = { sealed: 1_000_011, clear: 1_000_012 } as const

export async function measureSealedLists({ url, rounds = 500 }: { url: string; rounds?: number }) {
  const log = createLog('warn')
  const vault = createVault({ keys: [{ id: 'bench', key: randomBytes(32) }], log })
  const database = openDatabase({ url, max: 1, log, vault })
  try {
    for (const id of Object.values(shops)) await fill(database, id)
    await leaveClear(database)
    await database.query('vacuum analyze orders, row_counters')
    const results: SealedListResult[] = []
    for (const perPage of [15, 100]) results.push(await measure(database, perPage, rounds))
    return results
  } finally {
    await database.close()
  }
}

type Opened = ReturnType<typeof openDatabase>

async function measure({ reader }: Opened, perPage: number, rounds: number): Promise<SealedListResult> {
  const read = async (id: number) => {
    const begun = process.hrtime.bigint()
    const page = await listOrderRecords(reader, id, { page: 1, perPage, filter: {}, sort: [] })
    const text = JSON.stringify(page.rows)
    const took = Number(process.hrtime.bigint() - begun) / 1e6
    if (!text.includes('Leave it with the neighbours')) throw new Error('The list does not say what it should.')
    return took
  }
  const times = { sealed: [] as number[], clear: [] as number[], ratios: [] as number[] }
  // The first rounds only warm up.
  for (let round = -50; round < rounds; round++) {
    const sealed = await read(shops.sealed)
    const clear = await read(shops.clear)
    if (round < 0) continue
    times.sealed.push(sealed)
    times.clear.push(clear)
    times.ratios.push(clear / sealed)
  }
  const ratios = medians(times.ratios, 50)
  return { perPage, sealed: median(times.sealed), clear: median(times.clear), ratios }
}

async function fill({ db, query, transaction }: Opened, id: number): Promise<void> {
  await query('insert into integration_state (integration_id) values ($1)', [id])
  const address = {
    name: 'Ada Lovelace',
    line1: '12 St James’s Square',
    city: 'London',
    zip: 'SW1Y 4JH',
    country: 'GB',
  }
  const told = Array.from({ length: orders }, (_, n) =>
    incomingOrder(`r${n}`, {
      customer: {
        remote_id: `c${n}`,
        email: `ada${n}@example.com`,
        first_name: 'Ada',
        last_name: 'Lovelace',
        phone: null,
      },
      billing_address: address,
      shipping_address: { ...address, phone: '+44 20 7946 0000' },
      note: 'Leave it with the neighbours.',
    }),
  )
  const ids = await takeIds(db, 'orders', orders)
  await transaction((trx) => upsertOrders(trx, id, { ids, orders: told }))
}

/** As before there was anything sealed. */
async function leaveClear({ query, reader }: Opened): Promise<void> {
  const { rows } = await listOrderRecords(reader, shops.clear, { page: 1, perPage: orders, filter: {}, sort: [] })
  const text = JSON.stringify(rows)
  await query(
    `update orders o set private = null, private_digest = null, private_words = null, customer = r.customer,
       billing_address = r.billing_address, shipping_address = r.shipping_address, note = r.note
     from jsonb_to_recordset($2::jsonb) r(id bigint, customer jsonb, billing_address jsonb, shipping_address jsonb, note text)
     where o.integration_id = $1 and o.id = r.id`,
    [shops.clear, text],
  )
}
