import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

/** Where somebody is signed in: the console in a browser, or a program that has a token of theirs. */
export interface Session {
  kind: 'console' | 'token'
  id: number
  client_id: number | null
  client: string | null
  /** What the list was asked for with. */
  current: boolean
  created_at: string
  last_used_at: string | null
  expires_at: string
  address: string | null
  agent: string | null
}

const limit = 200

/** Tokens that descend from one log-in are one. Those that were used last come first. */
export async function listSessions(
  db: Db,
  { userId, tokenId }: { userId: number; tokenId: number },
): Promise<Session[]> {
  const { rows } = await sql<Session>`
    select * from (
      select 'console' as kind, id, null::bigint as client_id, null as client, id = ${-tokenId} as current,
        created_at, last_used_at, expires_at, address, agent
      from console_sessions where user_id = ${userId} and expires_at > now()
      union all
      select 'token', max(t.id), c.id, c.name, bool_or(t.id = ${tokenId}),
        min(t.created_at), max(t.last_used_at), max(t.expires_at),
        (array_agg(t.address order by t.last_used_at desc nulls last))[1],
        (array_agg(t.agent order by t.last_used_at desc nulls last))[1]
      from access_tokens t join oauth_clients c on c.id = t.client_id and c.revoked_at is null
      where t.user_id = ${userId} and t.revoked_at is null and t.expires_at > now()
      group by coalesce(t.family_id::text, t.id::text), c.id, c.name
    ) own
    order by coalesce(last_used_at, created_at) desc, kind, id desc limit ${limit}`.execute(db)
  return rows
}

export interface FoundSession {
  kind: Session['kind']
  id: number
  user_id: number
  family_id: string | null
}

export async function findSession(
  db: Db,
  { kind, id }: Pick<FoundSession, 'kind' | 'id'>,
): Promise<FoundSession | undefined> {
  const { rows } = await (kind === 'console'
    ? sql<FoundSession>`
        select 'console' as kind, id, user_id, null as family_id from console_sessions
        where id = ${id} and expires_at > now()`
    : sql<FoundSession>`
        select 'token' as kind, id, user_id, family_id from access_tokens
        where id = ${id} and user_id is not null and expires_at > now()`
  ).execute(db)
  return rows[0]
}

export interface Used {
  address: string
  agent: string | null
}

/** Below zero a session, as `tokenId` of a caller. Where another process was quicker nothing is written again. */
export async function writeLastUse(db: Db, used: readonly (Used & { tokenId: number })[]): Promise<void> {
  const tables = [
    ['console_sessions', used.filter(({ tokenId }) => tokenId < 0), sql``],
    ['access_tokens', used.filter(({ tokenId }) => tokenId > 0), sql`and one.revoked_at is null`],
  ] as const
  for (const [table, rows, live] of tables) {
    if (rows.length === 0) continue
    await sql`
      update ${sql.table(table)} one set last_used_at = now(), address = u.address, agent = u.agent
      from unnest(${rows.map(({ tokenId }) => Math.abs(tokenId))}::bigint[], ${rows.map(({ address }) => address)}::text[],
        ${rows.map(({ agent }) => agent)}::text[]) u (id, address, agent)
      where one.id = u.id ${live} and (one.last_used_at is null or one.last_used_at < now() - interval '4 minutes')`.execute(
      db,
    )
  }
}
