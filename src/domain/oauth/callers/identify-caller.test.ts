import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import {
  askToken,
  type Credentials,
  logIn,
  makeAccount,
  makeApp,
  makeClient,
  makeCompany,
  makeUser,
} from '../../../../test/support/identity.ts'
import { type Database, openDatabase } from '../../../runtime/db/connection.ts'
import { type Listener, openListener } from '../../../runtime/db/listener.ts'
import { announce } from '../../announce-store.ts'
import type { Context } from '../../context.ts'
import type { Caller } from '../../tenant.ts'
import { deleteUser } from '../../users/delete-user.ts'
import { updateUser } from '../../users/update-user.ts'
import { operator, type User } from '../../users/user.ts'
import { revokeClient } from '../clients/revoke-client.ts'
import { updateClient } from '../clients/update-client.ts'
import type { TokenAnswer } from '../issue-token.ts'
import { revokeToken } from '../revoke-token.ts'
import { createIdentifier, type Identifier } from './identify-caller.ts'

let database: TestContext
let context: Context
let listeners: Listener[]
/** That of the second process. */
let elsewhere: Database
let processes: [Identifier, Identifier]
let passwordClient: Credentials
let user: User
let admin: { userId: number; companyId: null; admin: true }

const listen = async () => {
  const listener = openListener({ url: database.url, log: context.log })
  if (!listener.connected) await new Promise<void>((resolve) => listener.onConnect(resolve))
  return listener
}

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
  const [one, two] = [await listen(), await listen()]
  listeners = [one, two]
  const { db, publicUrl, log } = context
  elsewhere = openDatabase({ url: database.url, log })
  processes = [
    createIdentifier({ db, publicUrl, listener: one }),
    createIdentifier({ db: elsewhere.db, publicUrl, listener: two }),
  ]
  // Answered after the channels are heard.
  for (const listener of listeners) await listener.query('select 1')
  user = await makeUser(context, { company_id: await makeCompany(context), roles: ['viewer'] })
  passwordClient = await makeClient(context, { grant_types: ['password'] })
  admin = { userId: 0, companyId: null, admin: true }
})

afterAll(async () => {
  for (const listener of listeners) await listener.close()
  await elsewhere.close()
  await database.close()
})

const identify = (token: string) => Promise.resolve(processes[0].identify(token))

describe('who a token speaks for', () => {
  test('a user, with company and effective permissions', async () => {
    const { access_token } = await logIn(context, passwordClient, user)
    expect(await identify(access_token)).toMatchObject({
      kind: 'user',
      userId: user.id,
      companyId: user.company_id,
      admin: false,
      clientId: passwordClient.client_id,
      scopes: ['*'],
      subject: `user:${user.id}`,
      permissions: new Set(user.permissions),
    })
  })

  test('an admin', async () => {
    const boss = await makeUser(context, { roles: ['admin'] })
    const { access_token } = await logIn(context, passwordClient, boss)
    expect(await identify(access_token)).toMatchObject({ admin: true, companyId: null })
  })

  test('a client without an app, a client with one, an account', async () => {
    const appId = await makeApp(context)
    const accountId = await makeAccount(context, appId, 'm')
    const grant = { grant_type: 'client_credentials' }
    const [bare, bound] = [await makeClient(context), await makeClient(context, { app_id: appId })]
    const caller = async (body: object) => await identify((await askToken(context, { ...grant, ...body })).access_token)
    expect(await caller(bare)).toMatchObject({ kind: 'client', appId: null, subject: `client:${bare.client_id}` })
    expect(await caller(bound)).toMatchObject({ kind: 'client', appId })
    expect(await caller({ ...bound, account: 'm' })).toMatchObject({ kind: 'account', appId, accountId })
  })

  test('the kind comes from the row: ids that coincide are distinguished', async () => {
    const appId = await makeApp(context)
    const client = await makeClient(context, { app_id: appId })
    const { access_token } = await askToken(context, { grant_type: 'client_credentials', ...client })
    const caller = await identify(access_token)
    expect(caller?.kind).toBe('client')
    expect(caller).not.toHaveProperty('userId')
  })

  test('a crowd with one token shares one look-up, until something is forgotten', async () => {
    const { access_token } = await logIn(context, passwordClient, user)
    const [first, second] = [processes[1].identify(access_token), processes[1].identify(access_token)]
    expect(second).toBe(first)
    await announce(context.db, 'user', 0)
    expect(await first).toMatchObject({ userId: user.id })
    expect(await processes[1].identify(access_token)).toMatchObject({ userId: user.id })
  })

  test('a token that was seen is answered at once, without signature or database', async () => {
    const { access_token } = await logIn(context, passwordClient, user)
    const first = await processes[1].identify(access_token)
    expect(processes[1].identify(access_token)).toBe(first)
  })
})

test('what a process has changed it knows before it hears of it', async () => {
  const listener = await listen()
  const { db, publicUrl } = context
  const identifier = createIdentifier({ db, publicUrl, listener })
  await listener.query('select 1')
  const { access_token } = await logIn(context, passwordClient, user)
  expect(await identifier.identify(access_token)).not.toBeNull()
  // The listening connection waits for a lock, and is notified of nothing meanwhile.
  const lock = await database.database.pool.connect()
  try {
    await lock.query('select pg_advisory_lock(77)')
    listener.query('select pg_advisory_lock(77)').catch(() => undefined)
    await context.transaction(async (trx) => {
      await announce(trx, 'user', user.id)
      expect(identifier.identify(access_token)).not.toBeInstanceOf(Promise)
    })
    await revokeToken(context, { body: { ...passwordClient, token: access_token }, basic: null })
    expect(await identifier.identify(access_token)).toBeNull()
  } finally {
    // With the connection goes the lock.
    lock.release(true)
    await listener.close()
  }
})

test('what was rolled back is not forgotten', async () => {
  const { access_token } = await logIn(context, passwordClient, user)
  const known = await identify(access_token)
  const rolledBack = context.transaction(async (trx) => {
    await announce(trx, 'user', user.id)
    throw new Error('no')
  })
  await expect(rolledBack).rejects.toThrow('no')
  expect(processes[0].identify(access_token)).toBe(known)
})

describe('after a change every process refuses at once', () => {
  /** Logs in, lets both processes remember the token, and tells what they say after the change. */
  async function afterwards(answer: TokenAnswer, change: () => Promise<unknown>): Promise<(Caller | null)[]> {
    for (const process of processes) expect(await process.identify(answer.access_token)).not.toBeNull()
    await change()
    // What each process hears next, it hears after the change.
    await Promise.all(listeners.map(hearsNext))
    return await Promise.all(processes.map((process) => process.identify(answer.access_token)))
  }

  async function hearsNext(listener: Listener) {
    const received = new Promise<void>((resolve) => listener.on('entrepot_identity', () => resolve()))
    await announce(context.db, 'token', 0)
    await received
  }

  const both = (value: unknown) => [value, value]

  test.each<[string, (token: TokenAnswer, user: User) => Promise<unknown>]>([
    [
      'revoked token',
      ({ access_token }) => revokeToken(context, { body: { ...passwordClient, token: access_token }, basic: null }),
    ],
    [
      'revoked family',
      ({ refresh_token }) => revokeToken(context, { body: { ...passwordClient, token: refresh_token }, basic: null }),
    ],
    [
      'refreshed',
      ({ refresh_token }) => askToken(context, { grant_type: 'refresh_token', ...passwordClient, refresh_token }),
    ],
    ['deleted user', (_, { id }) => deleteUser(context, operator, id)],
    ['deactivated user', (_, { id }) => updateUser(context, operator, { id, changes: { active: false } })],
    ['new password', (_, { id }) => updateUser(context, operator, { id, changes: { password: 'another password' } })],
  ])('%s', async (_, change) => {
    const somebody = await makeUser(context)
    const answer = await logIn(context, passwordClient, somebody)
    const begun = performance.now()
    expect(await afterwards(answer, () => change(answer, somebody))).toEqual(both(null))
    expect(performance.now() - begun).toBeLessThan(1000)
  })

  test('a permission that was taken away is gone', async () => {
    const somebody = await makeUser(context, { permissions: ['read-order', 'read-user'] })
    const answer = await logIn(context, passwordClient, somebody)
    const callers = await afterwards(answer, () =>
      updateUser(context, operator, { id: somebody.id, changes: { permissions: ['read-user'] } }),
    )
    expect(callers.map((caller) => caller?.permissions)).toEqual(both(new Set(['read-user'])))
  })

  test('client, app and account: revoked, deleted, deactivated, bound to another app', async () => {
    const grant = { grant_type: 'client_credentials' }
    const made = async (more: object = {}) => {
      const appId = await makeApp(context)
      const accountId = await makeAccount(context, appId, 'm')
      const client = await makeClient(context, { app_id: appId })
      return { appId, accountId, client, answer: await askToken(context, { ...grant, ...client, ...more }) }
    }
    const set = (table: 'apps' | 'accounts', id: number, column: string) =>
      context.transaction(async (trx) => {
        const changes = column === 'active' ? { active: false } : { deleted_at: '2026-01-01T00:00:00Z' }
        await trx.updateTable(table).set(changes).where('id', '=', id).execute()
        await announce(trx, table === 'apps' ? 'app' : 'account', id)
      })

    const revoked = await made()
    const revoke = () => revokeClient(context, admin, revoked.client.client_id)
    expect(await afterwards(revoked.answer, revoke)).toEqual(both(null))
    const moved = await made()
    const move = async () =>
      updateClient(context, admin, { id: moved.client.client_id, changes: { app_id: await makeApp(context) } })
    expect(await afterwards(moved.answer, move)).toEqual(both(null))
    for (const column of ['active', 'deleted_at']) {
      const app = await made()
      expect(await afterwards(app.answer, () => set('apps', app.appId, column))).toEqual(both(null))
      const viaApp = await made({ account: 'm' })
      expect(await afterwards(viaApp.answer, () => set('apps', viaApp.appId, column))).toEqual(both(null))
      const account = await made({ account: 'm' })
      expect(await afterwards(account.answer, () => set('accounts', account.accountId, column))).toEqual(both(null))
    }
  })
})

describe('while nothing can be heard', () => {
  test('nothing is remembered, and a reconnection begins with nothing', async () => {
    const handlers: Record<string, () => void> = {}
    const listener = {
      connected: false,
      on: () => undefined,
      onConnect: (fn: () => void) => Object.assign(handlers, { connect: fn }),
      onDisconnect: (fn: () => void) => Object.assign(handlers, { disconnect: fn }),
      query: async () => [],
    }
    const identifier = createIdentifier({ db: context.db, publicUrl: context.publicUrl, listener })
    const { access_token } = await logIn(context, passwordClient, user)
    expect(await identifier.identify(access_token)).not.toBeNull()
    expect(identifier.size).toBe(0)
    handlers['connect']?.()
    expect(await identifier.identify(access_token)).not.toBeNull()
    expect(identifier.size).toBe(1)
    handlers['disconnect']?.()
    expect(identifier.size).toBe(0)
    expect(identifier.identify(access_token)).toBeInstanceOf(Promise)
  })
})
