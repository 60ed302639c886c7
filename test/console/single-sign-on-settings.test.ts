import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BentIssuer, startBentIssuer } from '../support/bent-issuer.ts'
import { makeColleague } from '../support/colleague.ts'
import { startDnsServer } from '../support/dns-server.ts'
import { makeClient, makeCompany, makeUser } from '../support/identity.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { comeBack, setOut } from '../support/single-sign-on.ts'

/** How a company sets single sign-on up, and what it is not allowed to. */

let server: TestServer
let issuer: BentIssuer
let dns: Awaited<ReturnType<typeof startDnsServer>>
const records = new Map<string, string[]>()

beforeAll(async () => {
  dns = await startDnsServer((name, kind) => (kind === 'txt' ? (records.get(name) ?? []) : []))
  issuer = await startBentIssuer('entrepot')
  server = await startTestServer({ egressAllow: ['127.0.0.1'], nameServers: [dns.address] })
})
afterAll(async () => {
  await server.close()
  await issuer.close()
  dns.close()
})

interface Domain {
  id: number
  domain: string
  record: { name: string; value: string }
  proved_at: string | null
}

async function makeOwner() {
  const companyId = await makeCompany(server.context)
  const passwordClient = await makeClient(server.context, { grant_types: ['password'] })
  const { userId, token } = await makeColleague(server.context, { companyId, passwordClient }, { role: 'owner' })
  const path = `/api/2.0/user/companies/${companyId}/single-sign-on`
  const call = (method: string, below = '', body?: unknown) =>
    server.call(method, path + below, { token, ...(body !== undefined && { body }) })
  const errorsOf = async (method: string, below: string, body?: unknown) =>
    (await call(method, below, body)).json['errors']
  const claim = async (domain: string) => (await call('POST', '/domains', { domain })).json['data'] as Domain
  return { companyId, userId, passwordClient, call, errorsOf, claim }
}

const wanted = () => ({ issuer: issuer.issuer, client_id: 'entrepot' })
const newDomain = () => `${randomUUID()}.example.com`

describe('the provider', () => {
  test('is shown without its secret, with the address that it has to know', async () => {
    const { companyId, call } = await makeOwner()
    const redirect_uri = `https://entrepot.test/console/single-sign-on/${companyId}`
    expect((await call('GET')).json['data']).toMatchObject({ issuer: null, redirect_uri, domains: [] })
    const saved = await call('PUT', '', { ...wanted(), client_secret: 'a secret of the provider' })
    expect(saved.json['data']).toMatchObject({ ...wanted(), has_client_secret: true, redirect_uri, required: false })
    expect((await call('GET')).text).not.toContain('a secret of the provider')
  })

  test('has to be there, to be public, and to be what it says', async () => {
    const { errorsOf } = await makeOwner()
    const said = async (address: string) => await errorsOf('PUT', '', { ...wanted(), issuer: address })
    expect(await errorsOf('PUT', '', { client_id: 'entrepot' })).toEqual({ issuer: ['The issuer field is required.'] })
    expect(await said('nonsense')).toEqual({ issuer: ['The issuer is not an address.'] })
    for (const inside of ['https://10.0.0.1', 'http://login.example.com', 'https://localhost', 'file:///etc/passwd']) {
      expect(await said(inside)).toEqual({ issuer: ['The address is not allowed.'] })
    }
    expect(await said(`${issuer.issuer}/another`)).toEqual({
      issuer: ['The answer of the identity provider is not accepted.'],
    })
  })

  test('does not get the secret of the one before, nor its people', async () => {
    const { companyId, call, errorsOf, userId } = await makeOwner()
    await call('PUT', '', { ...wanted(), client_secret: 'a secret' })
    await server.context.db
      .insertInto('single_sign_on_subjects')
      .values({ company_id: companyId, subject: 'one', user_id: userId })
      .execute()
    const other = await startBentIssuer('entrepot')
    expect(await errorsOf('PUT', '', { issuer: other.issuer })).toHaveProperty('client_secret')
    expect(await errorsOf('PUT', '', { client_id: 'another' })).toHaveProperty('client_secret')
    const moved = await call('PUT', '', { issuer: other.issuer, client_secret: 'another secret' })
    expect(moved.status).toBe(200)
    const left = server.context.db.selectFrom('single_sign_on_subjects').selectAll().where('company_id', '=', companyId)
    expect(await left.execute()).toEqual([])
    await other.close()
  })

  test('is chosen by owners: whoever chooses it could come in as anybody', async () => {
    const { companyId, passwordClient } = await makeOwner()
    const path = `/api/2.0/user/companies/${companyId}/single-sign-on`
    const admin = await makeColleague(server.context, { companyId, passwordClient }, { role: 'admin' })
    expect((await server.call('PUT', path, { ...admin, body: wanted() })).status).toBe(403)
    const stranger = await makeOwner()
    const foreign = await server.call('GET', path, {
      token: (await makeColleague(server.context, stranger, { role: 'owner' })).token,
    })
    expect(foreign.status).toBe(403)
  })
})

describe('a domain', () => {
  test('counts once its record is there', async () => {
    const { call, claim } = await makeOwner()
    await call('PUT', '', wanted())
    const { id, domain, record, proved_at } = await claim(newDomain().toUpperCase())
    expect([domain, record.name, proved_at]).toEqual([domain.toLowerCase(), `_entrepot.${domain}`, null])
    const begin = () =>
      server.call('POST', '/console/session/single-sign-on', {
        body: { email: `ada@${domain}` },
        headers: { 'x-entrepot-console': '1' },
      })
    expect((await begin()).status).toBe(422)
    records.set(record.name, ['v=spf1 -all', 'entrepot-domain=another'])
    expect((await call('POST', `/domains/${id}/prove`)).json['errors']).toEqual({
      domain: [`There is no such TXT record at ${record.name} yet. New records take a while to be seen.`],
    })
    records.set(record.name, ['v=spf1 -all', record.value])
    const proved = await call('POST', `/domains/${id}/prove`)
    expect([proved.status, proved.json['data']]).toEqual([
      200,
      expect.objectContaining({ proved_at: expect.any(String) }),
    ])
    expect((await begin()).status).toBe(200)
    expect((await call('POST', `/domains/${id}/remove`)).status).toBe(204)
    expect((await begin()).status).toBe(422)
  })

  test('belongs to one company', async () => {
    const domain = newDomain()
    const [first, second] = [await makeOwner(), await makeOwner()]
    const claims = [await first.claim(domain), await second.claim(domain)]
    const [one, two] = claims
    records.set(
      `_entrepot.${domain}`,
      claims.map(({ record }) => record.value),
    )
    expect((await first.call('POST', `/domains/${one?.id}/prove`)).status).toBe(200)
    expect(await second.errorsOf('POST', `/domains/${two?.id}/prove`)).toEqual({
      domain: ['Another company signs in with addresses of this domain.'],
    })
    // Nor does another company reach it by its number.
    for (const what of ['prove', 'remove']) {
      expect((await second.call('POST', `/domains/${one?.id}/${what}`)).status).toBe(404)
    }
  })

  test('is believed of whoever administers the instance', async () => {
    const { claim, companyId } = await makeOwner()
    const { id } = await claim(newDomain())
    const admin = await makeUser(server.context, { roles: ['admin'] })
    const passwordClient = await makeClient(server.context, { grant_types: ['password'] })
    const { token } = await makeColleague(
      server.context,
      { companyId, passwordClient },
      { roles: ['admin'], company_id: admin.company_id },
    )
    const proved = await server.call(
      'POST',
      `/api/2.0/user/companies/${companyId}/single-sign-on/domains/${id}/prove`,
      {
        token,
      },
    )
    expect(proved.status).toBe(200)
  })

  test.each(['', 'example', 'a@example.com', '10.0.0.1', '*.example.com', 'https://example.com', '-a.example.com'])(
    '%j is none',
    async (domain) => {
      const { call } = await makeOwner()
      expect((await call('POST', '/domains', { domain })).status).toBe(422)
    },
  )

  test('is one of twenty at most, and is named once', async () => {
    const { call, claim, errorsOf } = await makeOwner()
    const { domain } = await claim(newDomain())
    expect(await errorsOf('POST', '/domains', { domain })).toEqual({ domain: ['The domain is in the list already.'] })
    for (let n = 1; n < 20; n++) await claim(newDomain())
    const { json } = await call('POST', '/domains', { domain: newDomain() })
    expect(json['errors']).toEqual({ domain: ['At most 20 domains are allowed.'] })
  })
})

test('it is made the only way once somebody has come in by it, by an owner with a second factor', async () => {
  const { companyId, userId, call, claim, errorsOf } = await makeOwner()
  await call('PUT', '', wanted())
  const demand = () => errorsOf('PUT', '', { required: true })
  const tried = { required: [expect.stringContaining('has to have signed in by it first')] }
  expect(await demand()).toEqual(tried)
  const { id, domain, record } = await claim(newDomain())
  records.set(record.name, [record.value])
  await call('POST', `/domains/${id}/prove`)
  expect(await demand()).toEqual(tried)
  const { email } = await makeUser(server.context, { email: `ada@${domain}`, company_id: companyId })
  issuer.bends = { claims: { sub: randomUUID(), email, email_verified: true } }
  const browser = await setOut(server, email)
  expect((await comeBack(server, browser, issuer.visit(browser.url))).status).toBe(204)
  expect(await demand()).toEqual({ required: [expect.stringContaining('Set up a second factor of your own')] })
  await server.context.db
    .insertInto('totp_secrets')
    .values({ user_id: userId, sealed: Buffer.of(1), key_id: 'test', confirmed_at: '2026-01-01T00:00:00Z' })
    .execute()
  expect((await call('PUT', '', { required: true })).status).toBe(200)
  expect(await errorsOf('POST', `/domains/${id}/remove`)).toEqual({
    domain: ['It is the last one, and members sign in by it alone.'],
  })
})
