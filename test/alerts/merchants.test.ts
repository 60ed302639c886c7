import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeIntegration } from '../support/gateway.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { type AlertedTenant, breakShops, look, makeAlerted } from './support.ts'

/** Merchants hear of what is wrong with their shops in the words of their app, if both of them want that. */

let mail: MailServer
let server: TestServer
let tenant: AlertedTenant
let shops: number[]
beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ works: true, mail: { url: mail.url, from: 'entrepot@example.com' } })
  tenant = await makeAlerted(server)
  const { appId, accountId } = tenant
  const make = async () => (await makeIntegration(server.context, { appId, accountId })).integration.id
  shops = [await make(), await make(), await make()]
  await sql`update accounts set email = 'merchant@example.com', name = '{app} <b>Ada</b>' where id = ${accountId}`.execute(
    server.context.db,
  )
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const letters = () => mail.received.filter(({ to }) => to.includes('merchant@example.com'))
const asApp = (method: string, body?: object) =>
  server.call(method, `/api/2.0/app/accounts/${tenant.remoteId}/alert-letters`, { token: tenant.appToken, body })

test('a template takes the names that something stands for, and shows how it will look', async () => {
  const refused = await tenant.ask('PUT', '/alert-letter', { body: 'Dear {customer}' })
  expect(refused.json['errors']).toEqual({ body: ['Nothing stands for {customer}.'] })
  const shown = await tenant.ask('POST', '/alert-letter/preview', { subject: '{shops} <needs> you' })
  expect(shown.json['data']).toMatchObject({ subject: 'Atelier Nord <needs> you' })
  expect((await tenant.ask('GET', '/alert-letter')).json['data']).toMatchObject({ active: false })
})

test('a merchant who has agreed gets one letter about all shops, until the merchant ends it', async () => {
  const [first = 0, second = 0, third = 0] = shops
  const template = { active: true, subject: 'Shops: {shops}', body: 'Hello {merchant},\n\n{problems}' }
  expect((await tenant.ask('PUT', '/alert-letter', template)).status).toBe(200)
  expect((await asApp('GET')).json['data']).toEqual({ active: false })
  await breakShops(server.context, [first])
  await look(server.context)
  expect((await asApp('PUT', { active: true })).json['data']).toEqual({ active: true })

  await breakShops(server.context, [second, third])
  await look(server.context)
  await expect.poll(() => letters().length).toBe(1)
  const source = letters()[0]?.source ?? ''
  expect(source).toContain('Hello {app} <b>Ada</b>,')
  expect(source).toContain('Hello {app} &lt;b&gt;Ada&lt;/b&gt;,')
  expect(source.match(/rejected our credentials/g)?.length).toBe(4)

  const [, end = ''] = /No more of these letters: (\S+)/.exec(source) ?? []
  expect((await server.call('POST', end.replace('https://entrepot.test', ''))).status).toBe(200)
  expect((await asApp('GET')).json['data']).toEqual({ active: false })
})
