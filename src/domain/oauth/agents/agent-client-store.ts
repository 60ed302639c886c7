import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'
import type { AgentClient, RegistrationInput } from './agent-client.ts'

const columns = sql.raw('id, public_id, name, uri, redirect_uris, created_at')

/** Null where too many were registered from there within a day. One at a time for an address, so that none slips past. */
export async function insertAgentClient(
  db: Db,
  { name, uri, redirectUris }: RegistrationInput,
  from: { addressHash: Buffer; maxPerDay: number },
): Promise<AgentClient | null> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${from.addressHash.toString('hex')}, 7591))`.execute(db)
  const { rows } = await sql<AgentClient>`
    insert into agent_clients (public_id, name, uri, redirect_uris, address_hash)
    select ${randomUUID()}, ${name}, ${uri}, ${redirectUris}, ${from.addressHash}
    where (select count(*) from agent_clients
      where address_hash = ${from.addressHash} and created_at > now() - interval '1 day') < ${from.maxPerDay}
    returning ${columns}`.execute(db)
  return rows[0] ?? null
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export const isAgentClientId = (id: string): boolean => uuid.test(id)

/** By what it calls itself; whoever registered is no tenant. */
export async function findAgentClient(db: Db, publicId: string): Promise<AgentClient | null> {
  if (!isAgentClientId(publicId)) return null
  const { rows } = await sql<AgentClient>`
    select ${columns} from agent_clients where public_id = ${publicId.toLowerCase()}`.execute(db)
  return rows[0] ?? null
}

export async function markAgentClientUsed(db: Db, id: number): Promise<boolean> {
  const result = await sql`update agent_clients set used_at = coalesce(used_at, now()) where id = ${id}`.execute(db)
  return Number(result.numAffectedRows ?? 0n) === 1
}
