import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Client } from 'undici'
import { listOrderRecords } from '../src/domain/orders/order-record-store.ts'
import { upsertOrders } from '../src/domain/orders/order-upsert-store.ts'
import { openDatabase } from '../src/runtime/db/connection.ts'
import { takeIds } from '../src/runtime/db/take-ids.ts'
import { createVault } from '../src/runtime/db/vault/vault.ts'
import { createLog } from '../src/runtime/log.ts'
import { settingsFor } from '../test/prove/support/settings.ts'
import { makeIntegration } from '../test/support/gateway.ts'
import { incomingOrder } from '../test/support/orders.ts'
import { openProgram } from '../test/support/program.ts'
import { makeTenant } from '../test/support/server.ts'
import { startEntrepot } from './support/child.ts'
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
/** The same orders, by how they are kept. */
interface Shops {
  sealed: number
  clear: number
}
const shops: Shops = { sealed: 1_000_011, clear: 1_000_012 }
const pages = [15, 100]

export async function measureSealedLists({ url, rounds = 500 }: { url: string; rounds?: number }) {
  const log = createLog('warn')
  const vault = createVault({ keys: [{ id: 'bench', key: randomBytes(32) }], log })
  const database = openDatabase({ url, max: 1, log, vault })
  try {
    for (const id of Object.values(shops)) await fill(database, id)
    await leaveClear(database, shops.clear)
    await database.query('vacuum analyze orders, row_counters')
    const results: SealedListResult[] = []
    for (const perPage of pages) results.push(await measure(shops, perPage, { rounds, read: readerOf(database) }))
    return results
  } finally {
    await database.close()
  }
}

/** The same as somebody asks for it over the API, with one request at a time. */
export async function measureSealedAnswers({ databaseUrl, rounds = 500 }: { databaseUrl: string; rounds?: number }) {
  const settings = settingsFor(databaseUrl, { ENTREPOT_ROLE: 'api' })
  const { asked, token } = await prepare(settings)
  const { url, stop } = await startEntrepot(settings)
  const client = new Client(url)
  const read: Read = async (id, perPage) => {
    // Of first pages the bytes are kept.
    const path = `/api/2.0/app/orders?integration_id=${id}&per_page=${perPage}&page=2`
    const { body } = await client.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
    return await body.text()
  }
  try {
    const results: SealedListResult[] = []
    for (const perPage of pages) results.push(await measure(asked, perPage, { rounds, read }))
    return results
  } finally {
    await client.close()
    await stop()
  }
}

async function prepare(settings: Readonly<Record<string, string>>): Promise<{ asked: Shops; token: string }> {
  const { context, close } = await openProgram(settings)
  try {
    const { appId, accountId, appToken: token } = await makeTenant(context)
    const [sealed, clear] = [
      await makeIntegration(context, { appId, accountId }),
      await makeIntegration(context, { appId, accountId }),
    ]
    const asked = { sealed: sealed.integration.id, clear: clear.integration.id }
    for (const id of Object.values(asked)) await fillOne(context, id)
    await leaveClear(context, asked.clear)
    await sql`vacuum analyze orders, row_counters`.execute(context.db)
    return { asked, token }
  } finally {
    await close()
  }
}

type Opened = ReturnType<typeof openDatabase>

/** A page of a shop, as text. */
type Read = (id: number, perPage: number) => Promise<string>

const readerOf =
  ({ reader }: Opened): Read =>
  async (id, perPage) =>
    JSON.stringify((await listOrderRecords(reader, id, { page: 1, perPage, filter: {}, sort: [] })).rows)

async function measure(
  { sealed: sealedShop, clear: clearShop }: Shops,
  perPage: number,
  options: { rounds: number; read: Read },
): Promise<SealedListResult> {
  const { rounds } = options
  const read = async (id: number) => {
    const begun = process.hrtime.bigint()
    const text = await options.read(id, perPage)
    const took = Number(process.hrtime.bigint() - begun) / 1e6
    if (!text.includes('Leave it with the neighbours')) throw new Error('The list does not say what it should.')
    return took
  }
  const times = { sealed: [] as number[], clear: [] as number[], ratios: [] as number[] }
  // The first rounds only warm up.
  for (let round = -50; round < rounds; round++) {
    const sealed = await read(sealedShop)
    const clear = await read(clearShop)
    if (round < 0) continue
    times.sealed.push(sealed)
    times.clear.push(clear)
    times.ratios.push(clear / sealed)
  }
  const ratios = medians(times.ratios, 50)
  return { perPage, sealed: median(times.sealed), clear: median(times.clear), ratios }
}

async function fill(database: Opened, id: number): Promise<void> {
  await database.query('insert into integration_state (integration_id) values ($1)', [id])
  await fillOne(database, id)
}

async function fillOne({ db, transaction }: Pick<Opened, 'db' | 'transaction'>, id: number): Promise<void> {
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
async function leaveClear({ db, reader }: Pick<Opened, 'db' | 'reader'>, clear: number): Promise<void> {
  const { rows } = await listOrderRecords(reader, clear, { page: 1, perPage: orders, filter: {}, sort: [] })
  await sql`
    update orders o set private = null, private_digest = null, private_words = null, customer = r.customer,
      billing_address = r.billing_address, shipping_address = r.shipping_address, note = r.note
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      r(id bigint, customer jsonb, billing_address jsonb, shipping_address jsonb, note text)
    where o.integration_id = ${clear} and o.id = r.id`.execute(db)
}
