import { afterAll, beforeAll, expect, test } from 'vitest'
import { compareVersions } from '../prove/same-data.ts'
import { startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('what is done through one version is seen through the other, alike', async () => {
  const { applied, differences } = await compareVersions(server, 120)
  expect(differences).toEqual([])
  expect(applied).toBeGreaterThan(60)
})
