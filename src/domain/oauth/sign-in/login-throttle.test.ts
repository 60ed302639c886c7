import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { askToken, type Credentials, makeClient, makeUser, password } from '../../../../test/support/identity.ts'
import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { Fault } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import type { User } from '../../users/user.ts'
import { returnAttempts } from './login-store.ts'
import { payForAttempt } from './login-throttle.ts'

let database: TestContext
let context: Context
let client: Credentials

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
})

afterAll(() => database.close())

type Outcome = 'token' | 'invalid_grant' | 'too_many'

async function guess(user: Pick<User, 'email'>, more: { password?: string; address?: string } = {}): Promise<Outcome> {
  const body = { grant_type: 'password', ...client, username: user.email, password: more.password ?? 'wrong' }
  try {
    await askToken(context, body, more.address ? { address: more.address } : {})
    return 'token'
  } catch (error) {
    if (error instanceof Fault && error.kind === 'too_many') {
      expect(error.retryAfterSeconds).toBeGreaterThan(0)
      expect(error.retryAfterSeconds).toBeLessThanOrEqual(900)
      return 'too_many'
    }
    if (error instanceof Fault && error.oauth?.error === 'invalid_grant') return 'invalid_grant'
    throw error
  }
}

const count = (outcomes: readonly Outcome[], outcome: Outcome) => outcomes.filter((one) => one === outcome).length

describe('guessing a password', () => {
  beforeAll(async () => {
    client = await makeClient(context, { grant_types: ['password'] })
  })

  test('50 at once from 50 addresses: ten are looked at, and then not even the right one', async () => {
    const user = await makeUser(context)
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => guess(user, { address: `192.0.2.${index}` })),
    )
    expect([count(outcomes, 'invalid_grant'), count(outcomes, 'too_many')]).toEqual([10, 40])
    expect(await guess(user, { password, address: '192.0.2.99' })).toBe('too_many')
  })

  test('goes on where it was when the name is written otherwise', async () => {
    const { email } = await makeUser(context)
    for (let n = 0; n < 10; n++) {
      const written = n % 2 === 0 ? email : email.toUpperCase()
      expect(await guess({ email: written }, { address: `198.51.100.${n}` })).toBe('invalid_grant')
    }
    for (const written of [email, email.toUpperCase(), `${email[0]?.toUpperCase()}${email.slice(1)}`]) {
      expect(await guess({ email: written }, { address: '198.51.100.99' })).toBe('too_many')
    }
  })

  test('of a user who does not exist looks the same', async () => {
    const nobody = { email: 'nobody@example.com' }
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => guess(nobody, { address: '192.0.2.201' })))
    expect([count(outcomes, 'invalid_grant'), count(outcomes, 'too_many')]).toEqual([10, 2])
  })

  test('from elsewhere does not lock out who has logged in from here before', async () => {
    const user = await makeUser(context)
    const home = '198.51.100.7'
    expect(await guess(user, { password, address: home })).toBe('token')
    const outcomes = await Promise.all(
      Array.from({ length: 15 }, (_, index) => guess(user, { address: `192.0.3.${index}` })),
    )
    expect(count(outcomes, 'invalid_grant')).toBe(10)
    expect(await guess(user, { password, address: home })).toBe('token')
    const atHome = await Promise.all(Array.from({ length: 15 }, () => guess(user, { address: home })))
    expect([count(atHome, 'invalid_grant'), count(atHome, 'too_many')]).toEqual([10, 5])
  })

  test('begins anew when the window is over, and refusals do not make it longer', async () => {
    const user = await makeUser(context)
    await Promise.all(Array.from({ length: 12 }, () => guess(user, { address: '192.0.4.1' })))
    await database.database.query(`update rate_windows set resets_at = now() where key like 'login-%'`)
    expect(await guess(user, { password, address: '192.0.4.2' })).toBe('token')
  })

  test('correctly costs nothing, however often and however parallel', async () => {
    const user = await makeUser(context)
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => guess(user, { password, address: '192.0.5.1' })),
    )
    expect(count(outcomes, 'token')).toBe(30)
  })
})

describe('one password tried on many users', () => {
  const attempt = (name: string, known: boolean) => ({ username: name, clientId: 77, address: name, known })

  test('stops at 80 a minute for strangers and at 100 in all', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 120 }, (_, index) => payForAttempt(context.db, attempt(`s${index}`, false))),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(80)
    const known = await Promise.allSettled(
      Array.from({ length: 30 }, (_, index) => payForAttempt(context.db, attempt(`k${index}`, true))),
    )
    expect(known.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(20)
  })

  test('an attempt given back can be taken again, and a new window owes nothing', async () => {
    const one = { username: 'x', clientId: 78, address: 'x', known: false }
    for (let index = 0; index < 30; index++) await returnAttempts(context.db, await payForAttempt(context.db, one))
    const paid = await payForAttempt(context.db, one)
    await database.database.query(`update rate_windows set hits = 5, resets_at = resets_at + interval '1 minute'`)
    await returnAttempts(context.db, paid)
    const rows = await database.database.query<{ hits: number }>(
      `select hits from rate_windows where key = 'login-client:78'`,
    )
    expect(rows).toEqual([{ hits: 5 }])
  })
})

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:0db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('the address %s counts as %s', (address, block) => {
  expect(addressBlock(address)).toBe(block)
})
