import { sql } from 'kysely'
import { findOrder } from '../../src/domain/orders/order-store.ts'
import { sealStored } from '../../src/domain/orders/privacy/seal-store.ts'
import { newCatcherToken } from '../../src/domain/webhooks/catcher.ts'
import { catchRequest, keepCatcher } from '../../src/domain/webhooks/catcher-store.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import { keyForSealing } from '../../src/runtime/db/vault/vault.ts'
import { columnsOf } from './rows.ts'
import type { World } from './world.ts'

/** What makes tenants easy to mix up: the same numbers, no company to tell them apart by, and something in every drawer. */

/** The same order number, article and customer as in every other shop that this was done to. */
export async function makeTwin(db: Db, { ids }: World): Promise<void> {
  const { customer } = await findOrder(db, ids.integration, ids.order)
  const twin = JSON.stringify({ ...customer, remote_id: 'twin-customer', email: 'twin@example.com' })
  await sql`
    update orders set remote_id = 'twin-order', number = '#1001', private = null, remote_record = null, customer = ${twin}::jsonb,
      items = '[{"sku": "TWIN-SKU", "name": "Twin", "quantity": 1, "price": "1.00"}]', returns = '[]'
    where integration_id = ${ids.integration} and id = ${ids.order}`.execute(db)
  await sealStored(db, ids.integration, await keyForSealing(db, ids.integration), [ids.order])
  await sql`
    update products set remote_id = 'twin-product', sku = 'TWIN-SKU'
    where integration_id = ${ids.integration} and id = ${ids.product}`.execute(db)
  await sql`
    update inventory set sku = 'TWIN-SKU' where integration_id = ${ids.integration} and sku = (
      select min(sku) from inventory where integration_id = ${ids.integration})`.execute(db)
}

/** A catcher with something in it, and deliveries that are held and given up. */
export async function fillDrawers(db: Db, { tenant, ids, canary }: World): Promise<void> {
  const { token } = await keepCatcher(db, tenant, newCatcherToken())
  await catchRequest(db, token, { headers: { 'x-note': canary }, body: canary })
  for (const state of ['held', 'failed']) {
    await sql`
      insert into webhook_deliveries (webhook_id, event_id, type, subject, state, error)
      select webhook_id, event_id, type, subject || ${state}, ${state}, ${canary} from webhook_deliveries
      where id = ${ids.appDelivery}`.execute(db)
  }
}

/** What there is of companies only and stays theirs, and what was written of them and stays as it was. */
const ofCompaniesOnly = new Set([
  'departures',
  'invitations',
  'audit_entries',
  'single_sign_on',
  'single_sign_on_domains',
  'single_sign_on_subjects',
  'single_sign_on_trips',
])

/** Nobody belongs to a company any more: a user has what is the user's own. */
export async function dissolveCompanies(db: Db): Promise<void> {
  const columns = (await columnsOf(db)).filter(
    ({ column, table }) => column === 'company_id' && !ofCompaniesOnly.has(table),
  )
  for (const { table } of columns) await sql`update ${sql.table(table)} set company_id = null`.execute(db)
}
