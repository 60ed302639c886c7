import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totpPlace } from '../../src/domain/oauth/second-factor/second-factor-store.ts'
import type { User } from '../../src/domain/users/user.ts'
import { open } from '../../src/lib/secret-box.ts'
import { type Authenticator, authenticator } from '../support/authenticator.ts'
import { makeColleague, makeSession } from '../support/colleague.ts'
import { askToken, type Credentials, faultOf, logIn, makeClient, makeUser, password } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer
let client: Credentials

beforeAll(async () => {
  server = await startTestServer()
  client = await makeClient(server.context, { grant_types: ['password', 'refresh_token'] })
})
afterAll(() => server.close())

const ours = { 'x-entrepot-console': '1' }
type Headers = Record<string, string>

const post = (path: string, body: unknown, headers: Headers = {}) =>
  server.call('POST', path, { body, headers: { ...ours, ...headers } })
const begin = ({ email }: Pick<User, 'email'>) => post('/console/session', { email, password })
const cookieOf = ({ headers }: { headers: Record<string, unknown> }): Headers => ({
  ...ours,
  cookie: String(headers['set-cookie']).split(';')[0] ?? '',
})
const whoAmI = async (headers: Headers) => (await server.call('GET', '/console/session', { headers })).status
const dataOf = <T>({ json }: { json: Record<string, unknown> }) => json['data'] as T

async function ticketOf(user: Pick<User, 'email'>): Promise<string> {
  const answer = await begin(user)
  expect([answer.status, answer.headers['set-cookie']]).toEqual([202, undefined])
  return dataOf<{ ticket: string }>(answer).ticket
}

const finish = (ticket: string, code: string) => post('/console/session/second-step', { ticket, code })

interface Enrolled {
  user: User
  session: Headers
  app: Authenticator
  recoveryCodes: string[]
}

/** The code that confirmed it counts as unused, so that nobody waits for the next. */
async function enrolled(input: Parameters<typeof makeUser>[1] = {}): Promise<Enrolled> {
  const user = await makeUser(server.context, input)
  const session = { ...ours, cookie: await makeSession(server.context, user.id) }
  const begun = await post('/api/2.0/user/second-factor/totp', { current_password: password }, session)
  expect(begun.status).toBe(201)
  const app = authenticator(dataOf<{ secret: string }>(begun).secret)
  const confirmed = await post('/api/2.0/user/second-factor/totp/confirm', { code: app.code() }, session)
  expect(confirmed.status).toBe(200)
  await server.context.db.updateTable('totp_secrets').set({ last_step: null }).where('user_id', '=', user.id).execute()
  const { recovery_codes: recoveryCodes } = dataOf<{ recovery_codes: string[] }>(confirmed)
  return { user, session, app, recoveryCodes }
}

describe('setting an authenticator app up', () => {
  test('takes the password, and a code of the app before anything is asked for', async () => {
    const user = await makeUser(server.context)
    const session = { ...ours, cookie: await makeSession(server.context, user.id) }
    const start = (current_password: string) => post('/api/2.0/user/second-factor/totp', { current_password }, session)
    expect((await start('wrong')).json['errors']).toEqual({ current_password: ['The password is incorrect.'] })
    const begun = dataOf<{ secret: string; uri: string }>(await start(password))
    expect(begun.uri).toContain(`secret=${begun.secret}`)
    expect(begun.uri).toContain(encodeURIComponent(user.email))
    expect((await begin(user)).status).toBe(204)
    const app = authenticator(begun.secret)
    const confirm = (code: string) => post('/api/2.0/user/second-factor/totp/confirm', { code }, session)
    expect((await confirm(app.wrong())).status).toBe(422)
    const codes = dataOf<{ recovery_codes: string[] }>(await confirm(app.code())).recovery_codes
    expect(new Set(codes).size).toBe(10)
    expect((await begin(user)).status).toBe(202)
    expect((await start(password)).status).toBe(422)
    const state = await server.call('GET', '/api/2.0/user/second-factor', { headers: session })
    expect(dataOf(state)).toMatchObject({ totp_since: expect.any(String), recovery_codes_left: 10, required: false })
  })

  test('seals the secret to its user and keeps digests of the recovery codes', async () => {
    const { user, app, recoveryCodes } = await enrolled()
    const { db, keys } = server.context
    const { sealed } = await db
      .selectFrom('totp_secrets')
      .select('sealed')
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    expect(authenticator(open(keys, sealed, totpPlace(user.id))).code(5)).toBe(app.code(5))
    expect(() => open(keys, sealed, totpPlace(user.id + 1))).toThrow()
    const rows = await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', user.id).execute()
    const stored = JSON.stringify(rows.map(({ code_hash }) => code_hash.toString('latin1')))
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''))
  })
})

describe('signing in', () => {
  test('takes the password and a code, which is good once', async () => {
    const { user, app } = await enrolled()
    const ticket = await ticketOf(user)
    expect((await finish(ticket, app.wrong())).status).toBe(422)
    const done = await finish(ticket, app.code())
    expect(done.status).toBe(204)
    expect(await whoAmI(cookieOf(done))).toBe(200)
    expect((await finish(ticket, app.code(1))).json['errors']).toHaveProperty('ticket')
    // Neither the code that was used nor an earlier one.
    const again = await ticketOf(user)
    for (const late of [0, -1]) expect((await finish(again, app.code(late))).json['errors']).toHaveProperty('code')
    expect((await finish(again, app.code(1))).status).toBe(204)
  })

  test('of two who send one code at the same time lets one in', async () => {
    const { user, app } = await enrolled()
    const tickets = [await ticketOf(user), await ticketOf(user)]
    const answers = await Promise.all(tickets.map((ticket) => finish(ticket, app.code())))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
  })

  test('takes codes of the half minutes before and after, and no other', async () => {
    const { user, app } = await enrolled()
    const ticket = await ticketOf(user)
    for (const later of [-3, 3]) expect((await finish(ticket, app.code(later))).status).toBe(422)
    expect((await finish(ticket, app.code(1))).status).toBe(204)
  })

  test('takes each recovery code once, however it is typed', async () => {
    const { user, recoveryCodes } = await enrolled()
    const [first = '', second = ''] = recoveryCodes
    expect((await finish(await ticketOf(user), first.toLowerCase().replaceAll('-', ' '))).status).toBe(204)
    const ticket = await ticketOf(user)
    expect((await finish(ticket, first)).status).toBe(422)
    expect((await finish(ticket, second)).status).toBe(204)
  })

  test('a ticket ends with the password it was given for, and opens nothing by itself', async () => {
    const { user, session, app } = await enrolled()
    const ticket = await ticketOf(user)
    expect(await whoAmI({ ...ours, cookie: `entrepot_session=${ticket}` })).toBe(401)
    const change = { current_password: password, password: 'another correct horse' }
    expect((await server.call('PUT', '/api/2.0/user/password', { headers: session, body: change })).status).toBe(204)
    expect((await finish(ticket, app.code())).json['errors']).toHaveProperty('ticket')
  })

  test('codes are guessed ten times from one address, and fifty times from all that are unknown', async () => {
    const { user, app, recoveryCodes } = await enrolled()
    const { db } = server.context
    await db.deleteFrom('login_addresses').where('user_id', '=', user.id).execute()
    const ticket = await ticketOf(user)
    for (let n = 0; n < 10; n++) expect((await finish(ticket, app.wrong())).status).toBe(422)
    expect((await finish(ticket, app.code())).status).toBe(429)
    // What was guessed from elsewhere counts for whoever comes from anywhere new.
    await db.deleteFrom('rate_windows').where('key', 'like', 'code-here:%').execute()
    await db.updateTable('rate_windows').set({ hits: 50 }).where('key', '=', `code-user:${user.id}`).execute()
    expect((await finish(ticket, app.code())).status).toBe(429)
    expect((await finish(ticket, recoveryCodes[0] ?? '')).status).toBe(204)
    expect((await finish(await ticketOf(user), app.code())).status).toBe(204)
  })

  test('is in the audit trail, also where the code was wrong', async () => {
    const { user, app, recoveryCodes } = await enrolled()
    const ticket = await ticketOf(user)
    await finish(ticket, app.wrong())
    await finish(ticket, recoveryCodes[0] ?? '')
    const entries = await server.context.db
      .selectFrom('audit_entries')
      .select(['operation', 'kind', 'outcome', 'detail'])
      .where('user_id', '=', user.id)
      .where('kind', '=', 'sign_in')
      .orderBy('id')
      .execute()
    expect(entries.map(({ outcome, detail }) => [outcome, detail])).toEqual([
      ['done', 'password'],
      ['refused', 'invalid'],
      ['done', 'recovery_code'],
    ])
  })
})

describe('the password grant', () => {
  const grant = (user: Pick<User, 'email'>, more: Record<string, unknown> = {}) =>
    askToken(server.context, { grant_type: 'password', ...client, username: user.email, password, ...more })

  test('is as it was for users without a second factor, whatever else they send', async () => {
    const user = await makeUser(server.context)
    expect(await grant(user, { totp: '123456' })).toHaveProperty('refresh_token')
  })

  test('takes a code of users who have one, and says so', async () => {
    const { user, app, recoveryCodes } = await enrolled()
    const missing = await faultOf(grant(user))
    expect(missing.oauth).toMatchObject({ status: 400, error: 'mfa_required' })
    const wrong = await faultOf(grant(user, { totp: app.wrong() }))
    expect(wrong.oauth).toMatchObject({ status: 400, error: 'invalid_grant' })
    const code = app.code()
    const token = await grant(user, { totp: code })
    expect((await faultOf(grant(user, { totp: code }))).oauth).toMatchObject({ error: 'invalid_grant' })
    expect(await grant(user, { totp: recoveryCodes[0] })).toHaveProperty('access_token')
    const refresh = { grant_type: 'refresh_token', ...client, refresh_token: token.refresh_token }
    expect(await askToken(server.context, refresh)).toHaveProperty('access_token')
  })

  test('tells nobody whether there is a second factor who does not know the password', async () => {
    const { user } = await enrolled()
    const fault = await faultOf(grant(user, { password: 'wrong' }))
    expect(fault.oauth).toEqual({ status: 400, error: 'invalid_grant' })
  })
})

describe('removing it', () => {
  test('takes the password and a code, so that an open session is not enough', async () => {
    const { user, session, app } = await enrolled()
    const remove = (current_password: string, code: string) =>
      post('/api/2.0/user/second-factor/remove', { current_password, code }, session)
    expect((await remove('wrong', app.code())).status).toBe(422)
    expect((await remove(password, app.wrong())).status).toBe(422)
    expect((await remove(password, app.code())).status).toBe(204)
    expect((await begin(user)).status).toBe(204)
    const left = await server.context.db
      .selectFrom('recovery_codes')
      .where('user_id', '=', user.id)
      .selectAll()
      .execute()
    expect(left).toEqual([])
  })

  test('new recovery codes put the old ones out of use', async () => {
    const { user, session, app, recoveryCodes } = await enrolled()
    const body = { current_password: password, code: app.code() }
    const fresh = dataOf<{ recovery_codes: string[] }>(
      await post('/api/2.0/user/second-factor/recovery-codes', body, session),
    ).recovery_codes
    const ticket = await ticketOf(user)
    expect((await finish(ticket, recoveryCodes[0] ?? '')).status).toBe(422)
    expect((await finish(ticket, fresh[0] ?? '')).status).toBe(204)
  })

  test('an admin of the company does it for a colleague; nobody of another one does, and nobody for an owner', async () => {
    const tenant = await makeTenant(server.context)
    const { user } = await enrolled({ company_id: tenant.companyId })
    const path = `/api/2.0/user/users/${user.id}/second-factor/reset`
    const { token } = await makeColleague(server.context, tenant, { role: 'admin' })
    const stranger = await makeTenant(server.context)
    expect((await server.call('POST', path, { token: stranger.userToken })).status).toBe(403)
    expect((await server.call('POST', path, { token })).status).toBe(204)
    expect((await begin(user)).status).toBe(204)

    const owner = await enrolled({ company_id: tenant.companyId })
    await server.context.db
      .updateTable('users')
      .set({ company_role: 'owner' })
      .where('id', '=', owner.user.id)
      .execute()
    const ofOwner = `/api/2.0/user/users/${owner.user.id}/second-factor/reset`
    expect((await server.call('POST', ofOwner, { token })).status).toBe(403)
    expect((await server.call('POST', ofOwner, { headers: owner.session })).status).toBe(403)
  })

  test('a deleted user leaves nothing of it', async () => {
    const { user } = await enrolled()
    const admin = await makeUser(server.context, { roles: ['admin'] })
    const { access_token: token } = await logIn(server.context, client, admin)
    expect((await server.call('DELETE', `/api/1.0/users/${user.id}`, { token })).status).toBe(204)
    for (const table of ['totp_secrets', 'recovery_codes'] as const) {
      const rows = await server.context.db.selectFrom(table).selectAll().where('user_id', '=', user.id).execute()
      expect(rows).toEqual([])
    }
  })
})

describe('a company that demands it of everybody', () => {
  async function demanding() {
    const tenant = await makeTenant(server.context)
    const { user } = await enrolled({ company_id: tenant.companyId })
    await server.context.db.updateTable('users').set({ company_role: 'owner' }).where('id', '=', user.id).execute()
    const owner = { ...ours, cookie: await makeSession(server.context, user.id) }
    const path = `/api/2.0/user/companies/${tenant.companyId}/sign-in`
    const demand = (headers: Headers) => server.call('PUT', path, { headers, body: { require_second_factor: true } })
    return { tenant, owner, demand }
  }

  test('has an owner or admin who has one already', async () => {
    const { tenant, owner, demand } = await demanding()
    for (const role of ['operator', 'support', 'billing'] as const) {
      const { userId } = await makeColleague(server.context, tenant, { role })
      expect((await demand({ ...ours, cookie: await makeSession(server.context, userId) })).status).toBe(403)
    }
    const { userId } = await makeColleague(server.context, tenant, { role: 'admin' })
    const without = await demand({ ...ours, cookie: await makeSession(server.context, userId) })
    expect(without.json['errors']).toHaveProperty('require_second_factor')
    const answer = await demand(owner)
    expect([answer.status, dataOf(answer)]).toEqual([200, { require_second_factor: true }])
  })

  test('asks whoever is signed in without one with their next request, and nobody else', async () => {
    const { tenant, owner, demand } = await demanding()
    const sessionOf = async (userId: number, secondFactor: boolean) => ({
      ...ours,
      cookie: await makeSession(server.context, userId, secondFactor),
    })
    const member = await makeUser(server.context, { company_id: tenant.companyId })
    const [without, withOne] = [await sessionOf(member.id, false), await sessionOf(member.id, true)]
    const stranger = await sessionOf((await makeUser(server.context)).id, false)
    const all = () => Promise.all([without, withOne, stranger, owner].map(whoAmI))
    // Twice, so that they are remembered.
    expect([await all(), await all()]).toEqual([
      [200, 200, 200, 200],
      [200, 200, 200, 200],
    ])
    await demand(owner)
    expect(await all()).toEqual([401, 200, 200, 200])
    const app = await server.call('GET', '/api/2.0/app/integrations', {
      headers: { ...without, 'x-entrepot-app': String(tenant.appId) },
    })
    expect(app.status).toBe(401)
    expect(dataOf<{ next: string }>(await begin(member)).next).toBe('enrolment')
    // Nobody says of themselves that they have proved one.
    const boaster = await makeUser(server.context)
    const said = { email: boaster.email, password, second_factor: true, secondFactor: true }
    expect((await post('/console/session', said)).status).toBe(204)
    const began = await server.context.db
      .selectFrom('console_sessions')
      .select('second_factor')
      .where('user_id', '=', boaster.id)
      .execute()
    expect(began).toEqual([{ second_factor: false }])
    // Who set it up in an open session has proved it there.
    const enrolling = await makeUser(server.context)
    const open = await sessionOf(enrolling.id, false)
    const begun = await post('/api/2.0/user/second-factor/totp', { current_password: password }, open)
    const { code } = authenticator(dataOf<{ secret: string }>(begun).secret)
    expect((await post('/api/2.0/user/second-factor/totp/confirm', { code: code() }, open)).status).toBe(200)
    await server.context.db
      .updateTable('users')
      .set({ company_id: tenant.companyId })
      .where('id', '=', enrolling.id)
      .execute()
    await demand(owner)
    expect(await whoAmI(open)).toBe(200)
  })

  test('lets whoever has none set it up before going on', async () => {
    const { tenant, owner, demand } = await demanding()
    await demand(owner)
    const user = await makeUser(server.context, { company_id: tenant.companyId })
    const begun = await begin(user)
    expect(begun.status).toBe(202)
    const { ticket, next } = dataOf<{ ticket: string; next: string }>(begun)
    expect(next).toBe('enrolment')
    expect((await finish(ticket, '123456')).status).toBe(422)
    const { secret } = dataOf<{ secret: string }>(await post('/console/session/enrolment', { ticket }))
    const app = authenticator(secret)
    const done = await finish(ticket, app.code())
    expect(dataOf<{ recovery_codes: string[] }>(done).recovery_codes).toHaveLength(10)
    const session = cookieOf(done)
    expect(await whoAmI(session)).toBe(200)
    const remove = { current_password: password, code: app.code(1) }
    const refused = await post('/api/2.0/user/second-factor/remove', remove, session)
    expect(refused.json['errors']).toHaveProperty('second_factor')
  })

  test('a ticket of somebody who has one sets up no other', async () => {
    const { user } = await enrolled()
    const answer = await post('/console/session/enrolment', { ticket: await ticketOf(user) })
    expect(answer.json['errors']).toHaveProperty('ticket')
  })

  test('gives no token for a password alone', async () => {
    const { tenant, owner, demand } = await demanding()
    await demand(owner)
    const user = await makeUser(server.context, { company_id: tenant.companyId })
    expect((await faultOf(logIn(server.context, client, user))).oauth).toMatchObject({ error: 'mfa_required' })
  })
})
