import pg from 'pg'
import type { Context } from '../../src/domain/context.ts'
import { sealPart } from '../../src/domain/orders/privacy/private-part.ts'
import { keyForSealing } from '../../src/runtime/db/vault/vault.ts'
import { settingsFor } from '../../test/prove/support/settings.ts'
import { makeIntegration } from '../../test/support/gateway.ts'
import { fillRows } from '../../test/support/many-rows.ts'
import { makePrivacyKeys, makeShops, type Query, type Shops, shopsOfMerchant } from '../../test/support/many-shops.ts'
import { incomingOrder } from '../../test/support/orders.ts'
import { openProgram } from '../../test/support/program.ts'
import { makeTenant, type TestTenant } from '../../test/support/server.ts'

/** An app with its shops: the first of them has most, and one in the middle as much as any. */
export interface Tenant extends TestTenant, Shops {
  rows: number
}

/** The program on a database, and the apps in it. */
export interface World {
  program: Awaited<ReturnType<typeof openProgram>>
  query: Query
  tenants: Tenant[]
}

export interface Size {
  integrations: number
  rows: number
}

/** One app of each size, whose rows came in turn. Requests go in without a socket. */
export async function withWorld<T>(
  url: string,
  sizes: readonly Size[],
  { work, progress }: { work: (world: World) => Promise<T>; progress: (text: string) => void },
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const query: Query = async (text, values = []) => (await client.query(text, [...values])).rows
  const program = await openProgram(settingsFor(url), { serves: true })
  try {
    const tenants = await fill({ program, query }, sizes, progress)
    return await work({ program, query, tenants })
  } finally {
    await program.close()
    await client.end()
  }
}

async function fill(
  { program: { context }, query }: Pick<World, 'program' | 'query'>,
  sizes: readonly Size[],
  progress: (text: string) => void,
): Promise<Tenant[]> {
  // For counting and for indexes over everything, on this connection only.
  await query(`select set_config('work_mem', '256MB', false), set_config('maintenance_work_mem', '2GB', false)`)
  const tenants: Tenant[] = []
  for (const { integrations, rows } of sizes) {
    const tenant = await makeTenant(context)
    const { integration } = await makeIntegration(context, { appId: tenant.appId }, { orders: 1 })
    const shops = await makeShops(query, integration.id, integrations)
    await makePrivacyKeys(query, context.keys, shops)
    tenants.push({ ...tenant, ...shops, rows })
    progress(`${integrations.toLocaleString('en')} integrations, ${(2 * integrations).toLocaleString('en')} schedules`)
  }
  await fillRows(query, tenants, { progress })
  await query('vacuum analyze')
  return tenants
}

/** Puts somebody's name into these orders, as a shop would have told it; what the rest of them hold nobody can open. */
export async function nameBuyers(
  { context, query }: { context: Pick<Context, 'db'>; query: Query },
  integrationId: number,
  orderIds: readonly number[],
): Promise<void> {
  const key = await keyForSealing(context.db, integrationId)
  for (const id of orderIds) {
    const [order] = await query<{ remote_id: string }>(
      'select remote_id from orders where integration_id = $1 and id = $2',
      [integrationId, id],
    )
    const remoteId = order?.remote_id ?? ''
    const told = incomingOrder(remoteId, {
      customer: { email: buyerOf(integrationId), first_name: 'Ada' },
      returns: [],
    })
    const part = sealPart(key, { integrationId, remoteId }, { ...told, returns: [] })
    await query(
      'update orders set private = $3, private_digest = $4, private_words = $5 where integration_id = $1 and id = $2',
      [integrationId, id, part.private, part.private_digest, part.private_words],
    )
  }
}

export const buyerOf = (integrationId: number): string => `buyer-of-${integrationId}@example.com`

/** In the middle of all: as large as any. */
export const ordinaryShop = ({ first, count }: Shops): number => first + Math.floor(count / 2)

/** Of the merchant who has the first shop, and the nine after it. */
export async function firstMerchant({ query }: World, { first }: Shops): Promise<number> {
  const rows = await query<{ account_id: string }>(
    'select account_id from integrations where id between $1 and $2 group by 1',
    [first, first + shopsOfMerchant - 1],
  )
  if (rows.length !== 1) throw new Error('The first shops are of several merchants.')
  return Number(rows[0]?.account_id)
}
