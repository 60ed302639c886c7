import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { type Role, roles } from '../src/domain/rights.ts'
import type { Endpoint } from '../src/runtime/http/endpoint.ts'
import { makeColleague, makeSession } from './support/colleague.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { specifiedPermissions } from './support/specification.ts'
import { callAs, makeWorld, nameOf, type World } from './support/world.ts'

/**
 * The table of the guide against real requests: every endpoint, as every role, with each permission alone and with none to
 * all of them. Whatever opens without being in the table fails, and so does what the table promises and stays shut.
 */

interface Row {
  needs: string | null
  roles: ReadonlySet<string>
}

const cellsOf = (line: string) =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim().replaceAll('`', ''))

const guide = await readFile('docs/guides/rights.md', 'utf8')
const lines = guide.split('\n').filter((line) => line.startsWith('| `'))
const rows = new Map<string, Row>()
const amounts = new Map<string, readonly string[]>()
for (const line of lines) {
  const cells = cellsOf(line)
  const marked = new Set(roles.filter((_, n) => cells[cells.length - roles.length + n] === 'yes'))
  const [first = '', second = '', third = ''] = cells
  if (/^[A-Z]+ \//.test(first)) rows.set(first, { needs: third === 'nothing' ? null : third, roles: marked })
  else amounts.set(first, second === 'any permission' ? [] : second.split(' and '))
}

let server: TestServer
let world: World
/** Tokens of colleagues, by what they have. */
const ofRole = new Map<Role, string>()
const cookieOf = new Map<Role, string>()
const ofPermissions: { held: ReadonlySet<string>; token: string }[] = []

beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
  const { context } = server
  for (const role of roles) {
    const { userId, token } = await makeColleague(context, world.tenant, { role })
    ofRole.set(role, token)
    cookieOf.set(role, await makeSession(context, userId))
  }
  const sets = [
    ...specifiedPermissions.map((permission) => [permission]),
    ...Array.from({ length: specifiedPermissions.length + 1 }, (_, n) => specifiedPermissions.slice(0, n)),
  ]
  for (const permissions of sets) {
    const { token } = await makeColleague(context, world.tenant, { permissions })
    ofPermissions.push({ held: new Set(permissions), token })
  }
})
afterAll(() => server.close())

const cases = (kinds: readonly string[]) =>
  endpoints.filter(({ group }) => kinds.includes(group.caller ?? '')).map((each) => [nameOf(each), each] as const)

/** Paths that name nothing and empty bodies: whoever is let through is told so, and changes nothing. */
async function isOpen(endpoint: Endpoint, token: string | null, headers: Record<string, string> = {}) {
  const params = Object.fromEntries(Object.keys(world.params(endpoint)).map((name) => [name, '999999999']))
  const body = endpoint.method === 'GET' ? {} : { body: {} }
  const { status, text } = await callAs(server, world, endpoint, { token, params, headers, ...body })
  if (![200, 204, 403, 404, 422].includes(status)) throw new Error(`${status} ${text}`)
  return status !== 403
}

/** What the table says of permissions that were given one by one. */
function expected(needs: string | null, held: ReadonlySet<string>): boolean {
  if (needs === null) return true
  const amounting = amounts.get(needs)
  return amounting ? held.size > 0 && amounting.every((one) => held.has(one)) : held.has(needs)
}

describe('the table of rights', () => {
  test('has a row for every endpoint, and no other', () => {
    expect([...rows.keys()].sort()).toEqual(endpoints.map(nameOf).sort())
  })

  test('leaves to every user only what is about oneself', () => {
    const free = cases(['user']).filter(([name]) => rows.get(name)?.needs === null)
    expect(free.map(([name]) => name).sort()).toEqual([
      'DELETE /api/2.0/user/sessions/{session}',
      'DELETE /console/session',
      'GET /api/1.0/companies',
      'GET /api/1.0/companies/{company}',
      'GET /api/1.0/users/information',
      'GET /api/2.0/user/passkeys',
      'GET /api/2.0/user/second-factor',
      'GET /api/2.0/user/sessions',
      'GET /console/session',
      'POST /api/2.0/user/passkeys',
      'POST /api/2.0/user/passkeys/options',
      'POST /api/2.0/user/passkeys/{passkey}/remove',
      'POST /api/2.0/user/second-factor/recovery-codes',
      'POST /api/2.0/user/second-factor/remove',
      'POST /api/2.0/user/second-factor/totp',
      'POST /api/2.0/user/second-factor/totp/confirm',
      'POST /console/device/decide',
      'POST /console/device/look',
      'PUT /api/2.0/user/passkeys/{passkey}',
      'PUT /api/2.0/user/password',
    ])
  })

  test.each(cases(['user']))('%s opens to the roles it names', async (name, endpoint) => {
    const open: string[] = []
    for (const [role, token] of ofRole) if (await isOpen(endpoint, token)) open.push(role)
    expect(open).toEqual([...(rows.get(name)?.roles ?? [])])
  })

  test.each(cases(['user']))('%s opens to none to all permissions as it says', async (name, endpoint) => {
    const needs = rows.get(name)?.needs ?? null
    const wrong: string[] = []
    for (const { held, token } of ofPermissions) {
      const open = await isOpen(endpoint, token)
      if (open !== expected(needs, held)) wrong.push(`${open ? 'open' : 'shut'} with ${[...held].join()}`)
    }
    expect(wrong).toEqual([])
  })

  test.each(cases(['client', 'account']))('%s opens in the console to the roles it names', async (name, endpoint) => {
    const open: string[] = []
    for (const [role, cookie] of cookieOf) {
      const headers = {
        cookie,
        'x-entrepot-app': String(world.tenant.appId),
        ...(endpoint.group.caller === 'account' && { 'x-entrepot-account': String(world.tenant.accountId) }),
      }
      if (await isOpen(endpoint, null, headers)) open.push(role)
    }
    expect(open).toEqual([...(rows.get(name)?.roles ?? [])])
  })
})
