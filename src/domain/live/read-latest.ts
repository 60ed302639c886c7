import { type AcrossPlan, readAcross } from '../../runtime/db/lists/across.ts'
import type { ShopName } from '../across/across-store.ts'
import type { ListedOrder, WithShop } from '../across/read-across.ts'
import type { Context } from '../context.ts'
import { ordersAcross } from '../orders/order-list-store.ts'
import type { Run } from '../runs/run.ts'
import { openRuns, runsAcross } from '../runs/run-store.ts'
import type { Sealed } from '../runs/sealed-run.ts'

type Reading = Pick<Context, 'reader'>

/** So many of each kind are told at once; more are not what anybody can follow with their eyes. */
export const mostAtOnce = 25

async function newest<Row extends { integration_id: number }>(
  { reader }: Reading,
  plan: AcrossPlan,
  shops: readonly ShopName[],
  filter: Readonly<Record<string, readonly string[]>> = {},
): Promise<Row[]> {
  const ids = shops.map(({ id }) => id)
  return (await readAcross<Row>(reader, plan, ids, { filter, cursor: null, limit: mostAtOnce })).rows
}

function named<Row extends { integration_id: number }>(
  rows: readonly Row[],
  shops: readonly ShopName[],
): WithShop<Row>[] {
  const byId = new Map(shops.map((shop) => [shop.id, shop]))
  return rows.flatMap((row) => {
    const integration = byId.get(row.integration_id)
    return integration ? [{ ...row, integration }] : []
  })
}

export const latestOrders = async (reading: Reading, shops: readonly ShopName[]): Promise<WithShop<ListedOrder>[]> =>
  named(await newest<ListedOrder>(reading, ordersAcross, shops), shops)

/** The newest, and those under way, however long ago they began. */
export async function latestRuns(reading: Reading, shops: readonly ShopName[]): Promise<WithShop<Run>[]> {
  const [all, open] = await Promise.all([
    newest<Sealed<Run>>(reading, runsAcross.loud, shops),
    newest<Sealed<Run>>(reading, runsAcross.all, shops, { status: ['running'] }),
  ])
  const byId = new Map([...open, ...all].map((run) => [`${run.integration_id} ${run.id}`, run]))
  return named(await openRuns(reading.reader, [...byId.values()]), shops)
}
