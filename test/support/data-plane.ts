import { readMigrations } from '../../src/runtime/db/migration-files.ts'

/** Tables of the same migrations that stay where they are: who may do what, and in which order. */
const controlPlane = [
  'app_roles',
  'departures',
  'passkey_challenges',
  'passkeys',
  'recovery_codes',
  'sign_in_steps',
  'totp_secrets',
  'invitations',
  'arrivals',
  'claim_codes',
  'password_resets',
  'quota_samples',
  'audit_entries',
  'audit_blocks',
  'audit_head',
  'audit_checkpoint',
  'audit_keys',
  'commit_guard',
  'rate_budgets',
  'run_turns',
  'flow_runs',
  'uninstall_cleanups',
  'idempotency_keys',
  'shop_webhooks',
  'console_sessions',
  'webhook_old_secrets',
  'webhook_events',
  'webhook_deliveries',
  'webhook_attempts',
  'webhook_catchers',
  'caught_requests',
  'heartbeats',
]

/** The tables that are distributed by integration: all that were made since the fifth migration, but for a few. */
export async function dataPlaneTables(): Promise<string[]> {
  const migrations = await readMigrations()
  const renamed = new Map(
    migrations.flatMap(({ sql }) =>
      [...sql.matchAll(/^alter table (\w+) rename to (\w+);/gm)].map(([, from = '', to = '']) => [from, to] as const),
    ),
  )
  return migrations
    .filter(({ name }) => name >= '0005')
    .flatMap((migration) => [...migration.sql.matchAll(/^create table (\w+) \(/gm)].map(([, table = '']) => table))
    .map((table) => renamed.get(table) ?? table)
    .filter((table) => !controlPlane.includes(table))
}
