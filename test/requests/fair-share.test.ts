import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTenant, startTestServer, type TestServer, type TestTenant } from '../support/server.ts'
import { makeWorld, type World } from '../support/world.ts'

let server: TestServer
let world: World
let stranger: TestTenant
beforeAll(async () => {
  server = await startTestServer()
  world = await makeWorld(server)
  stranger = await makeTenant(server.context)
})
afterAll(() => server.close())

/** As if somebody else were changing the account and took his time. */
async function holdAccount(id: string): Promise<{ end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('select from accounts where id = $1 for update', [id])
  return {
    async end() {
      await client.query('commit')
      await client.end()
    },
  }
}

test('whoever asks for more at once than the database has connections has others wait for none', async () => {
  const id = String(world.ids.account)
  const held = await holdAccount(id)
  const ended: string[] = []
  const path = `/api/2.0/app/accounts/${id}`
  const changes = Array.from({ length: 30 }, (_, n) =>
    server
      .call('PUT', path, { token: world.tenant.appToken, body: { name: `account ${n}` } })
      .finally(() => ended.push('a change')),
  )
  const list = await server.call('GET', '/api/2.0/app/accounts', { token: stranger.appToken })
  ended.push('the list')
  await held.end()
  expect({ ended: ended[0], status: list.status }).toEqual({ ended: 'the list', status: 200 })
  const answers = await Promise.all(changes)
  expect(answers.map(({ status, text }) => (status === 200 ? status : text))).toEqual(Array(30).fill(200))
})
