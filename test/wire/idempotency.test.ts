import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api/index.ts'
import { rotateKeys } from '../../src/domain/rotate-keys/rotate-keys.ts'
import { open } from '../../src/lib/secret-box.ts'
import { answerPlace, idempotencyKeys } from '../../src/runtime/db/idempotency-keys.ts'
import { takesKey } from '../../src/runtime/http/idempotency.ts'
import { createTestContext } from '../support/context.ts'
import { makeSiblingApp, makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
})
afterAll(() => server.close())

const accounts = '/api/2.0/app/accounts'
const account = () => ({ remote_id: `remote-${randomUUID()}`, name: 'Ada' })

const post = (path: string, body: unknown, key: string, { token = tenant.appToken, on = server } = {}) =>
  on.call('POST', path, { token, body, headers: { 'idempotency-key': key } })

const count = async (remoteId: string) => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from accounts where remote_id = ${remoteId}`.execute(
    server.context.db,
  )
  return rows[0]?.n
}

const keyRows = async () => {
  const { rows } = await sql<{ id: number; caller: string; status: number | null; answer: Buffer | null }>`
    select id, caller, status, answer from idempotency_keys order by id`.execute(server.context.db)
  return rows
}

describe('the same request under the same key', () => {
  test('has one effect and the same answer', async () => {
    const [key, body] = [randomUUID(), account()]
    const first = await post(accounts, body, key)
    const second = await post(accounts, body, key)
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
    expect([second.status, second.text, second.headers['idempotent-replayed']]).toEqual([201, first.text, 'true'])
    expect(second.headers['content-type']).toBe(first.headers['content-type'])
    // What belongs to the request and not to its answer is new.
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
    expect(await count(body.remote_id)).toBe(1)
  })

  test('twenty times at once has one effect; whoever is early is told to wait', async () => {
    const [key, body] = [randomUUID(), { name: `App ${randomUUID()}` }]
    const asUser = { token: tenant.userToken }
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('/api/2.0/user/apps', body, key, asUser)))
    const statuses = new Set(answers.map(({ status }) => status))
    expect([...statuses].filter((status) => status !== 201 && status !== 409)).toEqual([])
    const done = answers.filter(({ status }) => status === 201)
    expect(new Set(done.map(({ text }) => text)).size).toBe(1)
    for (const { headers } of answers.filter(({ status }) => status === 409)) expect(headers['retry-after']).toBe('1')
    const { rows } = await sql`select id from apps where name = ${body.name}`.execute(server.context.db)
    expect(rows).toHaveLength(1)
    expect((await post('/api/2.0/user/apps', body, key, asUser)).text).toBe(done[0]?.text)
  })

  test('is answered by another process, and after a restart', async () => {
    const [key, body] = [randomUUID(), account()]
    const first = await post(accounts, body, key)
    const other = await startTestServer({ databaseUrl: server.databaseUrl })
    try {
      const second = await post(accounts, body, key, { on: other })
      expect([second.status, second.text]).toEqual([201, first.text])
    } finally {
      await other.close()
    }
  })

  test('shows a secret again that was shown once, and keeps it sealed', async () => {
    const [key, body] = [randomUUID(), { name: 'Client', app_id: tenant.appId }]
    const asUser = { token: tenant.userToken }
    const first = await post('/api/2.0/user/clients', body, key, asUser)
    expect((await post('/api/2.0/user/clients', body, key, asUser)).text).toBe(first.text)
    const { secret } = first.json['data'] as { secret: string }
    expect(secret.length).toBeGreaterThan(20)
    const row = (await keyRows()).at(-1)
    expect(row?.answer?.includes(secret)).toBe(false)
    const opened = open(
      server.context.keys,
      row?.answer ?? Buffer.alloc(0),
      answerPlace(row?.id ?? 0, row?.caller ?? ''),
    )
    expect(Buffer.from(JSON.parse(opened).body, 'base64').toString()).toBe(first.text)
  })

  test('with a file has one effect, although every attempt draws another boundary', async () => {
    const key = randomUUID()
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    const upload = async (name: string) => {
      const form = new FormData()
      form.set('logo', new Blob([Buffer.from(pixel, 'base64')], { type: 'image/png' }), name)
      const request = new Request('http://any', { method: 'POST', body: form })
      return await server.program.http?.inject({
        method: 'POST',
        url: `/api/2.0/user/apps/${tenant.appId}/logo`,
        headers: {
          authorization: `Bearer ${tenant.userToken}`,
          'content-type': request.headers.get('content-type') ?? '',
          'idempotency-key': key,
        },
        payload: Buffer.from(await request.arrayBuffer()),
      })
    }
    const [first, second, other] = [await upload('a.png'), await upload('a.png'), await upload('b.png')]
    expect([first?.statusCode, second?.statusCode, other?.statusCode]).toEqual([201, 201, 422])
    expect([second?.body, second?.headers['idempotent-replayed']]).toEqual([first?.body, 'true'])
  })
})

describe('another request under the same key', () => {
  test.each([
    ['another body', accounts, { name: 'Bob' }],
    ['another address', `${accounts}?x=1`, {}],
    ['another path', '/api/2.0/app/integrations', {}],
  ])('(%s) is 422 and has no effect', async (_, path, more) => {
    const [key, body] = [randomUUID(), account()]
    await post(accounts, body, key)
    const before = (await keyRows()).length
    const answer = await post(path, { ...body, ...more }, key)
    expect([answer.status, answer.json]).toEqual([
      422,
      {
        message: 'The Idempotency-Key has been used with another request.',
        errors: { 'Idempotency-Key': ['The Idempotency-Key has been used with another request.'] },
      },
    ])
    expect((await keyRows()).length).toBe(before)
  })

  test('of another tenant has nothing to do with it', async () => {
    const [key, body] = [randomUUID(), account()]
    const sibling = await makeSiblingApp(server.context, tenant)
    const stranger = await makeTenant(server.context)
    const answers = [
      await post(accounts, body, key),
      await post(accounts, body, key, { token: sibling.appToken }),
      await post(accounts, body, key, { token: stranger.appToken }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers.map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, undefined, undefined])
    expect(await count(body.remote_id)).toBe(3)
  })
})

describe('a key', () => {
  test.each([
    ['empty', ''],
    ['too long', 'k'.repeat(256)],
    ['with what cannot be printed', 'a\tb'],
    ['with other letters', 'schlüssel'],
  ])('that is %s is 400', async (_, key) => {
    const answer = await post(accounts, account(), key)
    expect([answer.status, answer.json]).toEqual([
      400,
      { message: 'The Idempotency-Key must be 1 to 255 printable characters.' },
    ])
  })

  test('of 255 characters is taken', async () => {
    expect((await post(accounts, account(), `${randomBytes(100).toString('hex')}${' ~'.repeat(27)}!`)).status).toBe(201)
  })

  test('is free again when the request was wrong, and keeps the answer of work that has begun', async () => {
    const [key, body] = [randomUUID(), account()]
    expect((await post(accounts, { name: 'no remote id' }, key)).status).toBe(422)
    expect((await post('/api/2.0/app/integrations/999999/action', { resource: 'get_orders' }, key)).status).toBe(404)
    expect((await post(accounts, body, key)).status).toBe(201)
    // The domain refuses the second account of the same name: that is an answer, and stays one.
    const late = randomUUID()
    const refused = await post(accounts, body, late)
    expect(refused.status).toBe(422)
    await sql`delete from accounts where remote_id = ${body.remote_id}`.execute(server.context.db)
    expect((await post(accounts, body, late)).text).toBe(refused.text)
    expect((await post(accounts, body, randomUUID())).status).toBe(201)
  })

  test('whose process has died is free again when its time is over', async () => {
    const { context } = server
    const [key, body] = [randomUUID(), account()]
    await post(accounts, body, key)
    await sql`delete from accounts where remote_id = ${body.remote_id}`.execute(context.db)
    await sql`update idempotency_keys set status = null, answer = null, key_id = null, committed_at = null,
      holder = gen_random_uuid(), locked_until = now() + interval '1 minute' where id = (select max(id) from idempotency_keys)`.execute(
      context.db,
    )
    const busy = await post(accounts, body, key)
    expect([busy.status, busy.json]).toEqual([409, { message: 'A request with this Idempotency-Key is in progress.' }])
    expect(await count(body.remote_id)).toBe(0)
    await sql`update idempotency_keys set locked_until = now() - interval '1 second' where locked_until is not null`.execute(
      context.db,
    )
    expect((await post(accounts, body, key)).status).toBe(201)
  })

  test('that was taken over is left alone by whoever had it', async () => {
    const { context } = server
    const keys = idempotencyKeys(context.reader, context.keys)
    const request = { caller: 'somebody', keyHash: randomBytes(32), fingerprint: randomBytes(32) }
    const late = await keys.claim(request, randomUUID())
    await sql`update idempotency_keys set locked_until = now() - interval '1 second' where caller = 'somebody'`.execute(
      context.db,
    )
    const taken = await keys.claim(request, randomUUID())
    if (late.kind !== 'ours' || taken.kind !== 'ours') throw new Error('Nobody has it.')
    await keys.keep(late.hold, { status: 200, headers: {}, body: null })
    await keys.release(late.hold)
    expect(await keys.claim(request, randomUUID())).toEqual({ kind: 'busy' })
    await keys.keep(taken.hold, { status: 201, headers: {}, body: null })
    expect(await keys.claim(request, randomUUID())).toMatchObject({ kind: 'kept', answer: { status: 201 } })
  })

  test('is held for as long as its process says so', async () => {
    const { context } = server
    const keys = idempotencyKeys(context.reader, context.keys)
    const request = { caller: 'slow', keyHash: randomBytes(32), fingerprint: randomBytes(32) }
    const claimed = await keys.claim(request, randomUUID())
    if (claimed.kind !== 'ours') throw new Error('Nobody has it.')
    await sql`update idempotency_keys set locked_until = now() - interval '1 second' where caller = 'slow'`.execute(
      context.db,
    )
    await keys.extend(claimed.hold)
    expect(await keys.claim(request, randomUUID())).toEqual({ kind: 'busy' })
    await keys.release(claimed.hold)
    expect(await keys.claim(request, randomUUID())).toMatchObject({ kind: 'ours' })
  })

  test('keeps its answer when the master key is changed', async () => {
    const { context, close } = await createTestContext()
    const oldKey = { id: 'a', key: randomBytes(32) }
    const newKey = { id: 'b', key: randomBytes(32) }
    const request = { caller: 'rotated', keyHash: randomBytes(32), fingerprint: randomBytes(32) }
    const answer = { status: 201, headers: {}, body: 'c2VjcmV0' }
    const keys = idempotencyKeys(context.reader, [oldKey])
    const claimed = await keys.claim(request, randomUUID())
    if (claimed.kind !== 'ours') throw new Error('Nobody has it.')
    await keys.keep(claimed.hold, answer)
    const { rewrapped } = await rotateKeys({ db: context.db, keys: [newKey, oldKey] })
    expect(rewrapped).toMatchObject({ idempotency_keys: 1 })
    const late = await idempotencyKeys(context.reader, [newKey]).claim(request, randomUUID())
    expect(late).toEqual({ kind: 'kept', answer })
    await close()
  })

  test('is free again after a day', async () => {
    const key = randomUUID()
    await post(accounts, account(), key)
    expect((await post(accounts, account(), key)).status).toBe(422)
    await sql`update idempotency_keys set created_at = now() - interval '25 hours'`.execute(server.context.db)
    expect((await post(accounts, account(), key)).status).toBe(201)
  })
})

describe('the header', () => {
  test('is taken by every POST of version 2.0 with a token and by nothing else', () => {
    const taking = endpoints.filter(takesKey)
    const posts = endpoints.filter(
      ({ method, group }) => method === 'POST' && group.prefix.startsWith('/api/2.0/') && group.caller !== null,
    )
    expect(taking).toEqual(posts)
    expect(taking.length).toBeGreaterThan(15)
  })

  test('is not looked at elsewhere, and leaves no trace where it is not sent', async () => {
    const before = (await keyRows()).length
    const put = { token: tenant.appToken, body: { name: 'Eve' }, headers: { 'idempotency-key': '' } }
    expect((await server.call('PUT', `${accounts}/${tenant.accountId}`, put)).status).toBe(200)
    expect((await server.call('POST', accounts, { token: tenant.appToken, body: account() })).status).toBe(201)
    expect((await keyRows()).length).toBe(before)
  })

  test('is documented for each of them', async () => {
    const { json } = await server.call('GET', '/api/openapi.json')
    const paths = json['paths'] as Record<string, Record<string, { parameters: { name: string }[]; responses: object }>>
    for (const [path, { post }] of Object.entries(paths)) {
      const named = post?.parameters.some(({ name }) => name === 'Idempotency-Key') ?? false
      expect([path, named]).toEqual([path, post !== undefined && /^\/api\/2\.0\/(?!platforms\/|alerts\/)/.test(path)])
      if (named) expect(Object.keys(post?.responses ?? {})).toEqual(expect.arrayContaining(['400', '409', '422']))
    }
  })
})
