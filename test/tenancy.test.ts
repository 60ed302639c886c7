import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { makeCast } from './prove/tenancy.ts'
import { tryForeign } from './support/foreign.ts'
import { dissolveCompanies, fillDrawers, makeTwin } from './support/look-alikes.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { makeWorld, nameOf, type World } from './support/world.ts'

/**
 * Every endpoint, called with what belongs to somebody else: in the path, in the body, and as the key. Nothing foreign
 * may show, no foreign row change, none be added. The proof does the same with more foreign tenants.
 */

let server: TestServer
let cast: Awaited<ReturnType<typeof makeCast>>

beforeAll(async () => {
  server = await startTestServer()
  cast = await makeCast(server, 1)
})
afterAll(() => server.close())

describe('what belongs to somebody else', () => {
  test.each(endpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s neither shows nor takes it',
    async (_, endpoint) => {
      expect((await cast.tryAll(endpoint)).problems).toEqual([])
    },
  )

  test('is as it was, and nothing was added to it', async () => {
    expect(await cast.changed()).toEqual([])
  })

  test('carries a canary wherever a column holds text', () => {
    expect(cast.filled).toBeGreaterThan(80)
  })
})

describe('without a company on either side', () => {
  let alone: TestServer
  let own: World
  let foreign: World
  beforeAll(async () => {
    ;[own, foreign] = [await makeWorld(server), await makeWorld(server)]
    for (const world of [own, foreign]) {
      await fillDrawers(server.context.db, world)
      await makeTwin(server.context.db, world)
    }
    await dissolveCompanies(server.context.db)
    // One that remembers nobody.
    alone = await startTestServer({ databaseUrl: server.databaseUrl })
  })
  afterAll(() => alone.close())

  const ofUsers = endpoints.filter(({ group, path }) => group.caller === 'user' && !path.startsWith('/companies'))

  test.each(ofUsers.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s neither shows nor takes what is another user’s',
    async (_, endpoint) => {
      expect(await tryForeign(alone, { own, foreign, mayShow: [own] }, endpoint)).toEqual([])
    },
  )
})
