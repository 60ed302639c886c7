import type { KeyRing } from '../../src/lib/secret-box.ts'
import { newPrivacyKey } from '../../src/runtime/db/vault/vault.ts'

/** Rows of a connection, of the program's own or not. */
export type Query = <Row extends object>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/** Shops whose ids follow each other. */
export interface Shops {
  first: number
  count: number
}

/** So rarely that no schedule has its next appointment while it is watched. */
export const rarely = '0 0 1 1 *'

/** Merchants have so many each. */
export const shopsOfMerchant = 10

/**
 * So many further shops of an app, like the one that is given, with two schedules each. Nothing of them is due: they are there, and ask for
 * nothing.
 */
export async function makeShops(query: Query, like: number, count: number): Promise<Shops> {
  await query(
    `insert into accounts (app_id, remote_id, name)
     select app_id, 'many-' || n, 'Merchant ' || n
     from integrations, generate_series(0, ($2::int - 1) / $3::int) n where id = $1`,
    [like, count, shopsOfMerchant],
  )
  const made = await query<{ id: string }>(
    `with made as (
       insert into integrations (app_id, account_id, service_id, type, name, shop, status, settings, installed_at, compared_at, next_read_at)
       select i.app_id, a.id, i.service_id, i.type, 'Shop ' || n, 'many-' || n || '.example.com', 'ACTIVE', i.settings, now(), now(),
         now() + interval '10 years'
       from integrations i, generate_series(0, $2::int - 1) n, accounts a
       where i.id = $1 and a.app_id = i.app_id and a.remote_id = 'many-' || n / $3::int order by n
       returning id, app_id)
     insert into integration_state (integration_id, app_id) select id, app_id from made order by id returning integration_id as id`,
    [like, count, shopsOfMerchant],
  )
  const [first, last] = [Number(made[0]?.id), Number(made.at(-1)?.id)]
  if (last - first + 1 !== count) throw new Error('Somebody else has made shops meanwhile.')
  await query(
    `insert into schedules (integration_id, resource, cron, next_run_at)
     select id, resource, $3, now() + interval '10 years'
     from integrations, unnest(array['sync_orders', 'sync_products']) resource where id between $1 and $2 order by id, resource`,
    [first, last, rarely],
  )
  return { first, count }
}

/** What their customer data would be sealed with, which every shop has that has ever had an order. */
export async function makePrivacyKeys(query: Query, keys: KeyRing, { first, count }: Shops): Promise<void> {
  const atOnce = 5000
  for (let from = first; from < first + count; from += atOnce) {
    const ids = Array.from({ length: Math.min(atOnce, first + count - from) }, (_, n) => from + n)
    await query(
      `insert into privacy_keys (integration_id, sealed, key_id)
       select id, decode(sealed, 'hex'), $3 from unnest($1::bigint[], $2::text[]) k (id, sealed)`,
      [ids, ids.map((id) => newPrivacyKey(keys, id).toString('hex')), keys[0].id],
    )
  }
}
