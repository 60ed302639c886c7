import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeColleague } from '../support/colleague.ts'
import { makeCompany, makeUser } from '../support/identity.ts'
import { makeTenant, startTestServer, type TestAnswer, type TestServer, type TestTenant } from '../support/server.ts'
import { watchStatements } from '../support/watch-statements.ts'

/** Whoever makes users learns of colleagues that an address is theirs, and of nobody else. */

let server: TestServer
let tenant: TestTenant
/** Of a user in another company. */
let theirs: string
let admin: string
const watch = watchStatements()

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  theirs = (await makeTenant(server.context)).email
  admin = (await makeColleague(server.context, tenant, { company_id: null, roles: ['admin'] })).token
})
afterAll(async () => {
  watch.stop()
  await server.close()
})

const newAddress = () => `${randomUUID()}@example.com`
const users = '/api/1.0/users'
const taken = { email: ['The email has already been taken.'] }
const wanted = (email: string) => ({ name: 'Grace', email, password: 'a long password' })
const create = (email: string, more: object = {}, token = tenant.userToken) =>
  server.call('POST', users, { token, body: { ...wanted(email), ...more } })
const change = (id: number, body: object, token = tenant.userToken) =>
  server.call('PUT', `${users}/${id}`, { token, body })
const dataOf = ({ json }: TestAnswer) => json['data'] as Record<string, unknown>

async function accept(email: string, token?: string): Promise<TestAnswer> {
  const owner = token ?? (await makeColleague(server.context, tenant, { role: 'owner' })).token
  const body = { email, role: 'support' }
  const url = dataOf(await server.call('POST', '/api/2.0/user/invitations', { token: owner, body }))['url']
  const seat = { token: String(url).split('#')[1], name: 'Grace', password: 'a long password' }
  return await server.call('POST', '/console/invitation/accept', { body: seat })
}

/** What of an answer does not have to differ from one user to the next. */
const shapeOf = ({ status, json, headers }: TestAnswer) => {
  const same = JSON.stringify(json).replaceAll(/"(id|email|created_at|updated_at)":("[^"]*"|\d+)/g, '"$1"')
  return { status, same, headers: Object.keys(headers).sort() }
}

describe('an address that somebody of another company has', () => {
  const ways: Record<string, (email: string) => Promise<TestAnswer>> = {
    'in creating a user': (email) => create(email),
    'in changing one': async (email) => {
      const { id } = await makeUser(server.context, { company_id: tenant.companyId })
      const { statements, result } = await watch.during(() => change(id, { email }))
      return { ...result, json: { ...result.json, statements } }
    },
    'in accepting an invitation': (email) => accept(email),
  }

  test.each(Object.entries(ways))('is answered like one that nobody has, %s', async (_, ask) => {
    const theirsToo = (await makeUser(server.context, { company_id: await makeCompany(server.context) })).email
    const [known, unknown] = [await ask(theirsToo), await ask(newAddress())]
    expect([200, 201]).toContain(known.status)
    expect(shapeOf(known)).toEqual(shapeOf(unknown))
  })

  test('is answered by the same statements', async () => {
    await create(newAddress())
    const asked = async (email: string) => (await watch.during(() => create(email))).statements
    const known = await asked(theirs)
    expect(known.length).toBeGreaterThan(5)
    expect(await asked(newAddress())).toEqual(known)
  })

  test('is not asked for by naming that company', async () => {
    const other = await makeTenant(server.context)
    for (const email of [other.email, newAddress()]) {
      const errors = { company_id: ['The selected company id is invalid.'] }
      expect((await create(email, { company_id: other.companyId })).json['errors']).toEqual(errors)
      const { id } = await makeUser(server.context, { company_id: tenant.companyId })
      const moved = await change(id, { email, company_id: other.companyId })
      expect(moved.json['errors']).toEqual(errors)
    }
  })

  test('is in the list of each company once, with the own user', async () => {
    const other = await makeTenant(server.context)
    const { id } = dataOf(await create(other.email))
    const found = async (token: string) => {
      const answer = await server.call('GET', `${users}?filter[email]=${encodeURIComponent(other.email)}`, { token })
      return (answer.json['data'] as { id: number }[]).map((user) => user.id)
    }
    expect([await found(tenant.userToken), await found(other.userToken)]).toEqual([[id], [other.userId]])
    expect((await found(admin)).sort()).toEqual([id, other.userId].sort())
  })
})

describe('an address that a colleague has', () => {
  test('is taken, however the user is made', async () => {
    const colleague = await makeUser(server.context, { company_id: tenant.companyId })
    const other = await makeUser(server.context, { company_id: tenant.companyId })
    const outside = await makeUser(server.context, {
      email: colleague.email,
      company_id: await makeCompany(server.context),
    })
    for (const answer of [
      await create(colleague.email.toUpperCase()),
      await change(other.id, { email: colleague.email }),
      await accept(colleague.email),
      await create(colleague.email, { company_id: tenant.companyId }, admin),
      await change(outside.id, { company_id: tenant.companyId }, admin),
    ]) {
      expect([answer.status, answer.json['errors']]).toEqual([422, taken])
    }
  })

  test('is given once to ten who ask for it at the same moment', async () => {
    const email = newAddress()
    const { token } = await makeColleague(server.context, tenant, { role: 'owner' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => (n % 2 ? create(email) : accept(email, token))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ json }) => JSON.stringify(json['errors']) === JSON.stringify(taken))).toHaveLength(9)
  })

  test('is kept by one of two with that address who are moved there at the same moment', async () => {
    const email = newAddress()
    const [target, ...homes] = await Promise.all([1, 2, 3].map(() => makeCompany(server.context)))
    const movers = await Promise.all(homes.map((company_id) => makeUser(server.context, { email, company_id })))
    const answers = await Promise.all(movers.map(({ id }) => change(id, { company_id: target }, admin)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
  })

  test('is free again once that colleague is deleted, wherever else somebody has it', async () => {
    const email = newAddress()
    const first = dataOf(await create(email))
    const outside = await makeUser(server.context, { email, company_id: await makeCompany(server.context) })
    const removed = await server.call('DELETE', `${users}/${first['id']}`, { token: tenant.userToken })
    expect([removed.status, (await create(email)).status]).toEqual([204, 201])
    expect(dataOf(await server.call('GET', `${users}/${outside.id}`, { token: admin }))).toMatchObject({ email })
  })
})

describe('without a company', () => {
  const loner = () => makeColleague(server.context, tenant, { company_id: null, roles: ['manager'] })

  test('an address is taken by whom one has made, and by nobody else', async () => {
    const [one, other] = [await loner(), await loner()]
    const email = newAddress()
    const made = await Promise.all([1, 2, 3].map(() => create(email, {}, one.token)))
    expect(made.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    expect((await create(email, {}, other.token)).status).toBe(201)
    expect((await create(theirs, {}, other.token)).status).toBe(201)
    expect((await create(email, {}, admin)).json['errors']).toEqual(taken)
    expect((await change(one.userId, { email }, one.token)).json['errors']).toEqual(taken)
    const third = await loner()
    expect((await change(third.userId, { email }, third.token)).status).toBe(200)
  })
})
