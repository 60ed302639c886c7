import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { createLog } from '../src/runtime/log.ts'
import { askToken, logIn, makeUser, password } from './support/identity.ts'
import { allOfThem, loggedRequests } from './support/requests.ts'
import { runsOver } from './support/runs-over.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { bodyEndpoints, validCall } from './support/valid-calls.ts'
import { callAs, makeWorld, nameOf, type World } from './support/world.ts'

/** Everything that opens something, wherever it came in or went out, is found neither in the database nor in the log. */

let server: TestServer
let world: World
const lines: string[] = []
/** By value, with where it was seen first. */
const secrets = new Map<string, string>()

beforeAll(async () => {
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  server = await startTestServer({
    log: createLog('trace', sink),
    works: true,
    requestLogDays: 3,
    requestRoom: allOfThem,
  })
  world = await makeWorld(server)
  await useEverything()
})
afterAll(() => server.close())

const secretNames =
  /^(password|password_confirmation|secret|client_secret|access_token|refresh_token|intent_token|token|gateway_key|api_key|consumer_secret|key)$/

function collect(from: string, value: unknown, isSecret = false): void {
  if (typeof value === 'string') {
    // Shorter ones are words of the tests, which stand in many places for other reasons.
    if (isSecret && value.length >= 12 && !secrets.has(value)) secrets.set(value, from)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) {
    // A schema only speaks of secrets, and the key of a movement of stock is what its caller calls it.
    if (name === 'properties' || 'on_hand_by' in value) continue
    collect(from, inner, secretNames.test(name) || name === 'credentials' || (isSecret && !Array.isArray(value)))
  }
}

async function useEverything(): Promise<void> {
  const { context } = server
  const { tenant, gatewayKey } = world
  collect('the world', { password, gateway_key: gatewayKey, ...tenant.appClient, ...tenant.passwordClient })
  for (const token of [tenant.userToken, tenant.appToken, tenant.accountToken]) collect('the world', { token })
  // Not the tenant's own user, who has a second factor.
  const session = await logIn(context, tenant.passwordClient, await makeUser(context))
  collect('a log-in', session)
  collect(
    'a refresh',
    await askToken(context, {
      grant_type: 'refresh_token',
      ...tenant.passwordClient,
      refresh_token: session.refresh_token,
    }),
  )
  for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
    collect(nameOf(endpoint), (await callAs(server, world, endpoint)).json)
  }
  for (const [n, endpoint] of bodyEndpoints.entries()) {
    const { params, body: valid } = await validCall(server, world, endpoint, n)
    const opensShop = nameOf(endpoint).endsWith('/install')
    const body = opensShop ? { ...valid, credentials: { api_key: `opens-shop-${randomUUID()}` } } : valid
    // Once well, under a key for which the answer is kept, and once so that it is refused.
    const headers = { 'idempotency-key': `key-${n}` }
    const answer = await callAs(server, world, endpoint, { params, body, headers })
    collect(nameOf(endpoint), body)
    collect(nameOf(endpoint), answer.json)
    await callAs(server, world, endpoint, {
      params,
      body: { ...body, name: 7, type: 7, grant_type: 'none', url: 'no' },
    })
  }
  await runsOver(server.context)
}

/** All rows of all tables as text, the queue's too; bytes come in hex. */
async function everythingStored(): Promise<Map<string, string>> {
  const { reader } = server.context
  const { rows: tables } = await reader.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const stored = new Map<string, string>()
  for (const { name } of tables) {
    const { rows } = await reader.query<{ row: string }>(`select t::text as row from ${name} t`)
    stored.set(name, rows.map(({ row }) => row).join('\n'))
  }
  return stored
}

/** As it is, in hex and in base64. */
const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('hex'),
  Buffer.from(secret).toString('base64').replace(/=+$/, ''),
]

test('secrets of every kind have come by', () => {
  const all = [...secrets.keys()]
  for (const kind of [/^gw_/, /^whsec_/, /^opens-shop-/, /^eyJ/, /^correct horse/]) {
    expect(
      all.some((secret) => kind.test(secret)),
      String(kind),
    ).toBe(true)
  }
  const seen = [...secrets.values()]
  expect(seen).toEqual(expect.arrayContaining(['POST /api/2.0/user/clients', 'POST /api/2.0/app/intent/{account}']))
})

test('none of them is in the database as it is', async () => {
  // The request log has these calls too, those that went well and those that were refused.
  const calls = await loggedRequests(server.context, ({ method }) => method === 'POST', 50)
  expect(calls.some(({ status }) => status < 300)).toBe(true)
  const stored = await everythingStored()
  expect(stored.get('public.orders')).toContain('EUR')
  const found = [...secrets].flatMap(([secret, from]) =>
    [...stored].flatMap(([table, text]) =>
      formsOf(secret).some((form) => text.includes(form)) ? [`${table} holds what came by in ${from}`] : [],
    ),
  )
  expect(found).toEqual([])
})

test('none of them is in the log, down to its smallest lines', () => {
  const log = lines.join('')
  expect(log).toContain('"msg":"request"')
  const found = [...secrets].filter(([secret]) => formsOf(secret).some((form) => log.includes(form)))
  expect(found.map(([secret, from]) => `${from}: ${secret.slice(0, 4)}…`)).toEqual([])
})
