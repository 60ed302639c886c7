import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newEvent } from '../../src/domain/events/event.ts'
import { emitEvents } from '../../src/domain/events/event-store.ts'
import { samples } from '../../src/domain/events/samples.ts'
import { endListeners } from '../../src/domain/webhooks/listeners/listen.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'
import { until } from '../support/until.ts'

/** Somebody at a command line reads the events of an app for a while. */

let server: TestServer
let tenant: TestTenant
let path: string
beforeAll(async () => {
  server = await startTestServer({ works: true })
  tenant = await makeTenant(server.context)
  path = `/api/2.0/user/apps/${tenant.appId}/webhooks`
})
afterAll(() => server.close())

const asUser = (method: string, below: string, body?: object, token = tenant.userToken) =>
  server.call(method, path + below, { token, ...(body && { body }) })
const open = async (events?: readonly string[]) => {
  const { status, json } = await asUser('POST', '/listeners', events ? { events } : {})
  expect(status).toBe(201)
  return json['data'] as { id: number; secret: string; events: string[] }
}
interface Feed {
  data: { id: string; type: string; data: Record<string, unknown> }[]
  meta: { next_cursor: string; has_more: boolean }
}
const feed = async (id: number, query = '') => {
  const { status, json } = await asUser('GET', `/listeners/${id}/events${query}`)
  expect(status).toBe(200)
  return json as unknown as Feed
}
/** That another webhook was disabled: an event of the app as a whole. */
const emit = (n: number) =>
  server.context.transaction((trx) =>
    emitEvents(trx, [
      newEvent(
        'webhook.disabled',
        { appId: tenant.appId },
        { subject: `webhook:other-${n}`, data: { ...samples['webhook.disabled'], id: n } },
      ),
    ]),
  )

describe('a listener', () => {
  test('reads what happens from then on, once, behind its cursor', async () => {
    await emit(1)
    const { id, secret, events } = await open()
    expect([secret.startsWith('whsec_'), events]).toEqual([true, ['*']])
    await emit(2)
    await emit(3)
    const first = await until(async () => {
      const page = await feed(id)
      return page.data.length === 2 && page
    })
    expect(first.data.map(({ data }) => data['id'])).toEqual([2, 3])
    expect((await feed(id, `?cursor=${first.meta.next_cursor}`)).data).toEqual([])
    await asUser('DELETE', `/listeners/${id}`)
    expect((await asUser('GET', `/listeners/${id}/events`)).status).toBe(404)
  })

  test('waits for what comes', async () => {
    const { id } = await open()
    const coming = feed(id, '?wait=20')
    await emit(4)
    expect((await coming).data.map(({ data }) => data['id'])).toEqual([4])
    await asUser('DELETE', `/listeners/${id}`)
  })

  test('hears of the types it has named, and of samples of any', async () => {
    const { id } = await open(['order.created'])
    await emit(5)
    expect((await asUser('POST', `/listeners/${id}/test`, { type: 'product.updated' })).status).toBe(202)
    const page = await until(async () => {
      const found = await feed(id)
      return found.data.length > 0 && found
    })
    expect(page.data).toMatchObject([{ type: 'product.updated', data: { sample: true } }])
    await asUser('DELETE', `/listeners/${id}`)
  })

  test('is no webhook: it is sent nothing, and stands in no list of them', async () => {
    const { id } = await open()
    await emit(6)
    await until(async () => (await feed(id)).data.length === 1)
    const { rows } = await sql<{ state: string; attempts: number }>`
      select state, attempts from webhook_deliveries where webhook_id = ${id}`.execute(server.context.db)
    expect(rows).toEqual([{ state: 'held', attempts: 0 }])
    expect((await asUser('GET', '')).json['data']).toEqual([])
    for (const [method, below] of [
      ['GET', `/${id}`],
      ['PUT', `/${id}`],
      ['POST', `/${id}/rotate-secret`],
      ['POST', `/${id}/test`],
      ['GET', `/${id}/events`],
    ] as const) {
      expect((await asUser(method, below, method === 'GET' ? undefined : {})).status).toBe(404)
    }
    await asUser('DELETE', `/listeners/${id}`)
  })

  test('is one of five at most, and ends when nobody has asked for an hour', async () => {
    const ids = [(await open()).id]
    while (ids.length < 5) ids.push((await open()).id)
    const refused = await asUser('POST', '/listeners', {})
    expect([refused.status, refused.json['errors']]).toMatchObject([
      422,
      { events: [expect.stringContaining('At most 5')] },
    ])
    await sql`update webhook_subscriptions set listens_until = now() - interval '1 second' where id = ${ids[0]}`.execute(
      server.context.db,
    )
    expect((await asUser('GET', `/listeners/${ids[0]}/events`)).status).toBe(404)
    await emit(7)
    await endListeners(server.context)
    const { rows } = await sql<{ deleted: boolean; kept: number }>`
      select deleted_at is not null as deleted,
        (select count(*)::int from webhook_deliveries where webhook_id = w.id) as kept
      from webhook_subscriptions w where id = ${ids[0]}`.execute(server.context.db)
    expect(rows).toEqual([{ deleted: true, kept: 0 }])
    ids.push((await open()).id)
    for (const id of ids.slice(1)) await asUser('DELETE', `/listeners/${id}`)
  })

  test('stays as long as it is read', async () => {
    const { id } = await open()
    await sql`update webhook_subscriptions set listens_until = now() + interval '1 minute' where id = ${id}`.execute(
      server.context.db,
    )
    await feed(id)
    const { rows } = await sql<{ long: boolean }>`
      select listens_until > now() + interval '30 minutes' as long from webhook_subscriptions where id = ${id}`.execute(
      server.context.db,
    )
    expect(rows).toEqual([{ long: true }])
    await asUser('DELETE', `/listeners/${id}`)
  })
})

test('whoever waits is sent away when the token is revoked', async () => {
  const one = await makeTenant(server.context)
  const app = `/api/2.0/user/apps/${one.appId}/webhooks/listeners`
  const { json } = await server.call('POST', app, { token: one.userToken, body: {} })
  const { id } = json['data'] as { id: number }
  const waiting = server.call('GET', `${app}/${id}/events?wait=20`, { token: one.userToken })
  const body = { ...one.passwordClient, token: one.userToken }
  expect((await server.call('POST', '/oauth/revoke', { body })).status).toBe(200)
  const { status } = await waiting
  expect(status).toBe(401)
})
