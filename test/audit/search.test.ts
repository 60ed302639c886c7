import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '../../src/domain/audit/audit-entry.ts'
import { makeUser, password } from '../support/identity.ts'
import { type CallOptions, makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'

/** How the audit trail is read, and what it says of those who come in. */

let server: TestServer
let tenant: TestTenant

beforeAll(async () => {
  server = await startTestServer()
  tenant = await makeTenant(server.context)
  const { userToken: token, appToken, appId } = tenant
  for (let n = 0; n < 12; n++) {
    await server.call('PUT', `/api/2.0/user/apps/${appId}`, { token, body: { name: `Name ${n}` } })
    await server.call('POST', '/api/2.0/user/apps', { token, body: { name: `App ${n}` } })
    await server.call('POST', '/api/2.0/app/accounts', { token: appToken, body: { remote_id: `r-${n}`, name: 'Ada' } })
  }
})
afterAll(() => server.close())

const all = async (): Promise<AuditEntry[]> => {
  const { rows } = await sql<AuditEntry>`select * from audit_entries order by id`.execute(server.context.db)
  return rows
}

describe('signing in', () => {
  const signIn = (email: string, secret: string) =>
    server.call('POST', '/console/session', {
      body: { email, password: secret },
      headers: { 'x-entrepot-console': '1' },
    })
  const last = async () => (await all()).at(-1)

  test('is in the trail, and so is failing to', async () => {
    const user = await makeUser(server.context, {})
    await signIn(user.email, password)
    expect(await last()).toMatchObject({ kind: 'sign_in', outcome: 'done', caller: 'user', user_id: user.id })
    await signIn(user.email, 'wrong')
    expect(await last()).toMatchObject({ kind: 'sign_in', outcome: 'refused', user_id: user.id, detail: 'invalid' })
    await signIn('nobody@example.com', 'wrong')
    expect(await last()).toMatchObject({ kind: 'sign_in', outcome: 'refused', user_id: null, caller: 'nobody' })
    expect(JSON.stringify(await all())).not.toMatch(/@example\.com|wrong/)
  })

  test('of a program names its client, whatever comes of it', async () => {
    const { client_id, client_secret } = tenant.appClient
    const ask = (secret: string) =>
      server.call('POST', '/oauth/token', {
        body: { grant_type: 'client_credentials', client_id, client_secret: secret },
      })
    await ask(client_secret)
    const shown = { caller: 'client', client_id: Number(client_id), app_id: tenant.appId, company_id: tenant.companyId }
    expect(await last()).toMatchObject({ kind: 'sign_in', outcome: 'done', detail: 'client_credentials', ...shown })
    await ask('wrong')
    expect(await last()).toMatchObject({ kind: 'sign_in', outcome: 'refused', detail: 'oauth', ...shown })
  })
})

describe('the search', () => {
  const search = (query: string, options: CallOptions = { token: tenant.userToken }, path = '/api/2.0/user/audit') =>
    server.call('GET', `${path}?${query}`, options)
  type Row = { id: number; at: string; operation: string; user_id: number; company_id: number; app_id: number }
  const rowsOf = ({ json }: { json: Record<string, unknown> }) => json['data'] as Row[]

  test('goes back through everything of the company, page by page, and nothing else', async () => {
    const { json } = await server.call('POST', '/api/2.0/user/clients', {
      token: tenant.userToken,
      body: { name: 'Last' },
    })
    const stranger = await makeTenant(server.context)
    await server.call('POST', '/api/2.0/user/apps', { token: stranger.userToken, body: { name: 'Not yours' } })
    const seen: Row[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const page = await search(`limit=7${cursor && `&cursor=${cursor}`}`)
      seen.push(...rowsOf(page))
      cursor = (page.json['meta'] as { next_cursor: string | null }).next_cursor
    }
    expect(seen[0]).toMatchObject({ record_type: 'client', record_id: String((json['data'] as { id: number }).id) })
    const mine = (await all()).filter(({ company_id: company }) => company === tenant.companyId)
    expect(seen.map(({ id }) => id).sort((a, b) => a - b)).toEqual(mine.map(({ id }) => id))
    expect(seen.every((row, n) => n === 0 || row.at <= (seen[n - 1]?.at ?? ''))).toBe(true)
    expect(
      rowsOf(await search('limit=500', { token: stranger.userToken })).map(({ operation }) => operation),
    ).toContain('post_2_0_user_apps')
    const noDay = Buffer.from('2026-02-30T00:00:00.000000Z|1').toString('base64url')
    for (const wrong of ['nonsense', noDay]) expect((await search(`cursor=${wrong}`)).status).toBe(400)
  })

  test('filters by who, what, which record and when', async () => {
    const [first] = rowsOf(await search('operation=put_2_0_user_apps_appId&limit=1'))
    const found = rowsOf(await search(`record_type=app&record_id=${tenant.appId}&user_id=${tenant.userId}&limit=500`))
    expect(found.length).toBeGreaterThan(0)
    expect(new Set(found.map(({ operation }) => operation))).toContain('put_2_0_user_apps_appId')
    expect(rowsOf(await search(`from=${first?.at}&operation=put_2_0_user_apps_appId`)).map(({ id }) => id)).toEqual([
      first?.id,
    ])
    expect(rowsOf(await search('until=2020-01-01T00:00:00Z'))).toEqual([])
    expect((await search('kind=nonsense')).status).toBe(422)
  })

  test('shows an app what was done in it', async () => {
    const rows = rowsOf(await search('limit=500', { token: tenant.appToken }, '/api/2.0/app/audit'))
    expect(rows.length).toBeGreaterThanOrEqual(24)
    expect(new Set(rows.map(({ app_id: app }) => app))).toEqual(new Set([tenant.appId]))
  })

  test('exports the same as one line each', async () => {
    const { text, headers } = await search(
      'operation=post_2_0_user_apps',
      { token: tenant.userToken },
      '/api/2.0/user/audit/export',
    )
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8')
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row)
    const mine = (await all()).filter(
      (entry) => entry.operation === 'post_2_0_user_apps' && entry.company_id === tenant.companyId,
    )
    expect(lines.map(({ id }) => id)).toEqual(mine.map(({ id }) => id).reverse())
  })
})
