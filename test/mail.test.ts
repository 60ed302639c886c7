import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeColleague } from './support/colleague.ts'
import { linkIn, type MailServer, startMailServer } from './support/mail-server.ts'
import { makeTenant, startTestServer, type TestServer } from './support/server.ts'

/** Letters to people: invitations, with a mail server and without one. */

let mail: MailServer
let server: TestServer
let owner: Awaited<ReturnType<typeof makeColleague>>
beforeAll(async () => {
  mail = await startMailServer()
  server = await startTestServer({ works: true, mail: { url: mail.url, from: 'entrepot@example.com' } })
  owner = await makeColleague(server.context, await makeTenant(server.context), { role: 'owner' })
})
afterAll(async () => {
  await server.close()
  await mail.close()
})

const invite = (email: string, at = server) =>
  at.call('POST', '/api/2.0/user/invitations', { token: owner.token, body: { email, role: 'support' } })
const dataOf = (answer: { json: Record<string, unknown> }) => answer.json['data'] as Record<string, unknown>
const lettersTo = (email: string) => mail.received.filter(({ to }) => to.includes(email))

test('an invitation arrives with its link, which is also shown', async () => {
  const { url, mailed } = dataOf(await invite('grace@example.com'))
  expect(mailed).toBe(true)
  await expect.poll(() => lettersTo('grace@example.com').map(linkIn)).toEqual([url])
})

test('a letter waits in the queue without anybody being able to read its link', async () => {
  const idle = await startTestServer({
    databaseUrl: server.databaseUrl,
    mail: { url: mail.url, from: 'entrepot@example.com' },
  })
  mail.refusal = { code: 451, text: 'Later' }
  const { url } = dataOf(await invite('hidden@example.com', idle))
  const { rows } = await sql<{ data: string }>`
    select data::text as data from pgboss.job where name = 'send-mail'`.execute(idle.context.db)
  expect(rows.length).toBeGreaterThan(0)
  for (const { data } of rows) {
    expect(data).not.toContain('hidden@example.com')
    expect(data).not.toContain(String(url).split('#')[1])
  }
  mail.refusal = null
  await idle.close()
})

test('one address gets three letters of a company in a day; further links are handed over', async () => {
  const mailed = []
  for (let n = 0; n < 4; n++) mailed.push(dataOf(await invite('much@example.com'))['mailed'])
  expect(mailed).toEqual([true, true, true, false])
})

test('without a mail server the link is all there is', async () => {
  const silent = await startTestServer({ databaseUrl: server.databaseUrl })
  const answer = dataOf(await invite('linked@example.com', silent))
  expect(answer).toMatchObject({ mailed: false, url: expect.stringContaining('/console/invitation#') })
  await silent.close()
})
