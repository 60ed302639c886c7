import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import type { Endpoint } from '../src/runtime/http/endpoint.ts'
import { bodyPointingAt } from './support/bodies.ts'
import { changedRows, type Snapshot, snapshot } from './support/rows.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { callAs, makeWorld, nameOf, type World } from './support/world.ts'

/**
 * Every endpoint, called by somebody else: with the ids of a foreign tenant in the path and in the body, and with one's
 * own ids in the path and foreign ones in the body. Nothing of the foreign tenant may show, and none of its rows change.
 */

let server: TestServer
let victim: World
let stranger: World
let before: Snapshot

beforeAll(async () => {
  server = await startTestServer()
  victim = await makeWorld(server)
  before = await snapshot(server.context.db)
  stranger = await makeWorld(server)
})
afterAll(() => server.close())

const cases = endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const)

/** Public by design: one catalogue for everybody. */
const shared = /\/services(-type)?(\/|$)/

describe('a stranger', () => {
  test.each(cases)('%s with foreign ids shows and changes nothing', async (_, endpoint) => {
    for (const attempt of attempts(endpoint)) {
      const answer = await callAs(server, stranger, endpoint, attempt)
      const seen = answer.text + JSON.stringify(answer.headers)
      // What was sent may come back in an error; what was never sent may not.
      expect(seen.replaceAll(JSON.stringify(attempt.body ?? ''), ''), attempt.what).not.toContain(victim.canary)
      if (attempt.foreignPath && !isShared(endpoint)) {
        expect([401, 403, 404], `${attempt.what}: ${answer.status} ${answer.text}`).toContain(answer.status)
      }
      expect(answer.status, answer.text).not.toBe(500)
    }
  })

  test('leaves every foreign row as it was', async () => {
    expect(changedRows(before, await snapshot(server.context.db))).toEqual([])
  })
})

interface Attempt {
  what: string
  params: Record<string, string>
  body?: Record<string, unknown>
  headers?: Record<string, string>
  foreignPath: boolean
}

function attempts(endpoint: Endpoint): Attempt[] {
  const foreign = victim.params(endpoint)
  const own = stranger.params(endpoint)
  // A store's address is in the path of a webhook: it is no secret, so it does not count as seen.
  delete foreign['store']
  const path = { ...own, ...foreign }
  const takesBody = endpoint.method !== 'GET'
  const body = takesBody ? { body: bodyPointingAt(endpoint, victim) } : {}
  const hasForeign = Object.entries(path).some(([name, value]) => own[name] !== value)
  return [
    ...(hasForeign ? [{ what: 'foreign path', params: path, ...body, foreignPath: true }] : []),
    ...Object.keys(path)
      .filter((name) => Object.keys(path).length > 1 && own[name] !== path[name])
      .map((name) => ({
        what: `own path but for ${name}`,
        params: { ...own, [name]: path[name] ?? '' },
        ...body,
        foreignPath: true,
      })),
    ...(takesBody && !isDestructive(endpoint)
      ? [{ what: 'foreign body', params: own, ...body, foreignPath: false }]
      : [{ what: 'own', params: own, foreignPath: false }].filter(() => endpoint.method === 'GET')),
    ...(endpoint.group.admitHeader
      ? [
          {
            what: 'foreign gateway key',
            params: path,
            ...body,
            headers: { 'x-gateway-key': victim.gatewayKey },
            foreignPath: true,
          },
        ]
      : []),
  ]
}

/** Would take the stranger's own world away, on which the other cases stand. */
const isDestructive = ({ method, path }: Endpoint) =>
  method === 'DELETE' || /\/(uninstall|services-sync|status)$/.test(path)

const isShared = (endpoint: Endpoint) =>
  endpoint.group.caller === null || (endpoint.method === 'GET' && shared.test(endpoint.path))
