import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Fault, notFound } from '../../lib/fault.ts'
import { type KeyRing, open, seal } from '../../lib/secret-box.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { ListPlan, ListScope } from '../../runtime/db/lists/paginate.ts'
import {
  maxWaiting,
  type Plan,
  type Proposal,
  type ProposalAnswer,
  type ProposalStatus,
  proposalPlace,
  proposalSeconds,
} from './proposal.ts'

/** A row as it lies there. */
export interface SealedProposal extends Omit<Proposal, 'plan' | 'answer'> {
  sealed: Buffer
}

const statusNow = `case when p.status = 'waiting' and p.expires_at <= now() then 'expired' else p.status end`

const columns = `p.id, p.grant_id, p.app_id, p.client_id, c.name as client_name, g.user_id, asker.name as user_name,
  p.integration_id, i.name as shop, p.tool, ${statusNow} as status, p.sealed, p.created_at, p.expires_at, p.decided_at,
  p.decided_by, decider.name as decided_by_name, p.finished_at`

export const proposalList: ListPlan = {
  name: 'agent proposals',
  from: `agent_proposals p join agent_grants g on g.id = p.grant_id join agent_clients c on c.id = p.client_id
    left join users asker on asker.id = g.user_id left join users decider on decider.id = p.decided_by
    left join integrations i on i.id = p.integration_id`,
  columns,
  id: 'p.id',
  defaultSort: [{ field: 'id', descending: true }],
  filters: { status: { column: statusNow, type: 'text' } },
  sorts: { id: 'p.id', created_at: 'p.created_at' },
}

export const proposalsOfApp = (appId: number): ListScope => ({ key: 'app', sql: 'p.app_id = ?', params: [appId] })

interface Kept {
  plan: Plan
  answer: ProposalAnswer | null
}

export function openProposal(keys: KeyRing, { sealed, ...row }: SealedProposal): Proposal {
  const kept: Kept = JSON.parse(open(keys, sealed, proposalPlace(row.id, row.app_id)))
  return { ...row, ...kept }
}

export interface Wish {
  grantId: number
  clientId: number
  appId: number
  plan: Plan
}

/** The same wish, while it waits, is the one that is there. */
export async function insertProposal(
  db: Db,
  keys: KeyRing,
  { grantId, clientId, appId, plan }: Wish,
): Promise<{ id: number; isNew: boolean }> {
  const wish = createHash('sha256').update(JSON.stringify(plan)).digest()
  await sql`select pg_advisory_xact_lock(hashtextextended(${`proposals ${grantId}`}, 0))`.execute(db)
  await sql`
    update agent_proposals set status = 'expired'
    where grant_id = ${grantId} and status = 'waiting' and expires_at <= now()`.execute(db)
  const { rows: waiting } = await sql<{ id: number; same: boolean }>`
    select id, wish = ${wish} as same from agent_proposals
    where grant_id = ${grantId} and status = 'waiting'`.execute(db)
  const same = waiting.find((one) => one.same)
  if (same) return { id: same.id, isNew: false }
  if (waiting.length >= maxWaiting) {
    throw new Fault('too_many', `${maxWaiting} changes of this agent wait for approval.`, { retryAfterSeconds: 600 })
  }
  // Its number is part of what seals it, so it is drawn first.
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('agent_proposals', 'id'))::bigint as id`.execute(db)
  const id = rows[0]?.id ?? 0
  const sealed = seal(keys, JSON.stringify({ plan, answer: null } satisfies Kept), proposalPlace(id, appId))
  await sql`
    insert into agent_proposals (id, grant_id, client_id, app_id, integration_id, tool, sealed, key_id, wish, expires_at)
    overriding system value
    values (${id}, ${grantId}, ${clientId}, ${appId}, ${plan.integrationId}, ${plan.tool}, ${sealed}, ${keys[0].id},
      ${wish}, now() + make_interval(secs => ${proposalSeconds}))`.execute(db)
  return { id, isNew: true }
}

async function readProposal(db: Db, keys: KeyRing, id: number, of: { column: string; value: number }) {
  const { rows } = await sql<SealedProposal>`
    select ${sql.raw(columns)} from ${sql.raw(proposalList.from)}
    where p.id = ${id} and ${sql.raw(of.column)} = ${of.value}`.execute(db)
  const [row] = rows
  if (!row) throw notFound()
  return openProposal(keys, row)
}

export const findProposal = (db: Db, keys: KeyRing, { appId, id }: { appId: number; id: number }): Promise<Proposal> =>
  readProposal(db, keys, id, { column: 'p.app_id', value: appId })

/** An agent asks after its own only. */
export const findProposalOfGrant = (
  db: Db,
  keys: KeyRing,
  { grantId, id }: { grantId: number; id: number },
): Promise<Proposal> => readProposal(db, keys, id, { column: 'p.grant_id', value: grantId })

/** True for exactly one of those who decide. */
export async function decide(
  db: Db,
  { id, appId, userId, status }: { id: number; appId: number; userId: number; status: 'approved' | 'refused' },
): Promise<boolean> {
  const result = await sql`
    update agent_proposals set status = ${status}, decided_at = now(), decided_by = ${userId},
      finished_at = case when ${status} = 'refused' then now() end
    where id = ${id} and app_id = ${appId} and status = 'waiting' and expires_at > now()`.execute(db)
  return Number(result.numAffectedRows ?? 0n) === 1
}

/** What came of it; written once: true for whoever did so. */
export async function finishProposal(
  db: Db,
  keys: KeyRing,
  { id, app_id: appId, plan }: Pick<Proposal, 'id' | 'app_id' | 'plan'>,
  { status, answer }: { status: Extract<ProposalStatus, 'done' | 'failed'>; answer: ProposalAnswer },
): Promise<boolean> {
  const sealed = seal(keys, JSON.stringify({ plan, answer } satisfies Kept), proposalPlace(id, appId))
  const result = await sql`
    update agent_proposals set status = ${status}, sealed = ${sealed}, key_id = ${keys[0].id}, finished_at = now()
    where id = ${id} and app_id = ${appId} and status = 'approved'`.execute(db)
  return Number(result.numAffectedRows ?? 0n) === 1
}

/** Which tools an app lets agents change something with, without asking a person. */
export async function readAgentWrites(db: Db, appId: number): Promise<string[]> {
  const { rows } = await sql<{ agent_writes: string[] }>`
    select agent_writes from apps where id = ${appId} and deleted_at is null`.execute(db)
  const [app] = rows
  if (!app) throw notFound()
  return app.agent_writes
}

export async function writeAgentWrites(db: Db, appId: number, tools: readonly string[]): Promise<string[]> {
  await sql`
    update apps set agent_writes = ${[...tools]}, updated_at = now()
    where id = ${appId} and deleted_at is null`.execute(db)
  return await readAgentWrites(db, appId)
}
