import { sql } from 'kysely'
import { forbidden, notFound } from '../../../lib/fault.ts'
import { digest } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { deletedNow } from '../../../runtime/db/deleted-now.ts'
import type { ListPlan, ListScope } from '../../../runtime/db/lists/paginate.ts'
import type { Role } from '../../rights.ts'
import type { UserTenant } from '../../tenant.ts'
import { type Invitation, invitationDays } from './invitation.ts'

const columns = [
  'id',
  'company_id',
  'invited_by',
  'email',
  'app_id',
  'expires_at',
  'accepted_at',
  'created_at',
  'updated_at',
] as const

export const invitationList: ListPlan = {
  name: 'invitations',
  from: 'invitations',
  columns: `${columns.join(', ')}, role`,
  filters: { email: { column: 'email', type: 'text', match: 'caseless' } },
  sorts: { id: 'id', email: 'email', created_at: 'created_at' },
  defaultSort: [{ field: 'id', descending: true }],
}

export const invitationScope = (tenant: UserTenant): ListScope =>
  tenant.admin
    ? { key: 'all', sql: 'deleted_at is null', params: [] }
    : { key: 'company', sql: 'company_id = ?::bigint and deleted_at is null', params: [tenant.companyId] }

const selectInvitations = (db: Db) =>
  db.selectFrom('invitations').select(columns).select(sql<Role>`role`.as('role')).where('deleted_at', 'is', null)

export async function findInvitation(db: Db, tenant: UserTenant, id: number): Promise<Invitation> {
  const invitation = await selectInvitations(db).where('id', '=', id).executeTakeFirstOrThrow(notFound)
  if (!tenant.admin && invitation.company_id !== tenant.companyId) throw forbidden()
  return invitation
}

export async function countOpenInvitations(db: Db, companyId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from invitations
    where company_id = ${companyId} and deleted_at is null and accepted_at is null and expires_at > now()`.execute(db)
  return rows[0]?.n ?? 0
}

/** Also those that were withdrawn: each of them was a letter. */
export async function countInvitationsToday(
  db: Db,
  input: { companyId: number; email: string },
): Promise<{ company: number; email: number }> {
  const { rows } = await sql<{ company: number; email: number }>`
    select count(*)::int as company, (count(*) filter (where lower(email) = lower(${input.email})))::int as email
    from invitations where company_id = ${input.companyId} and created_at > now() - interval '1 day'`.execute(db)
  return rows[0] ?? { company: 0, email: 0 }
}

/** Who invites to what, as the letter says it. */
export async function readInviter(
  db: Db,
  input: { companyId: number; userId: number | null },
): Promise<{ company: string; name: string | null }> {
  return await db
    .selectFrom('companies')
    .leftJoin('users', (join) => join.on('users.id', '=', input.userId))
    .select(['companies.name as company', 'users.name as name'])
    .where('companies.id', '=', input.companyId)
    .executeTakeFirstOrThrow(notFound)
}

export async function insertInvitation(
  db: Db,
  input: Pick<Invitation, 'company_id' | 'invited_by' | 'email' | 'role' | 'app_id'> & { secret: string },
): Promise<Invitation> {
  const { secret, ...values } = input
  const { id } = await db
    .insertInto('invitations')
    .values({
      ...values,
      token_hash: digest(secret),
      expires_at: sql<string>`now() + make_interval(days => ${invitationDays})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return await selectInvitations(db).where('id', '=', id).executeTakeFirstOrThrow()
}

export async function withdrawInvitation(db: Db, id: number): Promise<void> {
  await db.updateTable('invitations').set(deletedNow).where('id', '=', id).execute()
}

export interface OpenInvitation extends Invitation {
  company: string
  /** Whoever invited is still there to answer for it. */
  answered: boolean
}

/** By its secret: the one who holds it is not known yet. Neither spent nor over, and held until the transaction ends. */
export async function findOpenInvitation(db: Db, secret: string): Promise<OpenInvitation | undefined> {
  const { rows } = await sql<OpenInvitation>`
    select ${sql.raw(columns.map((column) => `invitations.${column}`).join(', '))}, role, companies.name as company,
      inviter.deleted_at is null and inviter.active and (
        inviter.company_id = invitations.company_id
        or exists(select from user_roles join roles on roles.id = role_id where user_id = inviter.id and roles.name = 'admin')
      ) as answered
    from invitations
    join companies on companies.id = invitations.company_id and companies.deleted_at is null
    join users inviter on inviter.id = invitations.invited_by
    where token_hash = ${digest(secret)} and invitations.deleted_at is null and accepted_at is null and expires_at > now()
    for update of invitations`.execute(db)
  return rows[0]
}

export async function spendInvitation(db: Db, id: number, userId: number): Promise<void> {
  await db
    .updateTable('invitations')
    .set({ accepted_at: sql<string>`now()`, user_id: userId, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
}
