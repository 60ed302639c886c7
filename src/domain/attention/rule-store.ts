import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { anyOf } from '../../runtime/db/lists/any-of.ts'
import { type Rule, type Rules, rulesFrom } from './rule.ts'

const columns = sql`kind, active, severity, minimum, minutes, integration_ids`

export async function rulesOf(db: Db, appId: number): Promise<Rules> {
  const { rows } = await sql<Rule>`select ${columns} from alert_rules where app_id = ${appId}`.execute(db)
  return rulesFrom(rows)
}

export async function rulesOfApps(db: Db, appIds: readonly number[]): Promise<(appId: number) => Rules> {
  const { rows } = await sql<Rule & { app_id: number }>`
    select app_id, ${columns} from alert_rules where app_id = ${anyOf(appIds)}`.execute(db)
  const own = Map.groupBy(rows, ({ app_id: appId }) => appId)
  const usual = rulesFrom([])
  const known = new Map([...own].map(([appId, rules]) => [appId, rulesFrom(rules)]))
  return (appId) => known.get(appId) ?? usual
}

export async function saveRule(trx: Db, appId: number, rule: Rule): Promise<void> {
  await sql`
    insert into alert_rules (app_id, kind, active, severity, minimum, minutes, integration_ids)
    values (${appId}, ${rule.kind}, ${rule.active}, ${rule.severity}, ${rule.minimum}, ${rule.minutes},
      ${rule.integration_ids}::bigint[])
    on conflict (app_id, kind) do update set active = excluded.active, severity = excluded.severity,
      minimum = excluded.minimum, minutes = excluded.minutes, integration_ids = excluded.integration_ids,
      updated_at = now()`.execute(trx)
}
