import { sql } from 'kysely'
import type { Db } from '../../runtime/db/connection.ts'
import { answerPlace } from '../../runtime/db/idempotency-keys.ts'
import { privacyKeyPlace } from '../../runtime/db/vault/vault.ts'
import { proposalPlace } from '../agents/proposal.ts'
import { addressPlace } from '../alerts/channels/channel.ts'
import { auditKeyPlace } from '../audit/audit-key.ts'
import { statePlace } from '../install/install-state.ts'
import { arrivalPlace } from '../install/platform-side/arrival-store.ts'
import { credentialsPlace } from '../integrations/credentials-store.ts'
import { totpPlace } from '../oauth/second-factor/second-factor-store.ts'
import { clientSecretPlace } from '../oauth/single-sign-on/single-sign-on-store.ts'
import { platformClientPlace } from '../services/platform-client-store.ts'
import { shopSecretsPlace } from '../shop-webhooks/shop-webhooks.ts'
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

interface Shape<Row> {
  name: string
  /** The column that names a row; `id` by default. */
  id?: string
  /** The column with the sealed value. */
  sealed: string
  /** The column beside it that names the key; null where there is none. */
  keyId: string | null
  /** What else the place is made of, as it is selected. */
  more?: string
  /** Which rows still count, where not all do. */
  live?: string
  place(row: Row & { id: number }): string
}

/** Every table is read and written in the same way; only names and places differ. The names are those of this file. */
function sealedTable<Row = object>({ id = 'id', live = 'true', ...shape }: Shape<Row>): SealedTable {
  const [name, key, sealed] = [sql.table(shape.name), sql.ref(`${shape.name}.${id}`), sql.ref(shape.sealed)]
  const more = sql.raw(shape.more ? `, ${shape.more}` : '')
  return {
    name: shape.name,
    async next(db, newestKey, after, limit) {
      const stale = shape.keyId === null ? sql`${sealed} is not null` : sql`${sql.ref(shape.keyId)} <> ${newestKey}`
      const { rows } = await sql<Row & { id: number; sealed: Buffer }>`
        select ${key} as id, ${sealed} as sealed${more} from ${name}
        where ${stale} and ${sql.raw(live)} and ${key} > ${after} order by ${key} limit ${limit}`.execute(db)
      return rows.map((row) => ({ id: row.id, sealed: row.sealed, place: shape.place(row) }))
    },
    async replace(db, newestKey, rows) {
      const named = shape.keyId === null ? sql`` : sql`, ${sql.ref(shape.keyId)} = ${newestKey}`
      const result = await sql`
        update ${name} set ${sealed} = r.after${named}
        from ${replacements(rows)} where ${key} = r.id and ${sealed} = r.before`.execute(db)
      return Number(result.numAffectedRows ?? 0n)
    },
  }
}

const replacements = (rows: readonly Replacement[]) => sql`unnest(
  ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ before }) => before)}::bytea[], ${rows.map(({ after }) => after)}::bytea[]
) as r (id, before, after)`

export const sealedTables: readonly SealedTable[] = [
  sealedTable<{ app_id: number | null }>({
    name: 'credentials',
    id: 'integration_id',
    sealed: 'sealed',
    keyId: 'key_id',
    more: '(select app_id from integrations where integrations.id = integration_id) as app_id',
    place: ({ id, app_id }) => credentialsPlace(id, app_id),
  }),
  sealedTable({
    name: 'webhook_subscriptions',
    sealed: 'secret',
    keyId: 'key_id',
    place: ({ id }) => secretPlace(id),
  }),
  // Those that were replaced within the last day.
  sealedTable<{ webhook_id: number }>({
    name: 'webhook_old_secrets',
    sealed: 'secret',
    keyId: 'key_id',
    more: 'webhook_id',
    place: ({ webhook_id: webhookId }) => oldSecretPlace(webhookId),
  }),
  // What shops sign their messages with.
  sealedTable({
    name: 'shop_webhooks',
    id: 'integration_id',
    sealed: 'sealed',
    keyId: 'key_id',
    place: ({ id }) => shopSecretsPlace(id),
  }),
  // They live ten minutes, so they are few, and carry no key id beside the value: all that still count are looked at.
  sealedTable<{ integration_id: number; state_hash: Buffer }>({
    name: 'install_states',
    sealed: 'sealed',
    keyId: null,
    more: 'integration_id, state_hash',
    live: 'expires_at > now()',
    place: (row) => statePlace(row.integration_id, row.state_hash),
  }),
  // Shops that wait for whoever installed them from the platform's pages.
  sealedTable<{ service_id: number; app_id: number | null; shop: string }>({
    name: 'arrivals',
    sealed: 'sealed',
    keyId: 'key_id',
    more: 'service_id, app_id, shop',
    place: ({ service_id: serviceId, app_id: appId, shop }) => arrivalPlace({ serviceId, appId, shop }),
  }),
  // What customer data is sealed with, which is not touched itself.
  sealedTable({
    name: 'privacy_keys',
    id: 'integration_id',
    sealed: 'sealed',
    keyId: 'key_id',
    place: ({ id }) => privacyKeyPlace(id),
  }),
  // Answers that may be asked for again: some hold a secret that was shown once.
  sealedTable<{ caller: string }>({
    name: 'idempotency_keys',
    sealed: 'answer',
    keyId: 'key_id',
    more: 'caller',
    place: ({ id, caller }) => answerPlace(id, caller),
  }),
  // What agents want changed.
  sealedTable<{ app_id: number }>({
    name: 'agent_proposals',
    sealed: 'sealed',
    keyId: 'key_id',
    more: 'app_id',
    place: ({ id, app_id: appId }) => proposalPlace(id, appId),
  }),
  // What authenticator apps make codes of.
  sealedTable({
    name: 'totp_secrets',
    id: 'user_id',
    sealed: 'sealed',
    keyId: 'key_id',
    place: ({ id }) => totpPlace(id),
  }),
  // What identity providers of companies gave them.
  sealedTable({
    name: 'single_sign_on',
    id: 'company_id',
    sealed: 'client_secret',
    keyId: 'key_id',
    place: ({ id }) => clientSecretPlace(id),
  }),
  // Where alerts are sent.
  sealedTable({
    name: 'alert_channels',
    sealed: 'address',
    keyId: 'key_id',
    live: 'deleted_at is null',
    place: ({ id }) => addressPlace(id),
  }),
  // What the audit trail is keyed with.
  sealedTable({ name: 'audit_keys', sealed: 'sealed', keyId: 'key_id', place: () => auditKeyPlace }),
  // What platforms gave us, or an app, at registration there.
  sealedTable({
    name: 'services',
    sealed: 'client',
    keyId: 'client_key_id',
    place: ({ id }) => platformClientPlace({ serviceId: id, appId: null }),
  }),
  sealedTable<{ app_id: number; service_id: number }>({
    name: 'app_services',
    sealed: 'client',
    keyId: 'client_key_id',
    more: 'app_id, service_id',
    place: ({ app_id: appId, service_id: serviceId }) => platformClientPlace({ serviceId, appId }),
  }),
]
