import { databaseTime } from '../../runtime/db/database-time.ts'
import { type AcrossPage, type AcrossPlan, type AcrossQuery, readAcross } from '../../runtime/db/lists/across.ts'
import type { Context } from '../context.ts'
import { type InboundSummary, messagesAcross, type SealedSummary } from '../inbound/inbound-list-store.ts'
import { unsealErrors } from '../inbound/sealing/sealed-delivery.ts'
import { type Level, levelsAcross } from '../levels/level-store.ts'
import type { IntegrationLog } from '../logs/log.ts'
import { logsAcross, type StoredLog } from '../logs/log-store.ts'
import { openSaid } from '../logs/sealed-log.ts'
import type { OrderStatus } from '../orders/order.ts'
import { ordersAcross, ordersPlacedAcross } from '../orders/order-list-store.ts'
import { productsAcross } from '../products/product-store.ts'
import type { Run } from '../runs/run.ts'
import { openRuns, runsAcross } from '../runs/run-store.ts'
import type { Sealed } from '../runs/sealed-run.ts'
import type { Shipment } from '../shipments/shipment.ts'
import { shipmentsAcross } from '../shipments/shipment-list-store.ts'
import { type ShopName, shopsIn } from './across-store.ts'

/** What the shops of an app hold, over all of them, newest first. */

export interface AcrossAsked extends Pick<AcrossQuery, 'cursor' | 'limit'> {
  integrationId?: number | undefined
  accountId?: number | undefined
  filter: Readonly<Record<string, string | undefined>>
}

export type WithShop<Row> = Row & { integration: ShopName }

type Reading = Pick<Context, 'db' | 'reader'>

async function read<Row extends { integration_id: number }, Opened extends { integration_id: number } = Row>(
  { db, reader }: Reading,
  appId: number,
  asked: AcrossAsked,
  { plan, open }: { plan: AcrossPlan; open: (rows: Row[]) => Opened[] | Promise<Opened[]> },
): Promise<AcrossPage<WithShop<Opened>>> {
  const shops = await shopsIn(db, appId, asked)
  const named = new Map(shops.map((shop) => [shop.id, shop]))
  const given = Object.entries(asked.filter).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value]]]))
  const query = { filter: Object.fromEntries(given), cursor: asked.cursor, limit: asked.limit }
  const { rows, cursor } = await readAcross<Row>(reader, plan, [...named.keys()], query)
  const opened = await open(rows)
  return {
    rows: opened.flatMap((row) => {
      const integration = named.get(row.integration_id)
      return integration ? [{ ...row, integration }] : []
    }),
    cursor,
  }
}

const asIs = <Row>(rows: Row[]): Row[] => rows

/** What is sealed of an order is not read. */
export interface ListedOrder {
  integration_id: number
  id: number
  remote_id: string
  number: string | null
  status: OrderStatus
  remote_status: string | null
  payment_status: string | null
  fulfillment_status: string | null
  currency: string
  total: string
  placed_at: string | null
  ship_by: string | null
  acknowledged_at: string | null
  created_at: string
  updated_at: string
}

/** By when they came here; whoever asks for when they were placed gets them in that order. */
export function ordersIn(reading: Reading, appId: number, asked: AcrossAsked) {
  const byPlaced = asked.filter['placed_since'] !== undefined || asked.filter['placed_until'] !== undefined
  const plan = byPlaced ? ordersPlacedAcross : ordersAcross
  return read<ListedOrder>(reading, appId, asked, { plan, open: asIs })
}

export interface ListedProduct {
  integration_id: number
  id: number
  remote_id: string | null
  sku: string
  name: string
  price: string
  currency: string
  quantity: number | null
  active: boolean
  updated_at: string
}

export const productsIn = (reading: Reading, appId: number, asked: AcrossAsked) =>
  read<ListedProduct>(reading, appId, asked, { plan: productsAcross, open: asIs })

export const levelsIn = (reading: Reading, appId: number, asked: AcrossAsked) =>
  read<Level>(reading, appId, asked, { plan: levelsAcross, open: asIs })

export const shipmentsIn = (reading: Reading, appId: number, asked: AcrossAsked) =>
  read<Shipment>(reading, appId, asked, { plan: shipmentsAcross, open: asIs })

export function runsIn(reading: Reading, appId: number, asked: AcrossAsked) {
  const { found, ...filter } = asked.filter
  const plan = runsAcross[found === 'something' ? 'loud' : 'all']
  const open = (rows: Sealed<Run>[]): Promise<Run[]> => openRuns(reading.reader, rows)
  return read<Sealed<Run>, Run>(reading, appId, { ...asked, filter }, { plan, open })
}

export function messagesIn(reading: Reading, appId: number, asked: AcrossAsked) {
  const { outcome, ...filter } = asked.filter
  const plan = messagesAcross[outcome === 'failed' || outcome === 'waiting' ? outcome : 'all']
  const open = (rows: SealedSummary[]): Promise<InboundSummary[]> => unsealErrors(reading.reader, rows)
  return read<SealedSummary, InboundSummary>(reading, appId, { ...asked, filter }, { plan, open })
}

/** Looked through for a level or a text are the last days only, unless a time is given: these have no index. */
const daysLookedThrough = 7

export async function logsIn(reading: Reading, appId: number, asked: AcrossAsked) {
  const { level, q, since } = asked.filter
  const bounded = since === undefined && (level !== undefined || q !== undefined)
  const from = bounded ? daysBefore(await databaseTime(reading.db), daysLookedThrough) : since
  const filter = { ...asked.filter, since: from }
  const open = (rows: StoredLog[]): Promise<IntegrationLog[]> => openSaid(reading.reader, rows)
  return await read<StoredLog, IntegrationLog>(reading, appId, { ...asked, filter }, { plan: logsAcross, open })
}

const daysBefore = (time: string, days: number): string => new Date(Date.parse(time) - days * 86_400_000).toISOString()
