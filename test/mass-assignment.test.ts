import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Stage, setStage } from './prove/mass-assignment.ts'
import { startTestServer, type TestServer } from './support/server.ts'
import { bodyEndpoints } from './support/valid-calls.ts'
import { makeWorld, nameOf } from './support/world.ts'

/** Fields that an endpoint does not ask for: every column there is, in every body, in every form. */

let server: TestServer
let stage: Stage

beforeAll(async () => {
  server = await startTestServer()
  const foreign = await makeWorld(server)
  stage = await setStage(server, await makeWorld(server), foreign)
})
afterAll(() => server.close())

describe('fields that nobody asked for', () => {
  test.each(bodyEndpoints.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    '%s leaves them alone',
    async (_, endpoint) => expect(await stage.tryTogether(endpoint)).toEqual([]),
  )

  test('were all columns of all tables', () => {
    expect(stage.columns).toBeGreaterThan(140)
    expect(bodyEndpoints.length).toBeGreaterThan(55)
  })
})
