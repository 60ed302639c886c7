import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { User } from '../../src/domain/users/user.ts'
import { makeColleague } from '../support/colleague.ts'
import { type Credentials, logIn, makeClient, makeCompany, makeUser, password } from '../support/identity.ts'
import { linkIn, type MailServer, startMailServer } from '../support/mail-server.ts'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'
import { watchStatements } from '../support/watch-statements.ts'

/** How somebody who has forgotten the password gets a new one, and nobody else does. */

let mail: MailServer
let server: TestServer
/** Another process beside it, without a mail server. */
let silent: TestServer
let client: Credentials
let tenant: TestTenant
const watch = watchStatements()

beforeAll(async () => {
  mail = await startMailServer()
  const settings = { url: mail.url, from: 'entrepot@example.com' }
  server = await startTestServer({ works: true, mail: settings, trustProxy: ['127.0.0.1'] })
  silent = await startTestServer({ databaseUrl: server.databaseUrl })
  client = await makeClient(server.context, { grant_types: ['password', 'refresh_token'] })
  tenant = await makeTenant(server.context)
})
beforeEach(() => {
  mail.received.length = 0
})
afterAll(async () => {
  watch.stop()
  await silent.close()
  await server.close()
  await mail.close()
})

let address = 0
const nextAddress = () => `198.51.100.${++address}`
const ask = (email: string, from = nextAddress(), at = server) =>
  at.call('POST', '/console/forgotten-password', { body: { email }, headers: { 'x-forwarded-for': from } })
const choose = (token: string, wanted: string, at = server) =>
  at.call('POST', '/console/new-password/choose', { body: { token, password: wanted } })
const look = (token: string) => server.call('POST', '/console/new-password', { body: { token } })
const secretIn = (url: unknown) => String(url).split('#')[1] ?? ''
const dataOf = (answer: { json: Record<string, unknown> }) => answer.json['data'] as Record<string, unknown>
const lettersTo = (email: string) => mail.received.filter(({ to }) => to.includes(email))

async function linkFor({ email }: Pick<User, 'email'>): Promise<string> {
  expect((await ask(email)).status).toBe(200)
  await expect.poll(() => lettersTo(email).length).toBeGreaterThan(0)
  return lettersTo(email).map(linkIn).map(secretIn).at(-1) ?? ''
}

describe('a link by mail', () => {
  test('sets a new password once, ends all sessions and tokens in every process, and tells the person', async () => {
    const user = await makeUser(server.context)
    const { access_token: token } = await logIn(server.context, client, user)
    const asked = (at: TestServer) => at.call('GET', '/api/1.0/users/information', { token })
    expect([(await asked(server)).status, (await asked(silent)).status]).toEqual([200, 200])
    const secret = await linkFor(user)
    expect(dataOf(await look(secret))).toEqual({ email: user.email })

    expect((await choose(secret, 'another correct horse')).status).toBe(200)
    expect((await choose(secret, 'a third correct horse')).status).toBe(404)
    expect((await look(secret)).status).toBe(404)
    for (const at of [server, silent]) await expect.poll(async () => (await asked(at)).status).toBe(401)
    await expect(logIn(server.context, client, user)).rejects.toMatchObject({ kind: 'oauth' })
    const told = () => lettersTo(user.email).filter(({ source }) => source.includes('Your password was changed'))
    await expect.poll(() => told().length).toBe(1)
  })

  test('is good for one of two who use it at the same time', async () => {
    const secret = await linkFor(await makeUser(server.context))
    const answers = await Promise.all(['one correct horse', 'two correct horses'].map((one) => choose(secret, one)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('does not take a password that is easy to guess, and stays good', async () => {
    const secret = await linkFor(await makeUser(server.context))
    expect((await choose(secret, '12345678')).status).toBe(422)
    expect((await look(secret)).status).toBe(200)
  })

  test('runs out, and is void once the password or the address is another', async () => {
    const { context } = server
    const expired = await makeUser(context)
    const old = await linkFor(expired)
    await sql`update password_resets set expires_at = now() where user_id = ${expired.id}`.execute(context.db)
    expect((await choose(old, 'another correct horse')).status).toBe(404)

    const owner = await makeColleague(context, tenant, { role: 'owner' })
    for (const changes of [{ email: 'moved@example.com' }, { password: 'another correct horse' }, { active: false }]) {
      const user = await makeUser(context, { company_id: tenant.companyId })
      const secret = await linkFor(user)
      const path = `/api/1.0/users/${user.id}`
      expect((await server.call('PUT', path, { token: owner.token, body: changes })).status).toBe(200)
      expect((await look(secret)).status).toBe(404)
    }
  })

  test('is kept as what recognises it', async () => {
    const secret = await linkFor(await makeUser(server.context))
    const { rows } = await sql<{ row: string }>`select password_resets::text as row from password_resets`.execute(
      server.context.db,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { row } of rows) {
      expect(row).not.toContain(secret)
      expect(row).not.toContain(Buffer.from(secret).toString('hex'))
    }
  })

  test('goes to the address of the user, however it was spelled', async () => {
    const user = await makeUser(server.context, { email: 'bird.in.ivy@example.com' })
    await ask('BIRD.İN.İVY@example.com')
    await ask('Bird.In.Ivy@example.com')
    await expect.poll(() => lettersTo(user.email).length).toBeGreaterThan(0)
    expect(mail.received.flatMap(({ to }) => to).filter((to) => to !== user.email)).toEqual([])
  })
})

describe('a stranger', () => {
  test('is answered alike, by the same statements, whether there is such a user or not', async () => {
    const user = await makeUser(server.context)
    const seen = async (email: string, at: TestServer) => {
      const { statements, result } = await watch.during(() => ask(email, nextAddress(), at))
      return { status: result.status, body: result.json, statements }
    }
    for (const [at, by_mail] of [
      [server, true],
      [silent, false],
    ] as const) {
      const known = await seen(user.email, at)
      expect(known).toMatchObject({ status: 200, body: { data: { by_mail } } })
      expect(await seen(`nobody-${by_mail}@example.com`, at)).toEqual(known)
    }
  })

  test('asks five times in half an hour for one user, and twenty times for all, from one network', async () => {
    const statuses = async (emails: readonly string[], from: string) => {
      const all = []
      for (const email of emails) all.push((await ask(email, from)).status)
      return all
    }
    const same = Array.from({ length: 6 }, () => 'same@example.com')
    expect(await statuses(same, '203.0.113.5')).toEqual([200, 200, 200, 200, 200, 429])
    const many = Array.from({ length: 21 }, (_, n) => `guess-${n}@example.com`)
    expect((await statuses(many, '203.0.113.6')).at(-1)).toBe(429)
    expect((await ask('same@example.com', '203.0.113.7')).status).toBe(200)
  })

  test('fills nobody’s mailbox from many networks, and keeps nobody from a link that is good', async () => {
    const user = await makeUser(server.context)
    for (let n = 0; n < 12; n++) expect((await ask(user.email)).status).toBe(200)
    await expect.poll(() => lettersTo(user.email).length).toBe(10)
    const newest = lettersTo(user.email).map(linkIn).map(secretIn)
    for (const secret of newest) expect((await look(secret)).status).toBe(200)
  })
})

describe('a link for a colleague', () => {
  const make = (token: string, userId: number, at = server) =>
    at.call('POST', `/api/2.0/user/users/${userId}/password-link`, { token })

  test('is made by an owner or admin, shown once, sent, and in the audit trail', async () => {
    const { context } = server
    const admin = await makeColleague(context, tenant, { role: 'admin' })
    const user = await makeUser(context, { company_id: tenant.companyId })
    const answer = await make(admin.token, user.id)
    expect([answer.status, dataOf(answer)['mailed']]).toEqual([201, true])
    await expect.poll(() => lettersTo(user.email).map(linkIn)).toEqual([dataOf(answer)['url']])
    const { rows } = await sql<{ kind: string; record_id: string }>`
      select kind, record_id from audit_entries where user_id = ${admin.userId}`.execute(context.db)
    expect(rows).toEqual([{ kind: 'secret', record_id: String(user.id) }])
    const again = dataOf(await make(admin.token, user.id, silent))
    expect(again['mailed']).toBe(false)
    expect((await choose(secretIn(dataOf(answer)['url']), 'another correct horse')).status).toBe(404)
    expect((await choose(secretIn(again['url']), 'another correct horse')).status).toBe(200)
  })

  test('is not made for somebody who may more, for oneself, by others, or in another company', async () => {
    const { context } = server
    const [owner, admin, operator] = [
      await makeColleague(context, tenant, { role: 'owner' }),
      await makeColleague(context, tenant, { role: 'admin' }),
      await makeColleague(context, tenant, { role: 'operator' }),
    ]
    const stranger = await makeColleague(
      context,
      { ...tenant, companyId: await makeCompany(context) },
      { role: 'owner' },
    )
    expect((await make(admin.token, owner.userId)).status).toBe(403)
    expect((await make(admin.token, admin.userId)).status).toBe(422)
    expect((await make(operator.token, admin.userId)).status).toBe(403)
    expect((await make(stranger.token, admin.userId)).status).toBe(403)
  })

  test('is no longer good once whoever made it has left', async () => {
    const { context } = server
    const owner = await makeColleague(context, tenant, { role: 'owner' })
    const admin = await makeColleague(context, tenant, { role: 'admin' })
    const user = await makeUser(context, { company_id: tenant.companyId })
    const secret = secretIn(dataOf(await make(admin.token, user.id))['url'])
    expect((await look(secret)).status).toBe(200)
    const path = `/api/1.0/users/${admin.userId}`
    expect((await server.call('PUT', path, { token: owner.token, body: { active: false } })).status).toBe(200)
    expect((await look(secret)).status).toBe(404)
  })
})

test('whoever changes the own password is told', async () => {
  const user = await makeUser(server.context)
  const { access_token: token } = await logIn(server.context, client, user)
  const body = { current_password: password, password: 'another correct horse' }
  expect((await server.call('PUT', '/api/2.0/user/password', { token, body })).status).toBe(204)
  await expect.poll(() => lettersTo(user.email).length).toBe(1)
})
