import { afterAll, beforeAll, expect, test } from 'vitest'
import { patience } from '../support/patience.ts'
import { makeTenant, startTestServer, type TestServer } from '../support/server.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer({ patience: { ...patience, lockTimeoutMs: 2000 } })
})
afterAll(() => server.close())

test('a request that waits too long for a lock is 503 and not a mistake of ours', async () => {
  const { context } = server
  const { userId, userToken } = await makeTenant(context)
  await context.transaction(async (trx) => {
    await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    const answer = await server.call('PUT', `/api/1.0/users/${userId}`, { token: userToken, body: { name: 'Later' } })
    expect([answer.status, answer.json]).toEqual([503, { message: 'Service Unavailable' }])
    expect(answer.headers['retry-after']).toBe('1')
  })
})
