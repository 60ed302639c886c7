import { isNamedIn, type Sought } from '../../lib/sealing/person-text.ts'
import { takeTurns } from '../../lib/turns/turns.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { keysForOpening } from '../../runtime/db/vault/vault.ts'
import type { Context } from '../context.ts'
import type { ErasureShop } from '../erasures/erasure.ts'
import { saveStep, shopsOfErasure } from '../erasures/erasure-store.ts'
import { inboundTexts } from '../inbound/inbound-texts-store.ts'
import { logTexts } from '../logs/log-texts-store.ts'
import { operationTexts } from '../operations/operation-texts-store.ts'
import { heldAmong } from '../orders/privacy/find-person-store.ts'
import { buryOrders, erasedAmong } from '../orders/privacy/tombstone-store.ts'
import { runTexts } from '../runs/run-texts-store.ts'
import { quarantineTexts } from '../sync/quarantine/quarantine-store.ts'
import type { TextRow, TextTable } from '../text-table.ts'
import { attemptTexts } from '../webhooks/delivery-texts-store.ts'
import { answerTexts } from './answer-texts-store.ts'

/** Every table beside the orders that may name a buyer, in the order in which they are gone through. */
export const textTables: readonly TextTable[] = [
  quarantineTexts,
  inboundTexts,
  operationTexts,
  runTexts,
  logTexts,
  attemptTexts,
  answerTexts,
]

const rowsAtOnce = 200

/** Goes through all of them from where it was left. */
export async function eraseFromTexts(
  context: Pick<Context, 'db' | 'transaction'>,
  { erasure_id, integration_id }: ErasureShop,
  signal: AbortSignal,
): Promise<Pick<ErasureShop, 'touched' | 'waiting'>> {
  for (;;) {
    signal.throwIfAborted()
    const shop = (await shopsOfErasure(context.db, erasure_id)).find((one) => one.integration_id === integration_id)
    if (!shop) return { touched: {}, waiting: 0 }
    const place = textTables.findIndex(({ name }) => name === (shop.at_table ?? textTables[0]?.name))
    const table = textTables[place]
    if (!table) return shop
    await eraseSome(context, shop, table, textTables[place + 1]?.name ?? pastAll)
  }
}

/** No table has this name. */
const pastAll = 'none'

async function eraseSome(
  { db, transaction }: Pick<Context, 'db' | 'transaction'>,
  shop: ErasureShop,
  table: TextTable,
  next: string,
): Promise<void> {
  const { integration_id: id } = shop
  const rows = await table.read(db, id, { after: shop.after, limit: rowsAtOnce })
  const named = await namedAmong(db, shop, rows)
  const ready = named.filter(({ row }) => !row.isNeeded)
  const last = rows.length === rowsAtOnce ? rows.at(-1) : undefined
  await transaction(async (trx) => {
    await table.forget(
      trx,
      id,
      ready.map(({ row }) => row.place),
    )
    await buryUnknown(
      trx,
      id,
      named.flatMap(({ row, isSure }) => (isSure ? row.orders : [])),
    )
    await saveStep(trx, shop, {
      at: last ? { at_table: table.name, after: last.place } : { at_table: next, after: null },
      touched: { [table.name]: ready.length },
      waiting: named.length - ready.length,
    })
  })
}

/** Those that name the person, or an order of the person. `isSure`: by what the person was asked for by. */
async function namedAmong(
  db: Db,
  { integration_id: id, words, phrases }: ErasureShop,
  rows: readonly TextRow[],
): Promise<{ row: TextRow; isSure: boolean }[]> {
  const key = (await keysForOpening(db, [id])).get(id)
  const saying = rows.filter(({ says }) => says.replaceAll('[redacted]', '').trim() !== '')
  const erased = await erasedAmong(db, id, [...new Set(saying.flatMap(({ orders }) => orders))])
  const asked: Sought | null = key ? { key, hashes: new Set(words) } : null
  const known: Sought | null = key ? { key, hashes: new Set(phrases) } : null
  const turns = takeTurns()
  const named: { row: TextRow; isSure: boolean }[] = []
  for (const row of saying) {
    const isSure = asked !== null && isNamedIn(asked, row.says)
    const isNamed = isSure || row.orders.some((order) => erased.has(order)) || (known && isNamedIn(known, row.says))
    if (isNamed) named.push({ row, isSure })
    const rest = turns.yield()
    if (rest) await rest
  }
  return named
}

/** Orders of the person that could not be stored yet: when they can be, it is without the person. */
async function buryUnknown(trx: Db, id: number, remoteIds: readonly string[]): Promise<void> {
  const held = await heldAmong(trx, id, remoteIds)
  await buryOrders(
    trx,
    id,
    remoteIds.filter((remoteId) => !held.has(remoteId)),
  )
}
