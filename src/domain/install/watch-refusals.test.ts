import { describe, expect, test } from 'vitest'
import {
  credentialsRefused,
  type RemoteAnswer,
  type RemoteRequest,
  refused,
  type Transport,
} from '../../commerce/remote.ts'
import { watchRefusals } from './watch-refusals.ts'

const no = (message: string): RemoteAnswer => ({ status: 401, headers: {}, body: { message } })
const url = 'https://shop.example/orders'

/** What is said of keys that the shop has refused, by what it says to those who bring none. */
async function explained(request: Partial<RemoteRequest>, withKeys: RemoteAnswer, without: RemoteAnswer | null) {
  const asked: RemoteRequest[] = []
  const transport: Transport = async ({ request: one }) => {
    asked.push(one)
    if (one.headers?.['authorization'] !== undefined || without === withKeys) return withKeys
    if (without === null) throw new Error('The shop is away.')
    return without
  }
  const watched = watchRefusals({ transport })
  await watched.context.transport({ url, request: { method: 'GET', path: '/orders', ...request } })
  const refusal = credentialsRefused(['token'])
  return { refusal, told: await watched.explain(refusal), asked }
}

const bearer = { headers: { authorization: 'Bearer 1', accept: 'application/json' } }

describe('keys that a shop has refused', () => {
  test('may not have reached it, where it says the same to nobody', async () => {
    const { told, asked } = await explained(bearer, no('Unauthorized'), no('Unauthorized'))
    expect(told).toMatchObject({
      kind: 'upstream_refused',
      message: 'The token was rejected by the shop. (and 1 more error)',
      errors: {
        'credentials.token': [
          'The token was rejected by the shop.',
          expect.stringMatching(/answers the same without any credentials.* drops the Authorization header/),
        ],
      },
    })
    expect(asked.map(({ headers }) => headers)).toEqual([bearer.headers, { accept: 'application/json' }])
  })

  test('have reached it, where it says something else to nobody', async () => {
    for (const other of [no('No token.'), { ...no('Unauthorized'), status: 403 }, null]) {
      const { told, refusal } = await explained(bearer, no('Unauthorized'), other)
      expect(told).toBe(refusal)
    }
  })

  test.each([{ headers: { 'x-api-key': '1' } }, { method: 'POST' as const, ...bearer }])(
    'are not tried again without a header that can be dropped, nor by anything but reading: %o',
    async (request) => {
      const { told, refusal, asked } = await explained(request, no('Unauthorized'), no('Unauthorized'))
      expect([told, asked.length]).toEqual([refusal, 1])
    },
  )

  test('are what it is about: any other fault stays as it is', async () => {
    const watched = watchRefusals({ transport: async () => no('Unauthorized') })
    const fault = refused('Out of stock.')
    expect(await watched.explain(fault)).toBe(fault)
  })
})
