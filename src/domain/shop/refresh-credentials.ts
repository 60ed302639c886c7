import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connector } from '../../commerce/connector.ts'
import { credentialsRefused, shopAway } from '../../commerce/remote.ts'
import type { AnyFields } from '../../commerce/shop.ts'
import { say } from '../../commerce/words/say.ts'
import { validate } from '../../lib/validation/validate.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { leaseCredentials, readCredentials, type StoredCredentials } from '../integrations/credentials-store.ts'
import type { Integration } from '../integrations/integration.ts'
import { fetchCredentials } from './fetch-credentials.ts'
import { factsOf } from './shop-remote.ts'

export type RefreshContext = Pick<
  Context,
  'db' | 'transaction' | 'keys' | 'connectors' | 'transport' | 'log' | 'record'
>

/** Credentials that are in use, and which ones. */
export interface Session {
  credentials: AnyFields
  version: number
}

/** Requests do not wait longer for somebody else who fetches new ones. */
const patienceMs = 20_000

/** What opens the shop, renewed in time. As long as the old ones are good, nobody waits for new ones. */
export async function readFresh(
  context: RefreshContext,
  connector: Connector,
  integration: Integration,
): Promise<Session> {
  const stored = await read(context, integration)
  if (!stored.due || !mayRefresh(connector, integration, stored)) return sessionOf(connector, stored)
  const under = underWay(context.db)
  const pending = under.get(integration.id)
  if (pending) return stored.valid ? sessionOf(connector, stored) : await pending
  return await alone(under, integration.id, () => refresh(context, connector, integration, { stored, forced: false }))
}

/** New ones although those of `version` still count, so that what fetches them does not end unused. */
export async function renewIdle(
  context: RefreshContext,
  connector: Connector,
  integration: Integration,
  version: number,
): Promise<void> {
  const stored = await read(context, integration)
  // Whoever listed the idle ones at the same time may have renewed these since.
  if (stored.version !== version || !mayRefresh(connector, integration, stored)) return
  const under = underWay(context.db)
  await (under.get(integration.id) ??
    alone(under, integration.id, () => refresh(context, connector, integration, { stored, forced: false })))
}

/** New ones after the shop has refused those of `version`; null where there is no use in it. */
export async function renewRefused(
  context: RefreshContext,
  connector: Connector,
  integration: Integration,
  version: number,
): Promise<Session | null> {
  const stored = await read(context, integration)
  if (!mayRefresh(connector, integration, stored)) return null
  if (stored.version !== version) return sessionOf(connector, stored)
  const under = underWay(context.db)
  const pending = under.get(integration.id)
  return await (pending ??
    alone(under, integration.id, () => refresh(context, connector, integration, { stored, forced: true })))
}

function mayRefresh(connector: Connector, integration: Integration, { credentials }: StoredCredentials): boolean {
  const { auth } = connector
  if (auth.kind === 'key_handover' || !auth.refresh) return false
  return auth.refreshes?.(factsOf(connector, integration), credentials) ?? true
}

const noCredentials = () => credentialsRefused([], say('no_credentials'))

async function read({ db, keys }: RefreshContext, integration: Integration): Promise<StoredCredentials> {
  const stored = await readCredentials(db, keys, integration)
  if (!stored) throw noCredentials()
  return stored
}

function sessionOf(connector: Connector, { credentials, version }: StoredCredentials): Session {
  const checked = validate(connector.auth.credentials, credentials)
  if (!checked.ok) throw noCredentials()
  return { credentials: checked.value, version }
}

// Those in this process who want the same wait for one; over all processes the lease decides.
const pendings = new WeakMap<Db, Map<number, Promise<Session>>>()

function underWay(db: Db): Map<number, Promise<Session>> {
  const known = pendings.get(db) ?? new Map<number, Promise<Session>>()
  pendings.set(db, known)
  return known
}

async function alone(under: Map<number, Promise<Session>>, id: number, work: () => Promise<Session>): Promise<Session> {
  const pending = work()
  under.set(id, pending)
  try {
    return await pending
  } finally {
    under.delete(id)
  }
}

/** One of all who want it fetches new ones; the others take what it brings. `forced`: the old ones are no good. */
async function refresh(
  context: RefreshContext,
  connector: Connector,
  integration: Integration,
  { stored, forced }: { stored: StoredCredentials; forced: boolean },
): Promise<Session> {
  const holder = randomUUID()
  const deadline = performance.now() + patienceMs
  for (let delay = 50; ; delay = Math.min(500, delay * 2)) {
    if (await leaseCredentials(context.db, integration.id, stored.version, holder)) {
      const fetched = await fetchCredentials(context, connector, integration, { stored, holder, forced })
      return sessionOf(connector, fetched ?? (await read(context, integration)))
    }
    const now = await read(context, integration)
    if (now.version !== stored.version || (now.valid && !forced)) return sessionOf(connector, now)
    if (!now.leased && now.coolSeconds > 0) throw shopAway(Math.ceil(now.coolSeconds))
    if (performance.now() > deadline) throw shopAway(5)
    await sleep(delay * (0.5 + Math.random()))
  }
}
