import { sql } from 'kysely'
import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import { adminRole } from '../../users/user.ts'
import { givenPermissionsSql } from '../../users/user-store.ts'
import { type UserFacts, userFactsSql } from '../callers/rights-of-user.ts'
import type { AgentBounds } from './agent-grant.ts'

type Kind = 'code' | 'access' | 'refresh'

/** What it is can be seen, as scanners for lost secrets like it. */
const prefixes: Readonly<Record<Kind, string>> = { code: 'agc_', access: 'agt_', refresh: 'agr_' }

export const isAgentToken = (token: string): boolean => /^ag[tr]_[A-Za-z0-9]{43}$/.test(token)

interface NewToken {
  grantId: number
  kind: Kind
  seconds: number
  redirectUri?: string
  challenge?: string
}

/** Returns the token itself; only its digest is stored. */
export async function insertAgentToken(db: Db, token: NewToken): Promise<string> {
  const secret = prefixes[token.kind] + randomSecret()
  await sql`
    insert into agent_tokens (token_hash, grant_id, kind, redirect_uri, challenge, expires_at)
    values (${digest(secret)}, ${token.grantId}, ${token.kind}, ${token.redirectUri ?? null}, ${token.challenge ?? null},
      now() + make_interval(secs => ${token.seconds}))`.execute(db)
  return secret
}

export interface AgentToken {
  id: number
  grantId: number
  clientId: number
  userId: number
  redirectUri: string | null
  challenge: string | null
  expired: boolean
  used: boolean
  usedJustNow: boolean
  ended: boolean
}

/** Locked: of two that bring the same one, the second sees what the first has done. */
export async function lockAgentToken(db: Db, secret: string, kind: Kind): Promise<AgentToken | null> {
  const { rows } = await sql<AgentToken>`
    select t.id, t.grant_id as "grantId", g.client_id as "clientId", g.user_id as "userId",
      t.redirect_uri as "redirectUri", t.challenge, t.expires_at <= now() as expired, t.used_at is not null as used,
      coalesce(t.used_at > now() - interval '10 seconds', false) as "usedJustNow", g.ended_at is not null as ended
    from agent_tokens t join agent_grants g on g.id = t.grant_id
    where t.token_hash = ${digest(secret)} and t.kind = ${kind} for update of t`.execute(db)
  return rows[0] ?? null
}

export async function markAgentTokenUsed(db: Db, id: number): Promise<void> {
  await sql`update agent_tokens set used_at = now() where id = ${id}`.execute(db)
}

export interface LiveAgent extends UserFacts, AgentBounds {
  grantId: number
  clientId: number
  userId: number
  appId: number
  secondsLeft: number
}

const liveColumns = sql.raw(`g.id as "grantId", g.client_id as "clientId", g.user_id as "userId", g.app_id as "appId",
  g.shops, g.tools, g.customer_data, g.calls_per_hour, g.writes_per_day, ${userFactsSql},
  exists(
    select from user_roles join roles on roles.id = user_roles.role_id
    where user_roles.user_id = users.id and roles.name = '${adminRole}') as admin,
  ${givenPermissionsSql} as permissions`)

const ofLiveUser = sql.raw('join users on users.id = g.user_id and users.active and users.deleted_at is null')

/** The agent with all that its rights depend on. Null if the token, the grant or the person behind it is no longer valid. */
export async function readLiveAgent(db: Db, secret: string): Promise<LiveAgent | null> {
  const { rows } = await sql<LiveAgent>`
    select ${liveColumns}, extract(epoch from t.expires_at - now())::float8 as "secondsLeft"
    from agent_tokens t join agent_grants g on g.id = t.grant_id and g.ended_at is null ${ofLiveUser}
    where t.token_hash = ${digest(secret)} and t.kind = 'access' and t.expires_at > now()`.execute(db)
  return rows[0] ?? null
}

/** The same by its grant, for what was asked while a token was good and is carried out later. */
export async function readLiveGrant(db: Db, grantId: number): Promise<LiveAgent | null> {
  const { rows } = await sql<LiveAgent>`
    select ${liveColumns}, 60 as "secondsLeft" from agent_grants g ${ofLiveUser}
    where g.id = ${grantId} and g.ended_at is null`.execute(db)
  return rows[0] ?? null
}

/** Of this grant: another refresh token than that one has been used since. */
export async function successorWasUsed(db: Db, { id, grantId }: Pick<AgentToken, 'id' | 'grantId'>): Promise<boolean> {
  const { rows } = await sql`
    select from agent_tokens where grant_id = ${grantId} and kind = 'refresh' and id > ${id} and used_at is not null
    limit 1`.execute(db)
  return rows.length > 0
}

/** Access tokens that a new pair takes the place of. */
export async function deleteAccessTokens(db: Db, grantId: number): Promise<void> {
  await sql`delete from agent_tokens where grant_id = ${grantId} and kind = 'access'`.execute(db)
}

export async function grantOfToken(db: Db, secret: string): Promise<{ grantId: number } | null> {
  const { rows } = await sql<{ grantId: number }>`
    select grant_id as "grantId" from agent_tokens where token_hash = ${digest(secret)}
      and kind in ('access', 'refresh')`.execute(db)
  return rows[0] ?? null
}
