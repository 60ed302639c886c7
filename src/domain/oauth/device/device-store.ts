import { sql } from 'kysely'
import type { Db } from '../../../runtime/db/connection.ts'

export type DeviceState = 'pending' | 'approved' | 'denied' | 'used'

/** What a program has asked for, and what became of it. */
export interface DeviceAuthorization {
  id: number
  clientId: number
  client: string
  scopes: string[]
  address: string
  agent: string | null
  state: DeviceState
  createdAt: string
  expiresAt: string
}

export interface NewDevice {
  deviceHash: Buffer
  userHash: Buffer
  clientId: number
  scopes: readonly string[]
  address: string
  agent: string | null
  lifetimeSeconds: number
}

export async function insertDevice(db: Db, device: NewDevice): Promise<void> {
  await sql`
    insert into device_authorizations (device_hash, user_hash, client_id, scopes, address, agent, expires_at)
    values (${device.deviceHash}, ${device.userHash}, ${device.clientId}, ${[...device.scopes]}, ${device.address},
      ${device.agent?.slice(0, 200) ?? null}, now() + make_interval(secs => ${device.lifetimeSeconds}))`.execute(db)
}

/** By the code that a person types, as long as it is good. */
export async function findDeviceByUserCode(db: Db, userHash: Buffer): Promise<DeviceAuthorization | undefined> {
  const { rows } = await sql<DeviceAuthorization>`
    select d.id, d.client_id as "clientId", c.name as client, d.scopes, d.address, d.agent, d.state,
      d.created_at as "createdAt", d.expires_at as "expiresAt"
    from device_authorizations d join oauth_clients c on c.id = d.client_id and c.revoked_at is null
    where d.user_hash = ${userHash} and d.expires_at > now()`.execute(db)
  return rows[0]
}

/** True for the first who decides. */
export async function decideDevice(
  db: Db,
  id: number,
  { state, userId }: { state: 'approved' | 'denied'; userId: number },
): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    update device_authorizations set state = ${state}, user_id = ${userId}
    where id = ${id} and state = 'pending' and expires_at > now() returning id`.execute(db)
  return rows.length === 1
}

export interface AskedDevice {
  id: number
  clientId: number
  userId: number | null
  scopes: string[]
  state: DeviceState
  expired: boolean
  /** Before the time was over that lies between two questions: from now on it is longer. */
  tooSoon: boolean
}

/** The program asks whether it was approved: that it did is noted down, and one question at a time is answered. */
export async function askDevice(db: Db, deviceHash: Buffer): Promise<AskedDevice | undefined> {
  const { rows } = await sql<AskedDevice>`
    with before as (
      select id, coalesce(state = 'pending' and asked_at > now() - make_interval(secs => interval_seconds - 1), false) as soon
      from device_authorizations where device_hash = ${deviceHash} for update
    )
    update device_authorizations d
    set asked_at = now(), interval_seconds = least(60, d.interval_seconds + case when before.soon then 5 else 0 end)
    from before where d.id = before.id
    returning d.id, d.client_id as "clientId", d.user_id as "userId", d.scopes, d.state, d.expires_at <= now() as expired,
      before.soon as "tooSoon"`.execute(db)
  return rows[0]
}

/** True for exactly one caller. */
export async function useDevice(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql<{ id: number }>`
    update device_authorizations set state = 'used'
    where id = ${id} and state = 'approved' and expires_at > now() returning id`.execute(db)
  return rows.length === 1
}

/** The name under which the command line says who it is. It keeps no secret: whoever installs it would know that. */
export const commandLineName = 'entrepot-cli'

/** Made when it is first used. One that the operator has revoked stays so: then nobody signs in by it. */
export async function keepCommandLine(db: Db): Promise<{ id: number; scopes: string[] | null } | null> {
  const known = await findCommandLine(db)
  if (known) return known
  await sql`
    insert into oauth_clients (name, grant_types, confidential, known_as)
    values ('Command line', '{device_code}', false, ${commandLineName})
    on conflict (known_as) where known_as is not null do nothing`.execute(db)
  return await findCommandLine(db)
}

export async function findCommandLine(db: Db): Promise<{ id: number; scopes: string[] | null } | null> {
  const { rows } = await sql<{ id: number; scopes: string[] | null }>`
    select id, scopes from oauth_clients where known_as = ${commandLineName} and revoked_at is null`.execute(db)
  return rows[0] ?? null
}
