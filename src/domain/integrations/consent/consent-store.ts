import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Integration } from '../integration.ts'
import { integrationColumns } from '../integration-store.ts'

export interface Consent {
  consentEndsAt?: string | null | undefined
  identity?: string | undefined
}

/** The merchant has agreed anew: what was known of the time before no longer counts. */
export async function keepConsent(db: Db, id: number, { consentEndsAt, identity }: Consent): Promise<void> {
  await sql`
    update integrations set consent_ends_at = ${consentEndsAt ?? null}::timestamptz, consent_announced_at = null,
      identity = coalesce(${identity ?? null}, identity)
    where id = ${id}`.execute(db)
}

/** A refresh says it more exactly. */
export async function correctConsent(db: Db, id: number, endsAt: string | null): Promise<void> {
  await sql`
    update integrations set consent_ends_at = ${endsAt}::timestamptz
    where id = ${id} and consent_ends_at is distinct from ${endsAt}::timestamptz`.execute(db)
}

/** Those whose consent ends within so many days and that nobody was told of: marked in the same statement. */
export async function takeEndingConsents(
  trx: Db,
  { days, limit }: { days: number; limit: number },
): Promise<(Integration & { consent_ends_at: string })[]> {
  const { rows } = await sql<Integration & { consent_ends_at: string }>`
    update integrations set consent_announced_at = now()
    where id in (
      select id from integrations
      where consent_ends_at < now() + make_interval(days => ${days}) and consent_announced_at is null
        and deleted_at is null and installed_at is not null and status <> 'UNINSTALLED'
      order by consent_ends_at limit ${limit} for update skip locked)
    returning ${sql.raw(integrationColumns)}`.execute(trx)
  return rows
}
