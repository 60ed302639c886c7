import { expect, test } from 'vitest'
import { guard } from './guard.ts'

test('who owns a block of addresses has one allowance for all of them', async () => {
  const counted: string[] = []
  const options = {
    identify: () => null,
    limiter: {
      async hit(subject: string) {
        counted.push(subject)
        return { allowed: true, limit: 1, remaining: 0, resetsAt: 0 }
      },
    },
    limits: { user: 1, client: 1, account: 1, token: 1 },
  }
  const open = { group: { caller: null, rate: 'token' } }
  for (const address of ['2001:db8::1', '2001:db8::ffff:2', '2001:db8:0:1::1', '192.0.2.1']) {
    await guard(open as never, options as never, { authorization: undefined, address })
  }
  const [first, second, ...others] = counted
  expect(second).toBe(first)
  expect(new Set([first, ...others]).size).toBe(3)
})
