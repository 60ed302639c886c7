import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { answerPlace } from '../../runtime/db/idempotency-keys.ts'
import { credentialsPlace } from '../integrations/credentials-store.ts'
import { statePlace } from '../integrations/install-state.ts'
import { platformClientPlace } from '../services/platform-client-store.ts'
import { shopSecretsPlace } from '../webhooks/shop-webhooks.ts'
import { oldSecretPlace, secretPlace } from '../webhooks/subscription.ts'

/** A sealed value, where it lives, and which row that is. */
export interface SealedRow {
  id: number
  sealed: Buffer
  place: string
}

/** A table with sealed values, as the rotation sees it. */
export interface SealedTable {
  name: string
  /** The next rows after `after` that may still be on another key than the newest one. */
  next(db: Db, newestKey: string, after: number, limit: number): Promise<SealedRow[]>
  /** Replaces those that are still what was read; how many. Whoever wrote in between has used a key of their own. */
  replace(db: Db, newestKey: string, rows: readonly Replacement[]): Promise<number>
}

export interface Replacement {
  id: number
  before: Buffer
  after: Buffer
}

const credentials: SealedTable = {
  name: 'credentials',
  async next(db, newestKey, after, limit) {
    const rows = await db
      .selectFrom('credentials')
      .innerJoin('integrations', 'integrations.id', 'credentials.integration_id')
      .select(['credentials.integration_id as id', 'sealed', 'app_id'])
      .where('key_id', '<>', newestKey)
      .where('credentials.integration_id', '>', after)
      .orderBy('credentials.integration_id')
      .limit(limit)
      .execute()
    return rows.map(({ id, sealed, app_id }) => ({ id, sealed, place: credentialsPlace(id, app_id) }))
  },
  async replace(db, newestKey, rows) {
    const result = await sql`
      update credentials set sealed = r.after, key_id = ${newestKey}
      from ${replacements(rows)} where integration_id = r.id and sealed = r.before`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  },
}

const webhookSecrets: SealedTable = {
  name: 'webhook_subscriptions',
  async next(db, newestKey, after, limit) {
    const rows = await db
      .selectFrom('webhook_subscriptions')
      .select(['id', 'secret as sealed'])
      .where('key_id', '<>', newestKey)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, sealed }) => ({ id, sealed, place: secretPlace(id) }))
  },
  async replace(db, newestKey, rows) {
    const result = await sql`
      update webhook_subscriptions set secret = r.after, key_id = ${newestKey}
      from ${replacements(rows)} where webhook_subscriptions.id = r.id and secret = r.before`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  },
}

/** What shops sign their messages with. */
const shopWebhooks: SealedTable = {
  name: 'shop_webhooks',
  async next(db, newestKey, after, limit) {
    const rows = await db
      .selectFrom('shop_webhooks')
      .select(['integration_id as id', 'sealed'])
      .where('key_id', '<>', newestKey)
      .where('integration_id', '>', after)
      .orderBy('integration_id')
      .limit(limit)
      .execute()
    return rows.map(({ id, sealed }) => ({ id, sealed, place: shopSecretsPlace(id) }))
  },
  async replace(db, newestKey, rows) {
    const result = await sql`
      update shop_webhooks set sealed = r.after, key_id = ${newestKey}
      from ${replacements(rows)} where integration_id = r.id and sealed = r.before`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  },
}

/** Those that were replaced within the last day. */
const oldWebhookSecrets: SealedTable = {
  name: 'webhook_old_secrets',
  async next(db, newestKey, after, limit) {
    const rows = await db
      .selectFrom('webhook_old_secrets')
      .select(['id', 'webhook_id', 'secret as sealed'])
      .where('key_id', '<>', newestKey)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map(({ id, webhook_id, sealed }) => ({ id, sealed, place: oldSecretPlace(webhook_id) }))
  },
  async replace(db, newestKey, rows) {
    const result = await sql`
      update webhook_old_secrets set secret = r.after, key_id = ${newestKey}
      from ${replacements(rows)} where webhook_old_secrets.id = r.id and secret = r.before`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  },
}

/** They live ten minutes, so they are few, and carry no key id beside the value: all that still count are looked at. */
const installStates: SealedTable = {
  name: 'install_states',
  async next(db, _newestKey, after, limit) {
    const rows = await db
      .selectFrom('install_states')
      .select(['id', 'sealed', 'integration_id', 'state_hash'])
      .where('sealed', 'is not', null)
      .where('expires_at', '>', sql<string>`now()`)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .$narrowType<{ sealed: Buffer }>()
      .execute()
    return rows.map((row) => ({
      id: row.id,
      sealed: row.sealed,
      place: statePlace(row.integration_id, row.state_hash),
    }))
  },
  async replace(db, _newestKey, rows) {
    const result = await sql`
      update install_states set sealed = r.after
      from ${replacements(rows)} where install_states.id = r.id and sealed = r.before`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  },
}

/** Answers that may be asked for again: some hold a secret that was shown once. */
const keptAnswers: SealedTable = {
  name: 'idempotency_keys',
  async next(db, newestKey, after, limit) {
    const rows = await db
      .selectFrom('idempotency_keys')
      .select(['id', 'answer as sealed', 'caller'])
      .where('key_id', '<>', newestKey)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .$narrowType<{ sealed: Buffer }>()
      .execute()
    return rows.map(({ id, sealed, caller }) => ({ id, sealed, place: answerPlace(id, caller) }))
  },
  async replace(db, newestKey, rows) {
    const result = await sql`
      update idempotency_keys set answer = r.after, key_id = ${newestKey}
      from ${replacements(rows)} where idempotency_keys.id = r.id and answer = r.before`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  },
}

/** What platforms gave us, or an app, at registration there. */
const serviceClients: SealedTable = {
  name: 'services',
  async next(db, newestKey, after, limit) {
    const rows = await db
      .selectFrom('services')
      .select(['id', 'client as sealed'])
      .where('client_key_id', '<>', newestKey)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .$narrowType<{ sealed: Buffer }>()
      .execute()
    return rows.map(({ id, sealed }) => ({ id, sealed, place: platformClientPlace({ serviceId: id, appId: null }) }))
  },
  async replace(db, newestKey, rows) {
    const result = await sql`
      update services set client = r.after, client_key_id = ${newestKey}
      from ${replacements(rows)} where services.id = r.id and client = r.before`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  },
}

const appClients: SealedTable = {
  name: 'app_services',
  async next(db, newestKey, after, limit) {
    const rows = await db
      .selectFrom('app_services')
      .select(['id', 'client as sealed', 'app_id', 'service_id'])
      .where('client_key_id', '<>', newestKey)
      .where('id', '>', after)
      .orderBy('id')
      .limit(limit)
      .$narrowType<{ sealed: Buffer }>()
      .execute()
    return rows.map(({ id, sealed, app_id: appId, service_id: serviceId }) => ({
      id,
      sealed,
      place: platformClientPlace({ serviceId, appId }),
    }))
  },
  async replace(db, newestKey, rows) {
    const result = await sql`
      update app_services set client = r.after, client_key_id = ${newestKey}
      from ${replacements(rows)} where app_services.id = r.id and client = r.before`.execute(db)
    return Number(result.numAffectedRows ?? 0n)
  },
}

const replacements = (rows: readonly Replacement[]) => sql`unnest(
  ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ before }) => before)}::bytea[], ${rows.map(({ after }) => after)}::bytea[]
) as r (id, before, after)`

export const sealedTables: readonly SealedTable[] = [
  credentials,
  webhookSecrets,
  oldWebhookSecrets,
  shopWebhooks,
  installStates,
  keptAnswers,
  serviceClients,
  appClients,
]
