import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { linkFor, mailboxOf } from '../../src/domain/alerts/sending/link.ts'
import { makeColleague } from '../support/colleague.ts'
import { linkIn, type MailServer, startMailServer } from '../support/mail-server.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type AlertedTenant, breakShops, hurry, look, makeAlerted, makeShops } from './support.ts'

/** Who may be told, and what a link in a message does. In production: nothing private may be reached. */

let mail: MailServer
let server: TestServer
let tenant: AlertedTenant
beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ works: true, mail: { url: mail.url, from: 'entrepot@example.com' } })
  tenant = await makeAlerted(server)
})
afterAll(async () => {
  await server.close()
  await mail.close()
})
const lettersTo = (email: string) => mail.received.filter(({ to }) => to.includes(email))
const pathOf = (url: string) => url.replace('https://entrepot.test', '')
const dataOf = ({ json }: { json: Record<string, unknown> }) => json['data'] as Record<string, unknown>

describe('an address', () => {
  test.each([
    ['slack', 'http://127.0.0.1:9/hook'],
    ['slack', 'https://localhost/hook'],
    ['slack', 'https://169.254.169.254/latest/meta-data'],
    ['slack', 'https://[::1]/hook'],
    ['slack', 'file:///etc/passwd'],
    ['slack', 'hooks.slack.com'],
    ['email', 'nobody'],
    ['email', 'ada@example.com, eve@example.net'],
    ['pagerduty', 'a key with spaces'],
  ])('of %s that is private or none is refused: %s', async (type, address) => {
    const { status, json } = await tenant.ask('POST', '/alert-channels', { type, name: 'Hostile', address })
    expect([status, Object.keys(json['errors'] ?? {})]).toEqual([422, ['address']])
  })

  test('of a pager may name another service, which is not private either', async () => {
    const body = { type: 'pagerduty', name: 'Pager', address: 'routing-key-1', url: 'https://10.0.0.1/v2/enqueue' }
    expect((await tenant.ask('POST', '/alert-channels', body)).json['errors']).toHaveProperty('url')
  })

  test('is sealed, and neither shown nor in the audit trail', async () => {
    const secret = 'https://hooks.example.com/services/T0/B0/very-secret'
    const id = await tenant.channel({ type: 'slack', address: secret })
    const { rows } = await sql<{ text: string }>`
      select c::text as text from alert_channels c where id = ${id}
      union all select e::text from audit_entries e where e.app_id = ${tenant.appId}`.execute(server.context.db)
    expect(rows.length).toBeGreaterThan(1)
    for (const { text } of rows) expect(text).not.toContain('very-secret')
    for (const path of ['/alert-channels', `/alert-channels/${id}`]) {
      const answer = await tenant.ask('GET', path)
      expect(answer.text).toContain('hooks.example.com')
      expect(answer.text).not.toContain('very-secret')
    }
    await tenant.ask('DELETE', `/alert-channels/${id}`)
    const { rows: left } = await sql<{ address: Buffer }>`
      select address from alert_channels where id = ${id}`.execute(server.context.db)
    expect(left[0]?.address.length).toBe(0)
  })
})

test('quiet hours have a beginning and an end', async () => {
  const body = { type: 'pagerduty', name: 'Pager', address: 'routing-key-1', quiet_from: '22:00' }
  expect((await tenant.ask('POST', '/alert-channels', body)).json['errors']).toHaveProperty('quiet_to')
  const odd = await tenant.ask('POST', '/alert-channels', { ...body, quiet_from: '25:00', quiet_to: '07:00' })
  expect(odd.json['errors']).toHaveProperty('quiet_from')
})

test('somebody else’s mailbox hears nothing before they have agreed, and nothing after they have had enough', async () => {
  const own = await makeAlerted(server)
  const [first = 0, second = 0, third = 0] = await makeShops(server.context, own, 3)
  const id = await own.channel({ type: 'email', address: 'grace@example.com' })
  expect(dataOf(await own.ask('GET', `/alert-channels/${id}`))['confirmed_at']).toBeNull()
  await expect.poll(() => lettersTo('grace@example.com').length).toBe(1)
  await breakShops(server.context, [first])
  await look(server.context)
  const [asked] = lettersTo('grace@example.com')
  const confirm = pathOf(asked ? linkIn(asked) : '')

  const page = await server.call('GET', confirm)
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('grace@example.com')])
  expect(dataOf(await own.ask('GET', `/alert-channels/${id}`))['confirmed_at']).toBeNull()
  expect((await server.call('POST', confirm)).status).toBe(200)

  await breakShops(server.context, [second])
  await look(server.context)
  await hurry(server.context)
  await expect.poll(() => lettersTo('grace@example.com').length).toBe(2)
  const told = lettersTo('grace@example.com')[1]
  const [, stop = ''] = /^List-Unsubscribe: <(\S+)>/im.exec(told?.source.replace(/\r\n[ \t]+/g, ' ') ?? '') ?? []
  expect(told?.source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/im)
  expect((await server.call('POST', pathOf(stop))).status).toBe(200)
  expect(dataOf(await own.ask('GET', `/alert-channels/${id}`))['active']).toBe(false)
  await breakShops(server.context, [third])
  await look(server.context)
  await hurry(server.context)
  expect(lettersTo('grace@example.com')).toHaveLength(2)
})

test('what was agreed to, or ended, for one mailbox says nothing for the one that a channel goes to next', async () => {
  const own = await makeAlerted(server)
  const id = await own.channel({ type: 'email', address: 'before@example.com' })
  const channel = async () => dataOf(await own.ask('GET', `/alert-channels/${id}`))
  await expect.poll(() => lettersTo('before@example.com').length).toBe(1)
  const [asked] = lettersTo('before@example.com')
  const confirm = pathOf(asked ? linkIn(asked) : '')
  const stop = pathOf(linkFor(server.context, { does: 'stop', channel: id, mailbox: mailboxOf('before@example.com') }))
  expect((await server.call('POST', confirm)).status).toBe(200)
  expect(await channel()).toMatchObject({ confirmed_at: expect.any(String), active: true })
  await own.ask('PUT', `/alert-channels/${id}`, { address: 'after@example.com' })
  expect(await channel()).toMatchObject({ confirmed_at: null, active: true })
  for (const link of [confirm, stop]) {
    const page = await server.call('GET', link)
    expect([page.status, page.text]).toEqual([401, expect.not.stringContaining('after@example.com')])
    expect((await server.call('POST', link)).status).toBe(401)
  }
  expect(await channel()).toMatchObject({ confirmed_at: null, active: true })
})

describe('a mute', () => {
  test('by the link in the letter holds for its causes, and only once its button is pressed', async () => {
    const own = await makeAlerted(server)
    const [shop = 0] = await makeShops(server.context, own, 1)
    await own.channel({ type: 'email', address: own.email })
    await breakShops(server.context, [shop])
    await look(server.context)
    await hurry(server.context)
    await expect.poll(() => lettersTo(own.email).length).toBe(1)
    const [, mute = ''] = /Mute these for a day: (\S+)/.exec(lettersTo(own.email)[0]?.source ?? '') ?? []
    const mutedUntil = async () => {
      const alerts = dataOf(await own.ask('GET', '/alerts?filter[open]=1')) as unknown as {
        muted_until: string | null
      }[]
      return alerts[0]?.muted_until
    }
    expect((await server.call('GET', pathOf(mute))).text).toContain('Mute for a day')
    expect(await mutedUntil()).toBeNull()
    expect((await server.call('POST', pathOf(mute))).status).toBe(200)
    expect(await mutedUntil()).toEqual(expect.any(String))
  })

  test('by a link that has expired, was changed or is none does nothing', async () => {
    const { context } = server
    const good = linkFor(context, { does: 'mute', notification: 1 })
    const old = linkFor(context, { does: 'mute', notification: 1 }, Date.now() - 8 * 86_400_000)
    const bent = `${good.slice(0, -2)}${good.endsWith('AA') ? 'BB' : 'AA'}`
    for (const url of [old, bent, `${context.publicUrl}/api/2.0/alerts/links/none`]) {
      expect((await server.call('GET', pathOf(url))).status).toBe(401)
      expect((await server.call('POST', pathOf(url))).status).toBe(401)
    }
  })
})

test('nobody but the tenant sees alerts and channels, and whoever may only read changes nothing', async () => {
  const [shop = 0] = await makeShops(server.context, tenant, 1)
  await breakShops(server.context, [shop])
  await look(server.context)
  const alerts = dataOf(await tenant.ask('GET', '/alerts')) as unknown as { id: number }[]
  const id = alerts[0]?.id ?? 0
  const stranger = await makeAlerted(server)
  expect((await stranger.ask('GET', `/alerts/${id}`)).status).toBe(404)
  const asStranger = { token: stranger.userToken }
  const path = `/api/2.0/user/apps/${tenant.appId}`
  expect((await server.call('GET', `${path}/alerts`, asStranger)).status).toBe(403)
  expect((await server.call('GET', `/api/2.0/app/alerts/${id}`, { token: stranger.appToken })).status).toBe(404)
  const reader = { token: (await makeColleague(server.context, tenant, { role: 'support' })).token }
  expect((await server.call('GET', `${path}/alerts`, reader)).status).toBe(200)
  expect((await server.call('POST', `${path}/alerts/${id}/acknowledge`, reader)).status).toBe(403)
  const body = { type: 'pagerduty', name: 'Pager', address: 'routing-key-1' }
  expect((await server.call('POST', `${path}/alert-channels`, { ...reader, body })).status).toBe(403)
  const rule = { ...reader, body: { active: false } }
  expect((await server.call('PUT', `${path}/alert-rules/run_failed`, rule)).status).toBe(403)
})
