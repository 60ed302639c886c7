import { invalidField, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { readWithin } from '../integrations/messages-store.ts'
import { sharedMinutes } from '../integrations/reading.ts'
import { addMarks, orderMark } from '../levels/stock-mark-store.ts'
import type { AccountTenant } from '../tenant.ts'
import { lockAllLinks } from './articles/link-store.ts'
import { moveLinks } from './articles/move-links.ts'
import { deleteMarks, openLinesOf, openOrderIds } from './following/follow-store.ts'
import { releaseLines } from './following/release-orders.ts'
import { firstPlace, placesNamed } from './places.ts'
import {
  changeShop,
  deleteShop,
  holdPool,
  insertShop,
  lockShop,
  maxShops,
  type PoolChanges,
  type RuleChanges,
  savePlaces,
  savePool,
  setInPool,
  shopsOf,
} from './pool-store.ts'
import type { Pool, PoolShop } from './stock.ts'
import { aimAt } from './targets.ts'

type Needs = Pick<Context, 'db' | 'transaction' | 'enqueue'>

/** Makes the pool of the account or switches it over. What it computes it computes in every mode; what it sends, when it is on. */
export async function switchPool(context: Needs, tenant: AccountTenant, changes: PoolChanges): Promise<Pool> {
  const { mode, deal_below: below } = changes
  const { pool, shops } = await context.transaction(async (trx) => {
    const saved = await savePool(trx, tenant, changes)
    await savePlaces(trx, saved.id, [firstPlace])
    const told = mode === 'on' || below !== undefined ? await shopsOf(trx, saved.id) : []
    if (told.length > 0) await lockAllLinks(trx, saved.id)
    for (const { integration_id: id } of told) await aimAt(trx, saved.id, { integrationId: id })
    return { pool: saved, shops: told }
  })
  // From now on others wait for what is sold here.
  if (pool.mode === 'on')
    for (const { integration_id: id } of shops) await readWithin(context.db, id, sharedMinutes.quiet)
  return pool
}

/**
 * A shop of the account comes into the pool, or its rule changes. Its open orders are looked at: what was sold and has not left is
 * reserved. What had left before is not there to be counted, and is left alone.
 */
export async function setShop(
  context: Needs,
  pool: Pool,
  integration: Integration,
  { place, ...rule }: RuleChanges & { place?: string | undefined },
): Promise<PoolShop> {
  assertOfPool(pool, integration)
  const set = await context.transaction(async (trx) => {
    await holdPool(trx, pool.id)
    const places = await placesNamed(trx, pool.id, [place ?? firstPlace], 'place')
    const placeId = places.get(place ?? firstPlace)?.id
    if (placeId === undefined) throw notFound()
    const held = await lockShop(trx, integration.id)
    if (held === null) await join(trx, pool, integration.id, placeId)
    const changes = { ...rule, ...(place !== undefined && { place_id: placeId }) }
    const shop = await changeShop(trx, { poolId: pool.id, integrationId: integration.id }, changes)
    if (held !== null && held.location !== shop.location) await moveLinks(trx, shop, held.location)
    await aimAt(trx, pool.id, { integrationId: integration.id })
    return shop
  })
  if (pool.mode === 'on') await readWithin(context.db, integration.id, sharedMinutes.quiet)
  return set
}

async function join(trx: Db, pool: Pool, integrationId: number, placeId: number): Promise<void> {
  if ((await shopsOf(trx, pool.id)).length >= maxShops)
    throw invalidField('integration_id', `At most ${maxShops} shops may share a stock.`)
  await setInPool(trx, integrationId, true)
  await insertShop(trx, { poolId: pool.id, integrationId, placeId })
  await markOpenOrders(trx, integrationId)
}

/** The shop keeps what it shows, and its movements stay in the ledger. What its orders hold back is free again: nobody follows them any longer. */
export async function leavePool(context: Needs, pool: Pool, integrationId: number): Promise<void> {
  await context.transaction(async (trx) => {
    const shop = await lockShop(trx, integrationId)
    if (shop?.pool_id !== pool.id) throw notFound()
    await releaseLines(context, trx, pool, await openLinesOf(trx, integrationId), {
      name: `left/${shop.joined_at}`,
      note: 'The shop has left the pool.',
    })
    await deleteShop(trx, pool.id, integrationId)
    await setInPool(trx, integrationId, false)
    await deleteMarks(trx, integrationId)
  })
}

/** Orders whose goods have not left: they may be of an article that was linked just now. */
export async function markOpenOrders(trx: Db, integrationId: number): Promise<void> {
  const ids = await openOrderIds(trx, integrationId)
  await addMarks(trx, integrationId, ids.map(orderMark))
}

function assertOfPool(pool: Pool, integration: Integration): void {
  if (integration.app_id !== pool.app_id || integration.account_id !== pool.account_id) throw notFound()
}
