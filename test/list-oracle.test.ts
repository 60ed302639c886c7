import { afterAll, beforeAll, expect, test } from 'vitest'
import { askTwice } from './prove/list-oracle.ts'
import { makeUser } from './support/identity.ts'
import { makeTenant, startTestServer, type TestServer } from './support/server.ts'

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
})

test('an address is found however its letters are written', async () => {
  const { context } = server
  const { companyId, userToken: token } = await makeTenant(context)
  const { id } = await makeUser(context, { company_id: companyId, email: 'Ada.O"Hara@Example.com' })
  for (const email of ['Ada.O"Hara@Example.com', 'ada.o"hara@example.COM', 'x@example.com,ADA.o"hara@example.com']) {
    const { json } = await server.call('GET', `/api/1.0/users?email=${encodeURIComponent(email)}`, { token })
    expect(json['data']).toMatchObject([{ id }])
  }
})
