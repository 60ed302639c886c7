import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AuditEntry, macOf } from '../../src/domain/audit/audit-entry.ts'
import { auditKey } from '../../src/domain/audit/audit-key.ts'
import { insertEntry } from '../../src/domain/audit/audit-store.ts'
import { sealTrail } from '../../src/domain/audit/seal-trail.ts'
import { shortenTrail } from '../../src/domain/audit/shorten-trail.ts'
import { bareFacts, openTrail } from '../../src/domain/audit/trail.ts'
import { verifyTrail } from '../../src/domain/audit/verify-trail.ts'
import { rotateKeys } from '../../src/domain/rotate-keys/rotate-keys.ts'
import type { Db } from '../../src/runtime/db/connection.ts'
import { drawLots, testSeed } from '../support/chance.ts'
import { makeUser, password } from '../support/identity.ts'
import { type CallOptions, makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** A thousand things that five people and programs do, and what can be told of them afterwards. */

let server: TestServer
let tenant: TestTenant
const lots = drawLots('audit trail')

/** Who does something, and how the entry has to show it. */
interface Actor {
  call: (method: string, path: string, body?: unknown) => ReturnType<TestServer['call']>
  shows: Partial<AuditEntry>
}
type Act = (actor: Actor, n: number) => ReturnType<TestServer['call']>

let users: Actor[]
let apps: Actor[]
let accounts: Actor[]

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  const admin = await makeUser(server.context, { roles: ['admin'] })
  const signedIn = await server.call('POST', '/console/session', {
    body: { email: admin.email, password },
    headers: { 'x-entrepot-console': '1' },
  })
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
  const inConsole = { cookie, 'x-entrepot-console': '1' }
  const actor = (options: CallOptions, shows: Partial<AuditEntry>): Actor => ({
    call: (method, path, body) => server.call(method, path, { ...options, body }),
    shows,
  })
  const clientId = Number(tenant.appClient.client_id)
  users = [
    actor({ token: tenant.userToken }, { caller: 'user', user_id: tenant.userId, company_id: tenant.companyId }),
    actor({ headers: inConsole }, { caller: 'user', user_id: admin.id, client_id: null }),
  ]
  apps = [
    actor({ token: tenant.appToken }, { caller: 'client', client_id: clientId, app_id: tenant.appId, user_id: null }),
    actor(
      { headers: { ...inConsole, 'x-entrepot-app': String(tenant.appId) } },
      { caller: 'client', client_id: null, app_id: tenant.appId, user_id: admin.id },
    ),
  ]
  accounts = [
    actor({ token: tenant.accountToken }, { caller: 'account', account_id: tenant.accountId, app_id: tenant.appId }),
  ]
})
afterAll(() => server.close())

const made = async (answer: ReturnType<TestServer['call']>) => ((await answer).json['data'] as { id: number }).id

/** What a user does. Each is one request that is to be in the trail. */
const userActs: Record<string, Act> = {
  post_2_0_user_apps: ({ call }, n) => call('POST', '/api/2.0/user/apps', { name: `App ${n}` }),
  post_2_0_user_clients: ({ call }, n) => call('POST', '/api/2.0/user/clients', { name: `Client ${n}` }),
  put_2_0_user_apps_appId: ({ call }, n) => call('PUT', `/api/2.0/user/apps/${tenant.appId}`, { name: `Name ${n}` }),
  get_1_0_users: ({ call }, n) => call('GET', `/api/1.0/users?page=${n + 1}`),
  get_1_0_accounts: ({ call }, n) => call('GET', `/api/1.0/accounts?page=${n + 1}`),
  get_2_0_user_audit_export: ({ call }) => call('GET', '/api/2.0/user/audit/export?kind=export'),
}
const appActs: Record<string, Act> = {
  post_2_0_app_accounts: ({ call }, n) =>
    call('POST', '/api/2.0/app/accounts', { remote_id: `r-${n}`, name: `A ${n}` }),
  put_2_0_app_accounts_accountId: ({ call }, n) =>
    call('PUT', `/api/2.0/app/accounts/${tenant.accountId}`, { name: `Merchant ${n}` }),
}
const accountActs: Record<string, Act> = {
  post_2_0_webcomponent_service_resource_install: ({ call }, n) =>
    call('POST', '/api/2.0/webcomponent/service/sandbox/install', {
      name: `Shop ${n}`,
      shop: `shop-${n}.example.com`,
      credentials: { api_key: 'key' },
      settings: { orders: 0 },
    }),
}

const all = async (): Promise<AuditEntry[]> => {
  const { rows } = await sql<AuditEntry>`select * from audit_entries order by id`.execute(server.context.db)
  return rows
}

test('of 1,000 random actions of 5 actors there are 1,000 entries, each with who, what and where', async () => {
  await server.call('POST', `/api/2.0/user/apps/${tenant.appId}/services`, {
    token: tenant.userToken,
    body: { service_id: await made(server.call('GET', '/api/1.0/services/sandbox', { token: tenant.userToken })) },
  })
  const before = (await all()).length
  const done: { operation: string; shows: Partial<AuditEntry>; requestId: unknown; id: number | undefined }[] = []
  for (let n = 0; n < 1000; n++) {
    // Installations cost most, so they are few.
    const [actors, acts] =
      lots.below(50) === 0
        ? [accounts, accountActs]
        : lots.pick([
            [users, userActs],
            [apps, appActs],
          ] as const)
    const actor = lots.pick(actors)
    const [operation, act] = lots.pick(Object.entries(acts))
    const answer = await act(actor, n)
    expect(answer.status, `${operation} ${answer.text}`).toBeLessThan(300)
    const record = answer.json['data'] as { id?: number } | undefined
    const id = operation.startsWith('get') ? undefined : record?.id
    done.push({ operation, shows: actor.shows, requestId: answer.headers['x-request-id'], id })
  }
  const entries = (await all()).slice(before)
  expect(entries).toHaveLength(1000)
  const byRequest = new Map(entries.map((entry) => [entry.request_id, entry]))
  for (const { operation, shows, requestId, id } of done) {
    const entry = byRequest.get(String(requestId))
    expect(entry, `TEST_SEED=${testSeed}`).toMatchObject({ operation, outcome: 'done', address: '127.0.0.1', ...shows })
    expect(entry?.what).toMatch(/^[A-Z][a-z]/)
    if (id !== undefined) expect(entry?.record_id).toBe(String(id))
  }
})

describe('a sealed trail', () => {
  test('is whole, entry by entry and block by block', async () => {
    const { context } = server
    expect(await sealTrail(context)).toBeGreaterThan(1000)
    const found = await verifyTrail(context)
    expect(found).toMatchObject({ faults: [], unsealed: 0, removed: 0, entries: (await all()).length })
  })

  test('takes nothing but new entries, whoever asks', async () => {
    const { db } = server.context
    for (const statement of [
      sql`update audit_entries set user_id = 1`,
      sql`update audit_entries set block = 1 where block is not null`,
      sql`delete from audit_entries`,
      sql`truncate audit_entries`,
      sql`update audit_blocks set entries = 1`,
      sql`delete from audit_blocks`,
      sql`truncate audit_blocks`,
    ]) {
      await expect(statement.execute(db)).rejects.toThrow('The audit trail is append-only.')
    }
  })

  /** What somebody does who rules over the database, and does not have the key. */
  const forgeries: Record<string, (trx: Db, entry: AuditEntry) => Promise<unknown>> = {
    'another user': (trx, { id }) =>
      sql`update audit_entries set user_id = coalesce(user_id, 0) + 1 where id = ${id}`.execute(trx),
    'another time': (trx, { id }) =>
      sql`update audit_entries set at = at - interval '1 hour' where id = ${id}`.execute(trx),
    'another record': (trx, { id }) => sql`update audit_entries set record_id = '0' where id = ${id}`.execute(trx),
    'another address': (trx, { id }) => sql`update audit_entries set address = '::1' where id = ${id}`.execute(trx),
    'another company': (trx, { id }) => sql`update audit_entries set company_id = -1 where id = ${id}`.execute(trx),
    'other fields': (trx, { id }) => sql`update audit_entries set fields = '{x}' where id = ${id}`.execute(trx),
    'a missing entry': (trx, { id }) => sql`delete from audit_entries where id = ${id}`.execute(trx),
    'an entry moved elsewhere': (trx, { id }) =>
      sql`update audit_entries set block = block + 1 where id = ${id}`.execute(trx),
    'an entry taken out of its block': (trx, { id }) =>
      sql`update audit_entries set block = null where id = ${id}`.execute(trx),
    'an invented entry': (trx, { id }) =>
      sql`insert into audit_entries (at, kind, operation, what, outcome, caller, mac, block)
        select at, kind, operation, what, outcome, caller, mac, block from audit_entries where id = ${id}`.execute(trx),
    'an invented entry that waits': (trx, { id }) =>
      sql`insert into audit_entries (at, kind, operation, what, outcome, caller, mac)
        select at, kind, operation, what, outcome, 'system', mac from audit_entries where id = ${id}`.execute(trx),
    'another hash': (trx, { block }) =>
      sql`update audit_blocks set hash = sha256(hash) where number = ${block}`.execute(trx),
    'a missing block': (trx, { block }) => sql`delete from audit_blocks where number = ${block}`.execute(trx),
    'a missing block with its entries': async (trx, { block }) => {
      await sql`delete from audit_entries where block = ${block}`.execute(trx)
      await sql`delete from audit_blocks where number = ${block}`.execute(trx)
    },
    'a tail that was cut off': async (trx, { block }) => {
      await sql`delete from audit_entries where block >= ${block}`.execute(trx)
      await sql`delete from audit_blocks where number >= ${block}`.execute(trx)
    },
    'a beginning that was cut off': async (trx, { block }) => {
      await sql`delete from audit_entries where block <= ${block}`.execute(trx)
      await sql`delete from audit_blocks where number <= ${block}`.execute(trx)
    },
    'a checkpoint that the retention did not make': async (trx, { block }) => {
      await sql`delete from audit_entries where block <= ${block}`.execute(trx)
      await sql`insert into audit_checkpoint (id, number, hash, removed, mac)
        select 1, number, hash, 5, hash from audit_blocks where number = ${block}`.execute(trx)
      await sql`delete from audit_blocks where number <= ${block}`.execute(trx)
    },
  }

  test('shows every forgery, wherever it is made', async () => {
    const { context } = server
    // Some blocks more, as they come about every two seconds.
    const trail = await openTrail(context)
    for (let block = 0; block < 8; block++) {
      for (let n = 0; n <= lots.below(5); n++) {
        const facts = { kind: 'change', operation: `test_${n}`, what: 'Test', caller: 'system' } as const
        await trail.append(context.db, { ...bareFacts, ...facts })
      }
      await sealTrail(context)
    }
    const entries = await all()
    const unseen: string[] = []
    for (const [name, forge] of Object.entries(forgeries)) {
      for (let time = 0; time < 6; time++) {
        const entry = lots.pick(entries)
        const faults = await pretend(context.db, async (trx) => {
          await forge(trx, entry)
          return (await verifyTrail({ ...context, db: trx })).faults
        })
        if (faults.length === 0) unseen.push(`${name}, entry ${entry.id} of block ${entry.block}`)
      }
    }
    expect(unseen, `TEST_SEED=${testSeed}`).toEqual([])
    expect((await verifyTrail(context)).faults).toEqual([])
  })

  test('that was cut off together with its head is told by a block that was noted down', async () => {
    const { context } = server
    const { head } = await verifyTrail(context)
    const faults = await pretend(context.db, async (trx) => {
      await sql`delete from audit_entries where block = ${head.block}`.execute(trx)
      await sql`delete from audit_blocks where number = ${head.block}`.execute(trx)
      await sql`update audit_head set number = b.number, hash = b.hash
        from audit_blocks b where b.number = ${head.block - 1}`.execute(trx)
      const there = { ...context, db: trx }
      return [(await verifyTrail(there)).faults, (await verifyTrail(there, head)).faults]
    })
    expect(faults).toEqual([[], [`Block ${head.block} with the hash that was noted down is not there.`]])
    expect((await verifyTrail(context, head)).faults).toEqual([])
  })

  test('is verified with a new master key as with the old one', async () => {
    const { context } = server
    const keys = [{ id: 'newer', key: lots.bytes(32) }, ...context.keys] as const
    await rotateKeys({ db: context.db, keys })
    expect((await verifyTrail({ ...context, keys: [keys[0]] })).faults).toEqual([])
    await rotateKeys({ db: context.db, keys: [...context.keys, keys[0]] as unknown as typeof context.keys })
  })

  test('says when nobody seals it', async () => {
    const { context } = server
    const facts = { ...bareFacts, kind: 'change', operation: 'late', what: 'Late', caller: 'system' } as const
    const at = new Date(Date.now() - 600_000).toISOString()
    const faults = await pretend(context.db, async (trx) => {
      await insertEntry(trx, { ...facts, at, mac: macOf(await auditKey(context), at, facts) })
      return (await verifyTrail({ ...context, db: trx })).faults
    })
    expect(faults).toEqual([
      expect.stringMatching(/^1 entries have not been sealed for \d+ seconds: no worker does it\.$/),
    ])
  })
})

/** Done with the guards off, looked at, and undone. */
async function pretend<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  let seen: { value: T } | null = null
  const undo = new Error('undo')
  await db
    .transaction()
    .execute(async (trx) => {
      await sql`alter table audit_entries disable trigger user`.execute(trx)
      await sql`alter table audit_blocks disable trigger user`.execute(trx)
      seen = { value: await work(trx) }
      throw undo
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error
    })
  if (seen === null) throw new Error('Nothing was seen.')
  return (seen as { value: T }).value
}

describe('the retention', () => {
  test('takes whole blocks from the beginning, leaves a checkpoint, and says so in the trail', async () => {
    const { context } = server
    await sealTrail(context)
    const before = await verifyTrail(context)
    expect(await shortenTrail({ ...context, auditDays: 1 })).toBe(0)
    // Nothing is a day old, so the clock is set ahead for one look.
    await sql`alter table audit_blocks disable trigger all`.execute(context.db)
    await sql`update audit_blocks set last_at = last_at - interval '10 days' where number <= 4`.execute(context.db)
    await sql`alter table audit_blocks enable trigger all`.execute(context.db)
    const removed = await shortenTrail({ ...context, auditDays: 1 })
    await sealTrail(context)
    const after = await verifyTrail(context)
    expect(after).toMatchObject({ faults: [], removed, blocks: before.blocks - 3 })
    expect((await all()).at(-1)).toMatchObject({
      operation: 'audit_retention',
      caller: 'system',
      detail: `${removed} entries`,
    })
  })
})
