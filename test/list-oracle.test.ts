import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTwice } from './prove/list-oracle.ts'
import { startTestServer, type TestServer } from './support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('lists answer the same, byte for byte, whatever else is in the tables', async () => {
  const { differences, answered, compared } = await askTwice(server, { queries: 240, rows: 20 })
  expect(differences).toEqual([])
  expect(compared).toBeGreaterThan(240)
  expect(answered).toBeGreaterThan(60)
}, 60_000)
