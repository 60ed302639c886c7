import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kindOf } from '../../src/api/audit-requests.ts'
import { endpoints } from '../../src/api/index.ts'
import type { AuditEntry } from '../../src/domain/audit/audit-entry.ts'
import { operationId } from '../../src/runtime/http/openapi/openapi.ts'
import { startTestServer, type TestServer } from '../support/server.ts'
import { bodyEndpoints, validCall } from '../support/valid-calls.ts'
import { watchStatements } from '../support/watch-statements.ts'
import { callAs, makeWorld, nameOf, type World } from '../support/world.ts'

/** What of each endpoint is in the audit trail: read off the list, so that a new one is in it as soon as it is listed. */

let server: TestServer
let world: World
let watch: ReturnType<typeof watchStatements>

beforeAll(async () => {
  watch = watchStatements()
  server = await startTestServer()
  world = await makeWorld(server)
})
afterAll(async () => {
  watch.stop()
  await server.close()
})

const entriesOf = async (requestId: unknown): Promise<AuditEntry[]> => {
  const { rows } = await sql<AuditEntry>`
    select * from audit_entries where request_id = ${String(requestId)} order by id`.execute(server.context.db)
  return rows
}

const changing = bodyEndpoints.filter((endpoint) => kindOf(endpoint) !== null)

describe.each(changing.map((endpoint, n) => [nameOf(endpoint), endpoint, n] as const))('%s', (_, endpoint, n) => {
  test('is in the trail once, with who, what and where, in the transaction of the change', async () => {
    const { params, body } = await validCall(server, world, endpoint, 5000 + n)
    const { result, statements } = await watch.during(() => callAs(server, world, endpoint, { params, body }))
    expect(result.status, result.text).toBeLessThan(300)
    const [entry, ...more] = await entriesOf(result.headers['x-request-id'])
    expect(more).toEqual([])
    expect(entry).toMatchObject({ operation: operationId(endpoint), what: endpoint.summary, outcome: 'done' })
    const { tenant } = world
    const who = { user: entry?.user_id, client: entry?.client_id, account: entry?.account_id, nobody: 0 }
    const ids = {
      // Of a link for a new password it is a colleague's: whoever uses it is signed out everywhere.
      user: endpoint.path === '/new-password/choose' ? world.ids.user : tenant.userId,
      client: Number(tenant.appClient.client_id),
      account: tenant.accountId,
      nobody: 0,
    }
    const caller = entry?.caller === 'operator' || entry?.caller === 'system' ? undefined : entry?.caller
    expect(caller && who[caller]).toBe(caller && ids[caller])
    expect(entry?.address).toBe('127.0.0.1')
    // Whatever was sent: nothing of it but names of fields.
    expect(JSON.stringify(entry)).not.toContain(world.canary)
    const made = result.json['data'] as { id?: number } | undefined
    if (made?.id !== undefined && /\/(apps|clients|users|accounts|webhooks|flows|orders)$/.test(endpoint.path)) {
      expect([entry?.record_type, entry?.record_id]).toEqual([expect.any(String), String(made.id)])
    }
    const elsewhere = endpoint.changesElsewhere?.(body) || endpoint.onlyReads?.(body)
    if (!elsewhere) expect(inTransaction(statements), statements.join('\n')).toBe(true)
  })
})

/** Whether the entry was written between a begin and its commit. */
function inTransaction(statements: readonly string[]): boolean {
  const at = statements.findIndex((text) => /insert into audit_entries/.test(text))
  const begun = statements.slice(0, at).findLastIndex((text) => /^begin/i.test(text))
  const ended = statements.slice(begun, at).some((text) => /^(commit|rollback)/i.test(text))
  return begun >= 0 && !ended && statements.slice(at).some((text) => /^commit/i.test(text))
}

test('every endpoint that changes something is in the trail, or says why not', () => {
  const out = endpoints.filter((endpoint) => endpoint.method !== 'GET' && kindOf(endpoint) === null)
  expect(out.map((endpoint) => [nameOf(endpoint), typeof endpoint.unauditedBecause])).toEqual([
    ['POST /oauth/introspect', 'string'],
    ['POST /oauth/register', 'string'],
    ['POST /mcp', 'string'],
    ['POST /console/device/look', 'string'],
    ['POST /console/session/passkey/options', 'string'],
    ['POST /console/session/single-sign-on', 'string'],
    ['POST /console/invitation', 'string'],
    ['POST /console/new-password', 'string'],
    ['POST /api/2.0/user/services/try', 'string'],
    ['POST /api/2.0/user/services/draft', 'string'],
    ['POST /api/2.0/user/services/compare', 'string'],
    ['POST /api/2.0/user/passkeys/options', 'string'],
    ['POST /api/1.0/webhook_callback/{channel}/{account_id}/{store}', 'string'],
    ['POST /api/2.0/user/apps/{appId}/search', 'string'],
    ['POST /api/2.0/user/apps/{appId}/alert-letter/preview', 'string'],
    ['POST /catch/{token}', 'string'],
    ['POST /api/2.0/platforms/trips/{state}', 'string'],
  ])
})

test('secrets that are shown are told apart from other changes', () => {
  const secret = endpoints.filter((endpoint) => kindOf(endpoint) === 'secret').map(nameOf)
  expect(secret).toEqual(
    expect.arrayContaining([
      'POST /api/2.0/user/clients',
      'POST /api/2.0/user/apps/{appId}/webhooks/{webhook}/rotate-secret',
      'POST /api/2.0/user/apps/{appId}/integrations/{integrationId}/gateway-key',
      'POST /api/2.0/app/intent/{account}',
      'POST /api/2.0/app/{resource}/install',
    ]),
  )
})

test('lists of people are in the trail: of people each page, of programs each list, once a minute', async () => {
  const personal = endpoints.filter((endpoint) => endpoint.method === 'GET' && kindOf(endpoint) === 'personal_data')
  expect(personal.map(nameOf)).toEqual(
    expect.arrayContaining([
      'GET /api/1.0/orders',
      'GET /api/2.0/app/orders',
      'GET /api/1.0/users',
      'GET /api/1.0/accounts',
    ]),
  )
  const count = async (operation: string) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from audit_entries where operation = ${operation} and kind = 'personal_data'`.execute(
      server.context.db,
    )
    return rows[0]?.n ?? 0
  }
  for (const endpoint of personal) {
    const before = await count(operationId(endpoint))
    const minute = Math.floor(Date.now() / 60_000)
    for (const page of [1, 2, 3, 3, 3]) {
      expect((await callAs(server, world, endpoint, { search: `?page=${page}` })).status).toBe(200)
    }
    const minutes = Math.floor(Date.now() / 60_000) - minute + 1
    const expected = endpoint.group.caller === 'user' ? [3, 2 + minutes] : [1, minutes]
    const written = (await count(operationId(endpoint))) - before
    expect(written, nameOf(endpoint)).toBeGreaterThanOrEqual(expected[0] ?? 0)
    expect(written, nameOf(endpoint)).toBeLessThanOrEqual(expected[1] ?? 0)
  }
})

test('what was refused has changed nothing, and is not in the trail', async () => {
  const { tenant } = world
  const answer = await server.call('POST', '/api/2.0/app/accounts', { token: tenant.appToken, body: { name: 'No id' } })
  const taken = { remote_id: tenant.remoteId, name: 'Taken' }
  const again = await server.call('POST', '/api/2.0/app/accounts', { token: tenant.appToken, body: taken })
  expect([answer.status, again.status]).toEqual([422, 422])
  for (const { headers } of [answer, again]) expect(await entriesOf(headers['x-request-id'])).toEqual([])
})
