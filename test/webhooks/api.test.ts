import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type HookReceiver, openHookReceiver } from '../support/hook-receiver.ts'
import { runsOver } from '../support/runs-over.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { untilHolds } from '../support/until.ts'
import { makeWorld, type World } from '../support/world.ts'

let server: TestServer
let world: World
let endpoint: HookReceiver

beforeAll(async () => {
  server = await startTestServer({ works: true, webhookAllow: ['127.0.0.1'] })
  world = await makeWorld(server)
  // Its first sync is news of its own.
  await runsOver(server.context)
  endpoint = await openHookReceiver()
})
afterAll(async () => {
  await server.close()
  await endpoint.close()
})

type Fields = Record<string, unknown>
const until = (check: () => unknown) => untilHolds(check)

async function call(method: string, path: string, body?: unknown) {
  const url = `/api/2.0/user/apps/${world.tenant.appId}/webhooks${path}`
  return await server.call(method, url, { token: world.tenant.userToken, ...(body === undefined ? {} : { body }) })
}

async function data(method: string, path: string, body?: unknown): Promise<Fields> {
  const answer = await call(method, path, body)
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer.json['data'] as Fields
}

const placeOrder = (remoteId: string) =>
  server.call('POST', '/api/1.0/orders', {
    token: world.tenant.userToken,
    headers: { 'x-gateway-key': world.gatewayKey },
    body: { remote_id: remoteId, currency: 'EUR', total: '1', items: [{ sku: 'A', quantity: 1, price: '1' }] },
  })

describe('a webhook of an app', () => {
  test('is made, told what happens, looked at, replayed and deleted', async () => {
    const made = await data('POST', '', { url: endpoint.url, events: ['order.created'], description: 'Mine' })
    expect(made).toMatchObject({ events: ['order.created'], description: 'Mine', active: true, disabled_at: null })
    const path = `/${made['id']}`
    expect(await data('GET', path)).not.toHaveProperty('secret')
    await placeOrder('told')
    await until(() => expect(endpoint.received).toHaveLength(1))
    const [hook] = endpoint.received
    const headers = Object.fromEntries(
      Object.entries(hook?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    )
    expect(new Webhook(String(made['secret'])).verify(hook?.body ?? '', headers)).toMatchObject({
      type: 'order.created',
      data: { remote_id: 'told', integration_id: world.ids.integration },
    })
    const listed = async () => (await call('GET', `${path}/deliveries`)).json['data'] as Fields[]
    await until(async () => expect(await listed()).toMatchObject([{ state: 'delivered', event_id: hook?.id }]))
    const delivery = `${path}/deliveries/${(await listed())[0]?.['id']}`
    expect(await data('GET', delivery)).toMatchObject({
      data: { remote_id: 'told' },
      attempt_log: [{ number: 1, trigger: 'schedule', response_status: 200 }],
    })
    expect((await call('POST', `${delivery}/replay`)).status).toBe(202)
    await until(() => expect(endpoint.received.map(({ id }) => id)).toEqual([hook?.id, hook?.id]))
    let cursor: unknown
    // What others write in the same cluster holds the feed up until it is committed.
    await until(async () => {
      const feed = (await call('GET', `${path}/events`)).json
      expect(feed).toMatchObject({ data: [{ id: hook?.id, type: 'order.created' }], meta: { has_more: false } })
      cursor = (feed['meta'] as Fields)['next_cursor']
    })
    expect((await call('GET', `${path}/events?cursor=${cursor}`)).json['data']).toEqual([])
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
    await placeOrder('not told')
    expect((await data('GET', '/catcher'))['requests']).toEqual([])
  })

  test('can be the catcher, which shows a test and whatever else is posted to it', async () => {
    const { url } = await data('POST', '/catcher')
    const made = await data('POST', '', { url, events: ['run.failed'] })
    expect((await call('POST', `/${made['id']}/test`)).status).toBe(202)
    const caught = async () => (await data('GET', '/catcher'))['requests'] as { body: string; headers: Fields }[]
    await until(async () => expect(await caught()).toHaveLength(1))
    expect(JSON.parse((await caught())[0]?.body ?? '')).toMatchObject({ type: 'webhook.test' })
    const path = new URL(String(url)).pathname
    const posted = await server.call('POST', path, { body: 'anything\u0000', headers: { authorization: 'Bearer x' } })
    expect(posted.status).toBe(200)
    const [latest] = await caught()
    expect(latest?.body).toBe('anything\ufffd')
    expect(latest?.headers).not.toHaveProperty('authorization')
    expect((await server.call('POST', `${path.slice(0, -1)}x`, { body: 'x' })).status).toBe(404)
  })

  test.each([
    ['an address inside', { url: 'https://169.254.169.254/', events: ['*'] }, 'url'],
    ['plain http', { url: 'http://example.com/', events: ['*'] }, 'url'],
    ['an event that there is not', { url: 'https://example.com/', events: ['order.eaten'] }, 'events.0'],
    ['no event', { url: 'https://example.com/', events: [] }, 'events'],
  ])('does not take %s', async (_, body, field) => {
    const answer = await call('POST', '', body)
    expect([answer.status, Object.keys(answer.json['errors'] as Fields)]).toEqual([422, [field]])
  })

  test('lists what it may be told of', async () => {
    const types = (await call('GET', '/event-types')).json['data'] as Fields[]
    expect(types.length).toBeGreaterThanOrEqual(20)
    expect(types.find(({ type }) => type === 'order.created')).toMatchObject({ schema: { type: 'object' } })
  })
})

test('the figures of webhooks are among the metrics', async () => {
  const { text } = await server.call('GET', '/metrics')
  expect(text).toMatch(/entrepot_webhook_deliveries_total\{outcome="delivered"\} [1-9]/)
  for (const name of ['attempt_seconds', 'lag_seconds', 'backlog', 'in_flight']) {
    expect(text).toContain(`entrepot_webhook_${name}`)
  }
})
