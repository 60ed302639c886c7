import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import { anyOf } from '../../../runtime/db/lists/any-of.ts'
import { type LetterTemplate, usualTemplate } from './letter-template.ts'

export async function readTemplate(db: Db, appId: number): Promise<LetterTemplate> {
  const { rows } = await sql<LetterTemplate>`
    select active, kinds, subject, body from alert_letters where app_id = ${appId}`.execute(db)
  return rows[0] ?? usualTemplate
}

export async function saveTemplate(trx: Db, appId: number, template: LetterTemplate): Promise<void> {
  await sql`
    insert into alert_letters (app_id, active, kinds, subject, body)
    values (${appId}, ${template.active}, ${template.kinds}::text[], ${template.subject}, ${template.body})
    on conflict (app_id) do update set active = excluded.active, kinds = excluded.kinds, subject = excluded.subject,
      body = excluded.body, updated_at = now()`.execute(trx)
}

/** Which merchants have agreed and can be reached, of these shops: and what their app says to them. */
export interface Reader extends LetterTemplate {
  integration_id: number
  account_id: number
  app_name: string
  name: string | null
  email: string
}

export async function readersOf(trx: Db, integrationIds: readonly number[]): Promise<Reader[]> {
  if (integrationIds.length === 0) return []
  const { rows } = await sql<Reader>`
    select i.id as integration_id, c.id as account_id, a.name as app_name, c.name, c.email,
      l.active, l.kinds, l.subject, l.body
    from integrations i
    join apps a on a.id = i.app_id
    join alert_letters l on l.app_id = i.app_id
    join accounts c on c.id = i.account_id
    join alert_readers r on r.account_id = c.id
    where i.id = ${anyOf(integrationIds)} and l.active and c.email is not null and c.active and c.deleted_at is null
    order by i.id`.execute(trx)
  return rows
}

export async function isReader(db: Db, accountId: number): Promise<boolean> {
  const { rows } = await sql`select from alert_readers where account_id = ${accountId}`.execute(db)
  return rows.length > 0
}

export async function setReader(trx: Db, accountId: number, reads: boolean): Promise<void> {
  await (reads
    ? sql`insert into alert_readers (account_id) values (${accountId}) on conflict do nothing`
    : sql`delete from alert_readers where account_id = ${accountId}`
  ).execute(trx)
}
