import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '../src/api/index.ts'
import { makeCast } from './prove/tenancy.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { nameOf } from './support/world.ts'

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
