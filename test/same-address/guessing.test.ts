import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { updateUser } from '../../src/domain/users/update-user.ts'
import { operator } from '../../src/domain/users/user.ts'
import { verifyPassword } from '../../src/lib/password.ts'
import { countHashes } from '../support/count-hashes.ts'
import { makeApp, makeClient, makeCompany, makeUser, password } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'
import { entrance, makeSharing, makeTwo, newEmail } from '../support/sharing.ts'
import { wrongPassword } from '../support/wrong-password.ts'

/** What somebody learns who tries an address: nothing of others who have it. */

let server: TestServer
const hashes = countHashes()

beforeAll(async () => {
  server = await startTestServer({ trustProxy: ['127.0.0.1'] })
})
afterAll(async () => {
  hashes.stop()
  await server.close()
})

const { signIn, enter } = entrance(() => server)
let last = 0
const nextAddress = () => `198.51.100.${++last}`

describe('an attempt computes one hash', () => {
  const attempt = (email: string, secret: string) => hashes.during(() => signIn(email, secret, nextAddress()))

  test('as it is counted here', async () => {
    expect(await hashes.during(() => verifyPassword(null, 'x'))).toBe(1)
    expect(await hashes.during(async () => [await verifyPassword(null, 'x'), await verifyPassword(null, 'x')])).toBe(2)
  })

  test('whether nobody, one or six have the address, and whether it is right', async () => {
    expect(await attempt(newEmail(), 'wrong')).toBe(1)
    for (const count of [1, 6]) {
      const { email, users } = await makeSharing(server.context, count)
      expect(await attempt(email, await wrongPassword(server.context, email))).toBe(1)
      expect(await attempt(email, users.at(-1)?.secret ?? '')).toBe(1)
    }
  })

  test('of somebody who set the own password to try it on another, who is not looked at', async () => {
    const { email, one: victim, other: stranger } = await makeTwo(server.context)
    await updateUser(server.context, operator, { id: stranger.id, changes: { password: victim.secret } })
    expect(await attempt(email, victim.secret)).toBe(1)
    expect(await enter(email, victim.secret)).toBe(stranger.id)
  })
})

describe('the audit trail', () => {
  const entries = (userId: number) =>
    server.context.db
      .selectFrom('audit_entries')
      .select(['outcome', 'user_id', 'company_id'])
      .where('user_id', '=', userId)
      .where('kind', '=', 'sign_in')
      .orderBy('id')
      .execute()

  test('names who signed in, and nobody else with that address', async () => {
    const { email, one, other } = await makeTwo(server.context)
    await signIn(email, one.secret)
    expect(await entries(one.id)).toEqual([{ outcome: 'done', user_id: one.id, company_id: one.company_id }])
    expect(await entries(other.id)).toEqual([])
  })

  test('has a failed one with whoever signs in from there, and says of others with that address nothing', async () => {
    const [home, elsewhere] = [nextAddress(), nextAddress()]
    const alone = await makeSharing(server.context, 1)
    const shared = await makeSharing(server.context, 2)
    for (const { email, users } of [alone, shared]) {
      const [one, other] = users
      if (!one) throw new Error('There is one.')
      await signIn(email, one.secret, home)
      const wrong = await wrongPassword(server.context, email)
      await signIn(email, wrong, home)
      await signIn(email, wrong, elsewhere)
      expect((await entries(one.id)).map(({ outcome }) => outcome)).toEqual(['done', 'refused'])
      if (other) expect(await entries(other.id)).toEqual([])
    }
  })

  test('has guesses with everybody who has the address, once there are more than a person mistypes', async () => {
    const { email, one, other } = await makeTwo(server.context)
    const wrong = await wrongPassword(server.context, email)
    for (let n = 0; n < 8; n++) await signIn(email, wrong, nextAddress())
    for (const { id } of [one, other]) expect(await entries(id)).toHaveLength(3)
  })

  test('does not tell whoever has a client whose address somebody tried by it', async () => {
    const { context } = server
    const tenant = await makeTenant(context)
    const app_id = await makeApp(context, { user_id: tenant.userId, company_id: tenant.companyId })
    const by = await makeClient(context, { app_id, grant_types: ['password'] })
    const user = await makeUser(context, { company_id: await makeCompany(context) })
    const from = nextAddress()
    expect((await signIn(user.email, password, from)).status).toBe(204)
    for (const username of [user.email, newEmail()]) {
      const body = { grant_type: 'password', ...by, username, password: 'wrong' }
      const headers = { 'x-forwarded-for': from }
      expect((await server.call('POST', '/oauth/token', { body, headers })).status).toBe(400)
    }
    const seen = await context.db
      .selectFrom('audit_entries')
      .select(['outcome', 'user_id', 'client_id'])
      .where('company_id', '=', tenant.companyId)
      .where('kind', '=', 'sign_in')
      .where('outcome', '=', 'refused')
      .execute()
    expect(seen).toEqual([1, 2].map(() => ({ outcome: 'refused', user_id: null, client_id: by.client_id })))
    expect((await entries(user.id)).map(({ outcome }) => outcome)).toEqual(['done', 'refused'])
  })
})
