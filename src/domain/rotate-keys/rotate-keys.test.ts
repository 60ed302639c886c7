import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeApp, makeCompany, makeUser } from '../../../test/support/identity.ts'
import { setUp } from '../../../test/support/single-sign-on.ts'
import { newVault } from '../../../test/support/vault.ts'
import { type KeyRing, open, seal, sealedWith } from '../../lib/secret-box.ts'
import { type Db, openDatabase } from '../../runtime/db/connection.ts'
import { createLog } from '../../runtime/log.ts'
import type { Context } from '../context.ts'
import { beginTrip, endTrip } from '../install/install-state.ts'
import { readCredentials, saveCredentials } from '../integrations/credentials-store.ts'
import type { Integration } from '../integrations/integration.ts'
import { insertIntegration } from '../integrations/integration-store.ts'
import { readTotpSecret, saveTotpSecret } from '../oauth/second-factor/second-factor-store.ts'
import { currentSigningKey } from '../oauth/signing-keys/signing-keys.ts'
import { readProvider } from '../oauth/single-sign-on/single-sign-on-store.ts'
import { addHistory, historyOfOrders } from '../orders/privacy/history-store.ts'
import { createSubscription } from '../webhooks/create-subscription.ts'
import { rotateSecret } from '../webhooks/rotate-secret.ts'
import { oldSecretPlace } from '../webhooks/subscription.ts'
import { rotateKeys } from './rotate-keys.ts'

const old = { id: 'old', key: randomBytes(32) }
const young = { id: 'young', key: randomBytes(32) }
const before: KeyRing = [old]
const during: KeyRing = [young, old]
const after: KeyRing = [young]

let tested: TestContext
const withKeys = (keys: KeyRing): Context => ({ ...tested.context, keys })
const integrations: Integration[] = []

beforeAll(async () => {
  // All that is sealed anywhere is wrapped anew.
  tested = await createTestContext('nobody')
  const context = withKeys(before)
  const appId = await makeApp(context)
  const service = await context.db
    .insertInto('services')
    .values({ type: 'rotated', name: 'Rotated', auth_type: 'api_key' })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (let n = 0; n < 500; n++) {
    const integration = await insertIntegration(context.db, {
      app_id: n % 10 === 0 ? null : appId,
      account_id: null,
      user_id: null,
      company_id: null,
      service_id: service.id,
      type: 'rotated',
      name: `${n}`,
      shop: 'shop.example.com',
      status: 'ACTIVE',
      status_reason: null,
      settings: {},
    })
    integrations.push(integration)
    await saveCredentials(context.db, before, integration, { credentials: { api_key: `key ${n}` }, expiresAt: null })
  }
})
afterAll(() => tested.close())

const onOldKey = async () => {
  const { rows } = await tested.database.pool.query(`select count(*) as n from credentials where key_id = 'old'`)
  return Number(rows[0].n)
}

const readsRight = async (keys: KeyRing) => {
  for (const [n, integration] of integrations.entries()) {
    const stored = await readCredentials(tested.context.db, keys, integration)
    if (JSON.stringify(stored?.credentials) !== JSON.stringify({ api_key: `key ${n}` })) return false
  }
  return true
}

test('a rotation that is interrupted goes on where it stopped, and everything is readable all the time', async () => {
  const context = withKeys(during)
  const interrupted = rotateKeys(context, {
    batch: 50,
    onProgress: ({ rewrapped }) => {
      if (rewrapped >= 250) throw new Error('killed')
    },
  })
  await expect(interrupted).rejects.toThrow('killed')
  expect(await onOldKey()).toBe(250)
  expect(await readsRight(during)).toBe(true)

  const result = await rotateKeys(context, { batch: 50 })
  expect(result).toMatchObject({ rewrapped: { credentials: 250 }, unreadable: [] })
  expect(await onOldKey()).toBe(0)
  expect(await readsRight(after)).toBe(true)
  expect((await rotateKeys(context)).rewrapped['credentials']).toBe(0)
})

test('what is written in between with the old key is found too', async () => {
  const [first] = integrations
  if (!first) throw new Error('There is no integration.')
  const { db } = tested.context
  await saveCredentials(db, before, first, { credentials: { api_key: 'key 0' }, expiresAt: null })
  await rotateKeys(withKeys(during))
  expect(await onOldKey()).toBe(0)
  expect(await readsRight(after)).toBe(true)
})

test('a value that no key opens is reported and stops nothing', async () => {
  const [, second, third] = integrations
  if (!second || !third) throw new Error('There are no integrations.')
  const { db } = tested.context
  const lost = seal([{ id: 'lost', key: randomBytes(32) }], '{}', 'anywhere')
  await db
    .updateTable('credentials')
    .set({ sealed: lost, key_id: 'lost' })
    .where('integration_id', '=', second.id)
    .execute()
  await saveCredentials(db, before, third, { credentials: { api_key: 'key 2' }, expiresAt: null })
  const result = await rotateKeys(withKeys(during))
  expect(result.unreadable).toEqual([{ table: 'credentials', id: second.id }])
  expect(result.rewrapped['credentials']).toBe(1)
})

test('webhook secrets, installations under way and signing keys are wrapped anew as well', async () => {
  const [first] = integrations
  if (!first) throw new Error('There is no integration.')
  const { db } = tested.context
  const { subscription } = await createSubscription(
    withKeys(before),
    { appId: null, integrationId: first.id },
    { event: 'order.created', url: 'https://hooks.example.com/in' },
  )
  await rotateSecret(withKeys(before), subscription)
  const addressWith = () => 'https://shop.example/authorize'
  const state = await beginTrip(db, before, first, { returnUrl: null, pkce: true, addressWith })
  await currentSigningKey(withKeys(before))
  const { rewrapped } = await rotateKeys(withKeys(during))
  expect(rewrapped).toMatchObject({
    webhook_subscriptions: 1,
    webhook_old_secrets: 1,
    install_states: 1,
    signing_keys: 1,
  })
  const row = await db
    .selectFrom('webhook_subscriptions')
    .select(['secret', 'key_id'])
    .where('id', '=', subscription.id)
    .executeTakeFirstOrThrow()
  expect([row.key_id, sealedWith(row.secret)]).toEqual(['young', 'young'])
  const replaced = await db.selectFrom('webhook_old_secrets').selectAll().executeTakeFirstOrThrow()
  expect(open(after, replaced.secret, oldSecretPlace(subscription.id))).toMatch(/^whsec_/)
  const trip = await endTrip(db, after, state, { type: 'rotated', beginner: { integrationId: first.id } })
  expect(trip?.codeVerifier).toMatch(/^\w{64}$/)
  expect((await currentSigningKey(withKeys(after))).kid).toBeTruthy()
})

test('secrets of authenticator apps and of identity providers are wrapped anew, and open with the new key alone', async () => {
  const { db } = tested.context
  const companyId = await makeCompany(tested.context)
  const { id: userId } = await makeUser(tested.context)
  await saveTotpSecret(db, before, { userId, secret: 'JBSWY3DPEHPK3PXP' })
  await setUp(withKeys(before), companyId, {
    issuer: 'https://login.example.com',
    client_id: 'us',
    secret: 'of theirs',
  })
  const { rewrapped, unreadable } = await rotateKeys(withKeys(during))
  expect(rewrapped).toMatchObject({ totp_secrets: 1, single_sign_on: 1 })
  expect(unreadable.map(({ table }) => table)).not.toEqual(expect.arrayContaining(['totp_secrets', 'single_sign_on']))
  expect((await readTotpSecret(db, after, userId))?.secret).toBe('JBSWY3DPEHPK3PXP')
  expect((await readProvider(db, after, companyId))?.clientSecret).toBe('of theirs')
})

test('keys of customer data are wrapped anew, and what they have sealed stays as it is and opens', async () => {
  const [first] = integrations
  if (!first) throw new Error('There is no integration.')
  const note = { order_id: 1, status: 'PENDING', source: 'api', note: 'Ada called.' } as const
  const opened = async <T>(keys: KeyRing, work: (db: Db) => Promise<T>): Promise<T> => {
    const log = createLog('silent')
    const vault = newVault(keys)
    const database = openDatabase({ url: tested.url, log, vault, max: 2, applicationName: 'entrepot tests' })
    try {
      return await work(database.db)
    } finally {
      await database.close()
    }
  }
  const bytes = () =>
    tested.database.query<{ private: Buffer }>('select private from order_history where integration_id = $1', [
      first.id,
    ])
  await opened(before, (db) => addHistory(db, first.id, [note]))
  const sealed = await bytes()
  const { rewrapped } = await rotateKeys(withKeys(during))
  expect(rewrapped).toMatchObject({ privacy_keys: 1 })
  expect(await bytes()).toEqual(sealed)
  expect(await opened(after, (db) => historyOfOrders(db, first.id, [1]))).toMatchObject([{ note: 'Ada called.' }])
  expect(await opened(before, (db) => historyOfOrders(db, first.id, [1]))).toMatchObject([{ note: '[redacted]' }])
})
