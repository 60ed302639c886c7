import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import type { Integration } from '../integrations/integration.ts'

export interface Address {
  channel: string
  /** Null for an integration of no account; whoever has the shop where a platform knows of no accounts. */
  accountId: number | null | 'any'
  store: string
  /** Of the shop at its platform, where the message tells it. */
  identity: string | null
  /** Where several share the rest of the address. */
  integrationId: number | null
}

export interface Addressed {
  integration: Pick<
    Integration,
    'id' | 'app_id' | 'account_id' | 'service_id' | 'type' | 'definition' | 'shop' | 'settings'
  >
  /** The secrets of the registration. */
  sealed: Buffer | null
  /** It has been uninstalled: all that may still come is what the law wants us to do. */
  left: boolean
}

const maxAddressed = 20

/**
 * What a message that came to the address of one shop says must not contradict it; one that came to the address of all
 * shops goes by the platform's own id, and by name only where that is not known: a name may have become somebody else's.
 */
const named = ({ accountId, store, identity }: Pick<Address, 'accountId' | 'store' | 'identity'>) =>
  accountId === 'any' && identity !== null
    ? sql`(i.identity = ${identity} or (i.shop = ${store} and i.identity is null))`
    : sql`i.shop = ${store} and coalesce(i.identity = ${identity}, true)`

/** The integrations that an address names: of this service, account and shop. Nearly always one. */
export async function addressedIntegrations(db: Db, address: Address): Promise<Addressed[]> {
  const { integrationId: id, accountId } = address
  const { rows } = await sql<Addressed['integration'] & Omit<Addressed, 'integration'>>`
    select i.id, i.app_id, i.account_id, i.service_id, i.type, s.definition, i.shop, i.settings, w.sealed,
      i.status = 'UNINSTALLED' or i.deleted_at is not null as left
    from integrations i left join shop_webhooks w on w.integration_id = i.id left join services s on s.id = i.service_id
    where i.type = ${address.channel} and ${named(address)}
      ${accountId === 'any' ? sql`` : sql`and i.account_id is not distinct from ${accountId}::bigint`}
      and (i.deleted_at is null or i.purged_at is null)
      ${id === null ? sql`` : sql`and i.id = ${id}`}
    order by i.status = 'UNINSTALLED' or i.deleted_at is not null, i.id desc limit ${maxAddressed}`.execute(db)
  return rows.map(({ sealed, left, ...integration }) => ({ integration, sealed, left }))
}

export async function serviceIdOf(db: Db, type: string): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`
    select id from services where type = ${type} and deleted_at is null`.execute(db)
  return rows[0]?.id ?? null
}
