import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keepRequestDays } from '../../src/domain/requests/keep-request-days.ts'
import { insertRequests } from '../../src/domain/requests/request-store.ts'
import { password } from '../support/identity.ts'
import { allOfThem, loggedRequests } from '../support/requests.ts'
import { type CallOptions, makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'
import { makeWorld, type World } from '../support/world.ts'

/** Calls of the API, as those see them who make them. */

const running = { attempt: 1, signal: new AbortController().signal }

let server: TestServer
let world: World
let tenant: TestTenant
let stranger: TestTenant
beforeAll(async () => {
  server = await startTestServer({ requestLogDays: 3, requestRoom: allOfThem })
  world = await makeWorld(server)
  tenant = world.tenant
  stranger = await makeTenant(server.context)
})
afterAll(() => server.close())

/** The entry of a call that has just been made. */
async function entryOf(method: string, path: string, options: CallOptions) {
  const answer = await server.call(method, path, options)
  const id = String(answer.headers['x-request-id'])
  const [entry] = await loggedRequests(server.context, (one) => one.id === id)
  if (!entry) throw new Error('It is not there.')
  return { ...entry, answer }
}

const ask = (path: string, token: string | null = tenant.appToken) =>
  server.call('GET', `/api/2.0/app/requests${path}`, { token })

const list = async (search: string) => {
  const answer = await ask(search)
  return Object(answer.json)['data'] as { request_id: string; status: number; at: string }[]
}

describe('a call', () => {
  test('of an app is there with who, what, how long and how much', async () => {
    const path = `/api/2.0/app/integrations/${world.ids.integration}`
    const headers = { 'user-agent': 'shop-tool/1.0' }
    const { answer, ...entry } = await entryOf('GET', path, { token: tenant.appToken, headers })
    expect(entry).toMatchObject({
      ...{ app_id: tenant.appId, source: 'api', caller: 'client', method: 'GET', path, status: 200 },
      ...{ route: '/api/2.0/app/integrations/{integration}', integration_id: world.ids.integration },
      ...{ request_bytes: 0, response_bytes: Buffer.byteLength(answer.text), address: '127.0.0.1' },
      detail: { agent: 'shop-tool/1.0', has_idempotency_key: false, rate: { limit: 1_000_000 } },
    })
    expect(entry.client_id).toBeGreaterThan(0)
    expect(entry.ms).toBeGreaterThan(0)
    expect(entry.detail.response).toMatchObject({ data: { id: world.ids.integration, name: '[text]' } })
  })

  test('of an account, of a user at an app, and of version 1.0 by a gateway key is of the same app', async () => {
    const account = await entryOf('GET', '/api/2.0/webcomponent/integrations', { token: tenant.accountToken })
    expect(account).toMatchObject({ app_id: tenant.appId, caller: 'account', account_id: tenant.accountId })
    const user = await entryOf('GET', `/api/2.0/user/apps/${tenant.appId}/webhooks`, { token: tenant.userToken })
    expect(user).toMatchObject({ app_id: tenant.appId, caller: 'user', user_id: tenant.userId })
    const older = await entryOf('GET', '/api/1.0/orders', {
      token: tenant.userToken,
      headers: { 'x-gateway-key': world.gatewayKey },
    })
    expect(older).toMatchObject({ app_id: tenant.appId, integration_id: world.ids.integration })
  })

  test('that is refused says which fields were, and not what was in them', async () => {
    const body = { url: 'kingfisher', events: ['kingfisher'], secret: 'kingfisher', active: 7 }
    const path = `/api/2.0/user/apps/${tenant.appId}/webhooks`
    const { answer: _, ...entry } = await entryOf('POST', path, { token: tenant.userToken, body })
    expect(entry).toMatchObject({ status: 422, detail: { error: { kind: 'invalid' } } })
    expect(Object.keys(entry.detail.error?.fields ?? {})).toContain('url')
    expect(JSON.stringify(entry)).not.toContain('kingfisher')
  })

  test('is there without whom a list was searched for, and without what a path was not meant for', async () => {
    const search = 'integration_id=1&email=kingfisher@example.com&filter[status]=PENDING&kingfisher=1&page=2'
    const { answer: _, ...entry } = await entryOf('GET', `/api/2.0/app/orders?${search}`, { token: tenant.appToken })
    expect(entry.query).toBe('integration_id=1&email=[text]&filter[status]=PENDING&page=2')
    const lost = await entryOf('GET', '/api/2.0/app/integrations/kingfisher', { token: tenant.appToken })
    expect(lost).toMatchObject({ status: 404, path: '/api/2.0/app/integrations/{integration}' })
  })

  test('that a stranger makes at somebody’s app leaves nothing there', async () => {
    const path = `/api/2.0/user/apps/${tenant.appId}/webhooks`
    const refused = await server.call('GET', path, { token: stranger.userToken })
    expect(refused.status).toBeGreaterThanOrEqual(403)
    const own = await entryOf('GET', '/api/2.0/app/integrations', { token: stranger.appToken })
    const all = await loggedRequests(server.context, ({ app_id: app }) => app === tenant.appId)
    expect(all.map(({ id }) => id)).not.toContain(String(refused.headers['x-request-id']))
    expect(own.app_id).toBe(stranger.appId)
  })

  test('of a page of the console is there if it changed something or failed', async () => {
    const { context } = server
    const made = await server.call('POST', '/console/session', {
      headers: { 'x-entrepot-console': '1' },
      body: { email: stranger.email, password },
    })
    const cookie = String(made.headers['set-cookie']).split(';')[0] ?? ''
    const headers = { cookie, 'x-entrepot-console': '1', 'x-entrepot-app': String(stranger.appId) }
    const read = await server.call('GET', '/api/2.0/app/integrations', { headers })
    expect(read.status).toBe(200)
    const failed = await entryOf('GET', '/api/2.0/app/integrations/999999', { headers })
    expect(failed).toMatchObject({ source: 'console', caller: 'client', client_id: null, user_id: stranger.userId })
    const all = await loggedRequests(context, () => true)
    expect(all.map(({ id }) => id)).not.toContain(String(read.headers['x-request-id']))
  })
})

describe('the list', () => {
  test('is filtered by status, method, route, integration, request and time', async () => {
    const lost = await entryOf('GET', '/api/2.0/app/integrations/999999', { token: tenant.appToken })
    const one = (found: readonly { request_id: string }[]) => found.map(({ request_id: id }) => id)
    expect(one(await list('?status=4xx'))).toContain(lost.id)
    expect(one(await list('?status=failed&method=GET'))).toContain(lost.id)
    expect((await list('?status=2xx')).every(({ status }) => status < 300)).toBe(true)
    expect(one(await list('?status=5xx'))).not.toContain(lost.id)
    expect(one(await list('?status_code=404'))).toContain(lost.id)
    expect(one(await list(`?request_id=${lost.id}`))).toEqual([lost.id])
    const route = encodeURIComponent('/api/2.0/app/integrations/{integration}')
    expect(one(await list(`?route=${route}&method=GET`))).toContain(lost.id)
    expect(one(await list('?route=%2Fapi'))).toEqual([])
    expect(one(await list(`?integration_id=${world.ids.integration}`))).not.toContain(lost.id)
    expect((await list(`?integration_id=${world.ids.integration}`)).length).toBeGreaterThan(0)
    expect(one(await list(`?since=${lost.at}`))).toContain(lost.id)
    expect(one(await list(`?until=${lost.at}`))).not.toContain(lost.id)
    expect(one(await list('?source=api'))).toContain(lost.id)
    expect(one(await list('?source=console'))).toEqual([])
  })

  test('is turned by a cursor, without a gap and without anything twice', async () => {
    const all = await list('?limit=200&until=2099-01-01T00:00:00Z')
    const until = all[0]?.at ?? ''
    const whole = (await list(`?limit=200&until=${until}`)).map(({ request_id: id }) => id)
    const turned: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const answer = await ask(`?limit=7&until=${until}${cursor === '' ? '' : `&cursor=${cursor}`}`)
      turned.push(...Object(answer.json)['data'].map((one: { request_id: string }) => one.request_id))
      cursor = Object(answer.json)['meta']['next_cursor']
    }
    expect(turned).toEqual(whole)
    expect(turned.length).toBeGreaterThan(14)
  })

  test.each(['x', `2026-01-01T00:00:00.000000Z|${'-'.repeat(36)}`, `2026-02-30T00:00:00.000000Z|${randomUUID()}`])(
    'refuses the cursor %s',
    async (place) => expect((await ask(`?cursor=${Buffer.from(place).toString('base64url')}`)).status).toBe(400),
  )

  test.each(['?status=6xx', '?method=EAT', '?integration_id=x', '?request_id=1', '?since=yesterday', '?limit=201'])(
    'refuses %s',
    async (search) => expect((await ask(search)).status).toBe(422),
  )

  test('and one of it are nobody else’s', async () => {
    const { id } = await entryOf('GET', '/api/2.0/app/integrations', { token: tenant.appToken })
    expect((await ask(`/${id}`)).status).toBe(200)
    expect((await ask(`/${id}`, stranger.appToken)).status).toBe(404)
    expect((await ask(`?request_id=${id}`, stranger.appToken)).json['data']).toEqual([])
    expect((await ask('/not-one')).status).toBe(404)
    expect((await ask('', stranger.userToken)).status).toBe(401)
  })
})

test('the use of the limits is counted by the minute, and says what one caller may', async () => {
  await entryOf('GET', '/api/2.0/app/integrations/999999', { token: tenant.appToken })
  const answer = await ask('/usage?range=6h')
  const usage = Object(answer.json['data'])
  expect(usage).toMatchObject({ range: '6h', step_minutes: 1, days: 3, left_out: 0 })
  const ofApp = usage.steps.filter(({ caller }: { caller: string }) => caller === 'client')
  expect(ofApp.length).toBeGreaterThan(0)
  expect(ofApp.at(-1)).toMatchObject({ limit: 1_000_000 })
  expect(ofApp.at(-1).calls).toBeGreaterThanOrEqual(ofApp.at(-1).failed)
  expect(ofApp.at(-1).most).toBeGreaterThan(0)
})

test('days that are over are dropped, the next ones are made, and what lies elsewhere goes by its age', async () => {
  const { context } = server
  const { reader } = context
  const days = async () =>
    (
      await reader.query<{ name: string }>(
        `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'api_requests'::regclass order by 1`,
      )
    ).rows.map(({ name }) => name)
  await reader.query(
    `create table api_requests_y2020m01d01 partition of api_requests for values from ('2020-01-01 00:00:00+00') to ('2020-01-02 00:00:00+00')`,
  )
  const [template] = await loggedRequests(context, () => true)
  if (!template) throw new Error('There is none.')
  const old = { ...template, at: '2020-02-02T00:00:00Z', id: randomUUID() }
  await insertRequests(context.db, [{ ...template, at: '2020-01-01T12:00:00Z', id: randomUUID() }, old])
  const before = await days()
  await keepRequestDays.run(context, {}, running)
  const after = await days()
  expect(before).toContain('api_requests_y2020m01d01')
  expect(after).not.toContain('api_requests_y2020m01d01')
  expect(after.filter((name) => /_y\d{4}m\d\dd\d\d$/.test(name)).length).toBeGreaterThanOrEqual(3)
  const left = await reader.query(`select from api_requests where at < '2021-01-01'`)
  expect(left.rowCount).toBe(0)
})

test('what is left in memory is written when the process ends, and nothing is kept where the log is off', async () => {
  const two = await startTestServer({ requestLogDays: 3, databaseUrl: server.databaseUrl })
  const answer = await two.call('GET', '/api/2.0/app/integrations', { token: tenant.appToken })
  await two.program.close()
  const id = String(answer.headers['x-request-id'])
  const kept = await server.context.reader.query('select from api_requests where id = $1', [id])
  expect(kept.rowCount).toBe(1)
  const off = await startTestServer({ requestLogDays: 0, databaseUrl: server.databaseUrl })
  const silent = await off.call('GET', '/api/2.0/app/requests', { token: tenant.appToken })
  await off.program.close()
  expect(Object(silent.json['meta'])['days']).toBe(0)
  const none = await server.context.reader.query('select from api_requests where id = $1', [
    String(silent.headers['x-request-id']),
  ])
  expect(none.rowCount).toBe(0)
})
