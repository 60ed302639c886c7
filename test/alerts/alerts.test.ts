import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type HookReceiver, openHookReceiver } from '../support/hook-receiver.ts'
import { justBefore } from '../support/just-before.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type AlertedTenant, breakShops, hurry, look, makeAlerted, makeShops, repairShops } from './support.ts'

/** From what goes wrong to whoever is told of it, over real sockets. */

let mail: MailServer
let receiver: HookReceiver
let server: TestServer
let tenant: AlertedTenant
beforeAll(async () => {
  mail = await startMailServer()
  receiver = await openHookReceiver()
  server = await startTestServer({
    works: true,
    mail: { url: mail.url, from: 'entrepot@example.com' },
    webhookAllow: ['127.0.0.1'],
  })
})
afterAll(async () => {
  await server.close()
  await receiver.close()
  await mail.close()
})
afterEach(() => {
  receiver.answer(() => ({ status: 200, body: 'ok' }))
})
const dataOf = ({ json }: { json: Record<string, unknown> }) => json['data'] as Record<string, unknown>[]
const openAlerts = async (of: AlertedTenant) => dataOf(await of.ask('GET', '/alerts?filter[open]=1'))
const lettersTo = (email: string) => mail.received.filter(({ to }) => to.includes(email))

/** A tenant of its own, whose channels hear of nobody else's shops. */
const begin = async () => {
  tenant = await makeAlerted(server)
  return tenant
}

test('a shop that stops working opens one alert, and closes it when it works again', async () => {
  const { appToken } = await begin()
  const [shop = 0] = await makeShops(server.context, tenant, 1)
  await breakShops(server.context, [shop])
  await look(server.context)
  await look(server.context)
  const [alert, ...more] = await openAlerts(tenant)
  expect(more).toEqual([])
  expect(alert).toMatchObject({
    kind: 'integration_error',
    severity: 'critical',
    summary: 'The shop rejected our credentials. The merchant has to connect it again.',
    integration: { id: shop },
    closed_at: null,
  })
  const asApp = await server.call('GET', `/api/2.0/app/alerts/${alert?.['id']}`, { token: appToken })
  expect(asApp.json['data']).toEqual(alert)
  await repairShops(server.context, [shop])
  await look(server.context)
  expect(await openAlerts(tenant)).toEqual([])
  const { closed_at: closedAt } = (await tenant.ask('GET', `/alerts/${alert?.['id']}`)).json['data'] as Record<
    string,
    unknown
  >
  expect(closedAt).toEqual(expect.any(String))
})

test('webhooks get an event for each, signed as all of them are', async () => {
  await begin()
  const [shop = 0] = await makeShops(server.context, tenant, 1)
  await tenant.ask('POST', '/webhooks', { url: receiver.url, events: ['attention.opened', 'attention.closed'] })
  await breakShops(server.context, [shop])
  await look(server.context)
  await repairShops(server.context, [shop])
  await look(server.context)
  const mine = () => receiver.received.filter(({ event }) => event.data?.['app_id'] === tenant.appId)
  await expect.poll(() => mine().map(({ event }) => event.type)).toEqual(['attention.opened', 'attention.closed'])
  expect(mine()[0]?.event.data).toMatchObject({ kind: 'integration_error', integration_id: shop, closed_at: null })
  expect(mine()[0]?.headers['webhook-signature']).toMatch(/^v1,/)
})

test('500 causes at once are one letter, which names the first and counts the rest', async () => {
  await begin()
  await tenant.channel({ type: 'email', address: tenant.email })
  const shops = await makeShops(server.context, tenant, 500)
  await breakShops(server.context, shops)
  await look(server.context)
  await hurry(server.context)
  await expect.poll(() => lettersTo(tenant.email).length).toBe(1)
  const [letter] = lettersTo(tenant.email)
  expect(letter?.source).toMatch(/Subject: \[.*\] 500 alerts, 500 critical/)
  expect(letter?.source).toContain('And 480 more: shops in error (480).')
  await repairShops(server.context, shops)
  await look(server.context)
  await hurry(server.context)
  await expect.poll(() => lettersTo(tenant.email).length).toBe(2)
  expect(lettersTo(tenant.email)[1]?.source).toMatch(/Subject: \[.*\] 500 alerts resolved/)
})

test('what is over before anybody was told is told to nobody', async () => {
  await begin()
  const [shop = 0] = await makeShops(server.context, tenant, 1)
  await tenant.channel({ type: 'slack', address: receiver.url })
  const before = receiver.received.length
  // By hand, in one transaction of the clock: nothing goes out in between.
  await breakShops(server.context, [shop])
  await look(server.context)
  await sql`update alert_notifications set due_at = now() + interval '1 hour' where state = 'collecting'`.execute(
    server.context.db,
  )
  await repairShops(server.context, [shop])
  await look(server.context)
  await hurry(server.context)
  const { rows } = await sql`
    select n.id from alert_notifications n join alert_channels c on c.id = n.channel_id
    where c.app_id = ${tenant.appId}`.execute(server.context.db)
  expect(rows).toEqual([])
  expect(receiver.received.length).toBe(before)
})

test('what is over at the moment at which it goes out is not told without its end', async () => {
  await begin()
  const { context } = server
  const [shop = 0] = await makeShops(context, tenant, 1)
  const channel = { type: 'pagerduty', address: 'R0ut1ngKey-of-this-test-0000003', url: `${receiver.url}/crossed` }
  const id = await tenant.channel(channel)
  await breakShops(context, [shop])
  await look(context)
  await sql`update alert_notifications set due_at = now() + interval '1 hour' where channel_id = ${id}`.execute(
    context.db,
  )
  await repairShops(context, [shop])
  const isGoingOut = async () => {
    const { rows } = await sql`
      select from alert_notifications where channel_id = ${id} and state = 'sending'`.execute(context.db)
    return rows.length > 0
  }
  const results = await justBefore(context, look, async () => {
    await hurry(context)
    await expect.poll(isGoingOut).toBe(false)
  })
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(receiver.received.filter(({ path }) => path === '/hook/crossed')).toEqual([])
})

describe('a chat as Slack has it', () => {
  test('gets a text with links, in which names of shops are no signs of its own', async () => {
    await begin()
    const shops = await makeShops(server.context, tenant, 2)
    await sql`update integrations set name = '<!channel> & <https://evil.example|x>' where id = ${shops[0] ?? 0}`.execute(
      server.context.db,
    )
    await tenant.channel({ type: 'slack', address: `${receiver.url}/T0/B0/secret` })
    await breakShops(server.context, shops)
    await look(server.context)
    await hurry(server.context)
    const mine = () => receiver.received.filter(({ path }) => path === '/hook/T0/B0/secret')
    await expect.poll(() => mine().length).toBe(1)
    const [hook] = mine()
    const { text, ...rest } = JSON.parse(hook?.body ?? '{}')
    expect(rest).toEqual({})
    expect(hook?.headers['content-type']).toBe('application/json')
    expect(text).toContain('&lt;!channel&gt; &amp; &lt;https://evil.example|x&gt;')
    expect(text).not.toContain('<!channel>')
    expect(text).toMatch(/<https:\/\/entrepot\.test\/console\/apps\/\d+\/alerts\|Open the alerts>/)
  })

  test('that refuses is shown so, with its words and without its address', async () => {
    await begin()
    const id = await tenant.channel({ type: 'slack', address: `${receiver.url}/T0/B0/secret2` })
    receiver.answer(() => ({ status: 403, body: 'invalid_token' }))
    const tried = await tenant.ask('POST', `/alert-channels/${id}/test`)
    expect(tried.json['data']).toEqual({ delivered: false, status: null, said: 'It answered 403: invalid_token.' })
    const shown = await tenant.ask('GET', `/alert-channels/${id}`)
    expect(shown.json['data']).toMatchObject({
      last_error: 'It answered 403: invalid_token.',
      failing_since: expect.any(String),
      hint: expect.stringMatching(/^127\.0\.0\.1/),
    })
    expect(shown.text).not.toContain('secret2')
    receiver.answer(() => ({ status: 200, body: 'ok' }))
    const again = await tenant.ask('POST', `/alert-channels/${id}/test`)
    expect(again.json['data']).toEqual({ delivered: true, status: 200, said: 'ok' })
  })
})

test('a pager gets one trigger for the group and one resolve when all of it is over, under the same key', async () => {
  await begin()
  const shops = await makeShops(server.context, tenant, 2)
  const address = 'R0ut1ngKey-of-this-test-0000000'
  await tenant.channel({ type: 'pagerduty', address, url: `${receiver.url}/enqueue` })
  receiver.answer(() => ({ status: 202, body: '{"status":"success","message":"Event processed"}' }))
  await breakShops(server.context, shops)
  await look(server.context)
  await hurry(server.context)
  const mine = () =>
    receiver.received.filter(({ path }) => path === '/hook/enqueue').map(({ body }) => JSON.parse(body))
  await expect.poll(() => mine().length).toBe(1)
  const [trigger] = mine()
  expect(trigger).toMatchObject({
    routing_key: address,
    event_action: 'trigger',
    dedup_key: expect.stringMatching(/^entrepot-[0-9a-f-]{36}$/),
    payload: {
      summary: expect.stringContaining('2 alerts, 2 critical'),
      source: 'entrepot.test',
      severity: 'critical',
      custom_details: { count: 2 },
    },
  })
  expect(trigger.payload.summary.length).toBeLessThanOrEqual(1024)
  await repairShops(server.context, shops.slice(0, 1))
  await look(server.context)
  await hurry(server.context)
  await repairShops(server.context, shops)
  await look(server.context)
  await hurry(server.context)
  await expect.poll(() => mine().length).toBe(2)
  expect(mine()[1]).toEqual({ routing_key: address, event_action: 'resolve', dedup_key: trigger.dedup_key })
})

test('what was muted since is over for the pager that it has triggered, and is told to nobody else', async () => {
  await begin()
  const [shop = 0] = await makeShops(server.context, tenant, 1)
  const address = 'R0ut1ngKey-of-this-test-0000001'
  await tenant.channel({ type: 'pagerduty', address, url: `${receiver.url}/muted` })
  await tenant.channel({ type: 'email', address: tenant.email })
  receiver.answer(() => ({ status: 202, body: '{"status":"success","message":"Event processed"}' }))
  const mine = () => receiver.received.filter(({ path }) => path === '/hook/muted').map(({ body }) => JSON.parse(body))
  await breakShops(server.context, [shop])
  await look(server.context)
  await hurry(server.context)
  await expect.poll(() => [mine().length, lettersTo(tenant.email).length]).toEqual([1, 1])
  const [alert] = await openAlerts(tenant)
  expect((await tenant.ask('POST', `/alerts/${alert?.['id']}/mute`, { muted: true })).status).toBeLessThan(300)
  await repairShops(server.context, [shop])
  await look(server.context)
  await hurry(server.context)
  await expect.poll(mine).toMatchObject([{}, { event_action: 'resolve', dedup_key: mine()[0].dedup_key }])
  const { rows } = await sql`select from alert_notifications n join alert_channels c on c.id = n.channel_id
    where c.app_id = ${tenant.appId} and c.type = 'email'`.execute(server.context.db)
  expect(rows).toHaveLength(1)
})

describe('a message to a pager that had to wait', () => {
  /** Two shops break while the pager is away; what it hears of what follows. */
  const breakWhileAway = async (path: string) => {
    await begin()
    const shops = await makeShops(server.context, tenant, 2)
    const channel = { type: 'pagerduty', address: 'R0ut1ngKey-of-this-test-0000002' }
    const id = await tenant.channel({ ...channel, url: `${receiver.url}${path}` })
    const statesOf = async () => {
      const { rows } = await sql<{ state: string }>`
        select state from alert_notifications where channel_id = ${id} order by id`.execute(server.context.db)
      return rows.map(({ state }) => state)
    }
    const attempts = () => receiver.received.filter((hook) => hook.path === `/hook${path}`)
    receiver.answer(() => ({ status: 503 }))
    await breakShops(server.context, shops)
    await look(server.context)
    await hurry(server.context)
    await expect.poll(() => attempts().length).toBe(1)
    await expect.poll(() => shownError(id)).toBe('It answered 503.')
    const taken: object[] = []
    receiver.answer(({ body }) => {
      const { event_action: says, payload } = JSON.parse(body)
      taken.push({ says, count: payload?.custom_details.count })
      return { status: 202 }
    })
    return {
      taken,
      shops,
      async repair(some: readonly number[]) {
        await repairShops(server.context, some)
        await look(server.context)
        await hurry(server.context)
        await expect.poll(async () => (await statesOf()).at(-1)).toBe('sent')
      },
      async tryAgain() {
        const { db } = server.context
        await sql`update pgboss.job set start_after = now() where name = 'send-alert' and state = 'retry'`.execute(db)
        await expect.poll(async () => (await statesOf())[0]).toBe('sent')
      },
    }
  }
  const shownError = async (id: number) => {
    const { json } = await tenant.ask('GET', `/alert-channels/${id}`)
    return (json['data'] as { last_error: string | null }).last_error
  }

  test('does not bring up again what is over by now', async () => {
    const { taken, shops, repair, tryAgain } = await breakWhileAway('/over')
    await repair(shops)
    await tryAgain()
    expect(taken).toEqual([{ says: 'resolve' }])
  })

  test('tells what is left of it', async () => {
    const { taken, shops, repair, tryAgain } = await breakWhileAway('/left')
    await repair(shops.slice(0, 1))
    await tryAgain()
    await repair(shops)
    expect(taken).toEqual([{ says: 'trigger', count: 1 }, { says: 'resolve' }])
  })
})
