import { sql } from 'kysely'
import { notFound } from '../../../lib/fault.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../../runtime/db/lists/paginate.ts'
import { announce } from '../../announce-store.ts'
import type { AgentBounds, AgentGrant } from './agent-grant.ts'

export async function insertAgentGrant(
  db: Db,
  grant: AgentBounds & { clientId: number; userId: number; appId: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into agent_grants (client_id, user_id, app_id, shops, tools, customer_data, calls_per_hour, writes_per_day)
    values (${grant.clientId}, ${grant.userId}, ${grant.appId}, ${grant.shops}::bigint[], ${grant.tools},
      ${grant.customer_data}, ${grant.calls_per_hour}, ${grant.writes_per_day})
    returning id`.execute(db)
  const [made] = rows
  if (!made) throw new Error('The grant was not stored.')
  return made.id
}

const usedNow = `case when g.hour = date_trunc('hour', now()) then g.calls else 0 end as calls,
  case when g.day = date_trunc('day', now()) then g.writes else 0 end as writes`

const columns = `g.id, g.client_id, c.name as client_name, c.uri as client_uri, g.user_id, u.name as user_name, g.app_id, g.shops,
  g.tools, g.customer_data, g.calls_per_hour, g.writes_per_day, ${usedNow}, g.created_at, g.last_used_at, g.ended_at`

/** Agents that have come in; what a person agreed to and no program ever took is none. */
export const agentGrantList: ListPlan = {
  name: 'agent grants',
  from: 'agent_grants g join agent_clients c on c.id = g.client_id left join users u on u.id = g.user_id',
  columns,
  id: 'g.id',
  defaultSort: [{ field: 'id', descending: true }],
  sorts: { id: 'g.id', created_at: 'g.created_at', last_used_at: 'g.last_used_at' },
}

export const agentGrantsOfApp = (appId: number): ListScope => ({
  key: 'app',
  sql: 'g.app_id = ? and g.begun_at is not null and g.ended_at is null',
  params: [appId],
})

export async function findAgentGrant(db: Db, appId: number, id: number): Promise<AgentGrant> {
  const { rows } = await sql<AgentGrant>`
    select ${sql.raw(columns)} from ${sql.raw(agentGrantList.from)}
    where g.id = ${id} and g.app_id = ${appId} and g.begun_at is not null and g.ended_at is null`.execute(db)
  const [grant] = rows
  if (!grant) throw notFound()
  return grant
}

/** Everything that it opens is closed when this has committed, in every process. */
export async function endAgentGrant(db: Db, id: number): Promise<void> {
  await sql`update agent_grants set ended_at = now() where id = ${id} and ended_at is null`.execute(db)
  await sql`delete from agent_tokens where grant_id = ${id}`.execute(db)
  await announce(db, 'agent', id)
}

export async function beginAgentGrant(db: Db, id: number): Promise<void> {
  await sql`update agent_grants set begun_at = coalesce(begun_at, now()) where id = ${id}`.execute(db)
}

export interface Spent {
  calls: number
  writes: number
}

/** One more use; null where the grant has ended meanwhile. What is over the budget is counted and goes no further. */
export async function spend(db: Db, id: number, kind: 'call' | 'write'): Promise<Spent | null> {
  const { rows } = await sql<Spent>`
    update agent_grants g set
      calls = case when hour = date_trunc('hour', now()) then least(calls, 1000000) else 0 end + ${kind === 'call' ? 1 : 0},
      hour = date_trunc('hour', now()),
      writes = case when day = date_trunc('day', now()) then least(writes, 1000000) else 0 end + ${kind === 'write' ? 1 : 0},
      day = date_trunc('day', now()),
      last_used_at = now()
    where id = ${id} and ended_at is null
    returning calls, writes`.execute(db)
  return rows[0] ?? null
}
