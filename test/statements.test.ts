import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { dataPlane } from '../src/runtime/db/citus/data-plane.ts'
import type { ListOptions } from '../src/runtime/http/input/list-query.ts'
import { populate } from './support/populate.ts'
import { startTestServer, type TestAnswer, type TestServer } from './support/server.ts'
import { tablesIn } from './support/sql-statements.ts'
import { bodyEndpoints, validCall } from './support/valid-calls.ts'
import { watchStatements } from './support/watch-statements.ts'
import { callAs, makeWorld, nameOf, type World } from './support/world.ts'

/** How often a request asks the database, and what. */

let server: TestServer
let world: World
let watch: ReturnType<typeof watchStatements>

beforeAll(async () => {
  watch = watchStatements()
  server = await startTestServer()
  world = await makeWorld(server)
  await populate(server.context, world, 130)
  // So that every caller is known, as it is from the second request on.
  for (const { userToken, appToken, accountToken } of [world.tenant]) {
    await server.call('GET', '/api/1.0/users/information', { token: userToken })
    await server.call('GET', '/api/2.0/app/flows', { token: appToken })
    await server.call('GET', '/api/2.0/webcomponent/app', { token: accountToken })
  }
})
afterAll(async () => {
  watch.stop()
  await server.close()
})

const maxStatements = 6

/** Of three times, because what is remembered for a second is asked for by whoever comes next. */
async function fewest(work: () => Promise<TestAnswer>) {
  const times = [await watch.during(work), await watch.during(work), await watch.during(work)] as const
  return times.reduce((least, time) => (time.statements.length < least.statements.length ? time : least))
}

test('a hundred integrations with their services and schedules take no query per row', async () => {
  const path = '/api/2.0/app/integrations?include=service,schedules&per_page=100'
  const { result, statements } = await fewest(() => server.call('GET', path, { token: world.tenant.appToken }))
  const rows = result.json['data'] as { service: { id: number }; schedules: unknown[] }[]
  expect(rows).toHaveLength(100)
  expect(rows.filter(({ service, schedules }) => service.id > 0 && schedules.length > 0).length).toBeGreaterThan(70)
  expect(statements.length).toBeGreaterThan(0)
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(maxStatements)
})

const lists = endpoints.filter(({ returns, group }) => returns.kind === 'page' && group.caller !== null)

test.each(lists.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s asks as often for a hundred as for one, with everything that can be included',
  async (_, endpoint) => {
    const { include } = endpoint.query as ListOptions
    const ask = (size: number) =>
      fewest(() => callAs(server, world, endpoint, { search: `?per_page=${size}&include=${include.join(',')}` }))
    const [one, hundred] = [await ask(1), await ask(100)]
    expect([one.result.status, hundred.result.status]).toEqual([200, 200])
    expect((hundred.result.json['data'] as unknown[]).length).toBeGreaterThan(40)
    expect(hundred.statements.length).toBe(one.statements.length)
    // The gateway key and the record of the path are looked up before.
    expect(hundred.statements.length, hundred.statements.join('\n')).toBeLessThanOrEqual(maxStatements + 1)
  },
)

describe('what is sent to the data plane', () => {
  test('names the integration once for each table, whichever endpoint is called', async () => {
    const { statements } = await watch.during(async () => {
      for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) await callAs(server, world, endpoint)
      for (const [n, endpoint] of bodyEndpoints.entries()) {
        const { params, body } = await validCall(server, world, endpoint, n)
        await callAs(server, world, endpoint, { params, body })
      }
    })
    const data = [...new Set(statements)].filter((text) => tablesIn(text, dataPlane).length > 0)
    expect(data.length).toBeGreaterThan(25)
    const short = data.filter((text) => (text.match(/integration_id/g) ?? []).length < tablesIn(text, dataPlane).length)
    expect(short).toEqual([])
  })
})
