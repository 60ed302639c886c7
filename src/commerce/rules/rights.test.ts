import { expect, test } from 'vitest'
import { Fault } from '../../lib/fault.ts'
import { credentialsRefused, type RemoteRequest, shopAway } from '../remote.ts'
import { isRightsMissing, rightsMissing, rightsRefused } from './rights.ts'

const orders = { name: 'orders (write)', where: 'Settings > Apps' }

test('rights that are missing are named, each place once, with what the shop says', () => {
  const fault = rightsMissing([orders, { ...orders, name: 'products' }, { name: 'stock', where: 'Users' }], {
    message: 'No.',
  })
  const sentence =
    'The credentials lack rights in the shop: orders (write), products, stock. Grant them under Settings > Apps; Users. The shop says: "No."'
  expect(fault.message).toBe(sentence)
  expect(fault).toMatchObject({ kind: 'upstream_refused', errors: { rights: [sentence] } })
})

test('they are told from other refusals', () => {
  const others = [
    credentialsRefused(),
    shopAway(),
    new Fault('invalid', 'x', { errors: { rights: ['x'] } }),
    new Fault('upstream_refused', 'x'),
    new Error('rights'),
    null,
  ]
  expect([rightsMissing([orders]), ...others].map(isRightsMissing)).toEqual([true, ...others.map(() => false)])
})

test('rights are tried out where the platform lists them nowhere; what it does not say is not missing', async () => {
  const answers: Readonly<Record<string, number | Error>> = {
    '/allowed': 200,
    '/not-found': 404,
    '/forbidden': 403,
    '/denied': rightsMissing([orders]),
    '/away': shopAway(),
  }
  const asked: RemoteRequest[] = []
  const remote = {
    request: async (request: RemoteRequest) => {
      asked.push(request)
      const answer = answers[request.path] ?? credentialsRefused()
      if (typeof answer !== 'number') throw answer
      return { status: answer, headers: {}, body: null }
    },
  }
  const right = (path: string) => ({ name: path, where: 'Users', request: { method: 'GET', path } as const })
  const tried = Object.keys(answers).map(right)
  expect(await rightsRefused(remote, tried)).toEqual([
    { name: '/forbidden', where: 'Users' },
    { name: '/denied', where: 'Users' },
  ])
  expect(asked[0]).toEqual({ method: 'GET', path: '/allowed', repeatable: true })
  await expect(rightsRefused(remote, [right('/else')])).rejects.toThrow('credentials')
})
