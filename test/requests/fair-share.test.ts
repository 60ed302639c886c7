import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askToken, makeClient } from '../support/identity.ts'
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
async function holdAccount(id: string): Promise<{ waiting(): Promise<number>; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query('select from accounts where id = $1 for update', [id])
  return {
    /** How many connections wait for it. */
    async waiting(): Promise<number> {
      const { rows } = await client.query(
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      return rows[0].n
    },
    async end() {
      await client.query('commit')
      await client.end()
    },
  }
}

/** Tokens of so many clients of an app. */
const tokensOf = (clients: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: clients }, async () => {
      const credentials = await makeClient(server.context, { app_id: world.tenant.appId })
      return (await askToken(server.context, { grant_type: 'client_credentials', ...credentials })).access_token
    }),
  )

test.each([1, 10])(
  'whoever asks for more at once than the database has connections has others wait for none, with clients: %i',
  async (clients) => {
    const tokens = await tokensOf(clients)
    // Who they are is known from here on.
    for (const token of [...tokens, stranger.appToken]) await server.call('GET', '/api/2.0/app/accounts', { token })
    const id = String(world.ids.account)
    const held = await holdAccount(id)
    const ended: string[] = []
    const path = `/api/2.0/app/accounts/${id}`
    const changes = Array.from({ length: 30 }, (_, n) =>
      server
        .call('PUT', path, { token: tokens[n % clients] ?? null, body: { name: `account ${n}` } })
        .finally(() => ended.push('a change')),
    )
    let before = 0
    const allThatWill = async () => {
      const now = await held.waiting()
      const isSame = now === before
      before = now
      return isSame && now > 1
    }
    await expect.poll(allThatWill, { interval: 100 }).toBe(true)
    const list = await server.call('GET', '/api/2.0/app/accounts', { token: stranger.appToken })
    ended.push('the list')
    await held.end()
    expect({ ended: ended[0], status: list.status }).toEqual({ ended: 'the list', status: 200 })
    const answers = await Promise.all(changes)
    expect(answers.map(({ status, text }) => (status === 200 ? status : text))).toEqual(Array(30).fill(200))
  },
)
