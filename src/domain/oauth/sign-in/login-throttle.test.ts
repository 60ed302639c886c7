import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import {
  askToken,
  type Credentials,
  makeClient,
  makeCompany,
  makeUser,
  password,
} from '../../../../test/support/identity.ts'
import { wrongPassword } from '../../../../test/support/wrong-password.ts'
import { addressBlock } from '../../../lib/addresses/address-block.ts'
import { Fault } from '../../../lib/fault.ts'
import type { Context } from '../../context.ts'
import type { User } from '../../users/user.ts'
import { returnAttempts } from './login-store.ts'
import { payForAttempt, shortHash } from './login-throttle.ts'

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

  test('from one address: ten are looked at, and then not even the right one', async () => {
    const user = await makeUser(context)
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => guess(user, { address: '192.0.2.1' })))
    expect([count(outcomes, 'invalid_grant'), count(outcomes, 'too_many')]).toEqual([10, 20])
    expect(await guess(user, { password, address: '192.0.2.1' })).toBe('too_many')
  })

  test('of one user does not refuse the right password from an address never seen', async () => {
    const user = await makeUser(context)
    for (let n = 0; n < 10; n++) expect(await guess(user, { address: '192.0.2.2' })).toBe('invalid_grant')
    expect(await guess(user, { password, address: '192.0.2.99' })).toBe('token')
  })

  test('of many users from two addresses does not refuse anybody elsewhere', async () => {
    const guesses = (length: number, address: string) =>
      Promise.all(Array.from({ length }, (_, n) => guess({ email: `nobody-${n}@example.com` }, { address })))
    expect(count(await guesses(59, '198.51.100.1'), 'invalid_grant')).toBe(59)
    expect(count(await guesses(21, '198.51.100.2'), 'invalid_grant')).toBe(21)
    expect(await guess(await makeUser(context), { password, address: '198.51.100.3' })).toBe('token')
  })

  test('goes on where it was however the name is written', async () => {
    const { email } = await makeUser(context, { email: `mississippi-${randomUUID()}@example.com` })
    const wide = email.replace('m', 'ｍ')
    const outcomes: Outcome[] = []
    for (const written of [email, email.toUpperCase(), wide, wide.toUpperCase()]) {
      for (let n = 0; n < 4; n++) outcomes.push(await guess({ email: written }, { address: '198.51.100.9' }))
    }
    expect([count(outcomes, 'invalid_grant'), count(outcomes, 'too_many')]).toEqual([10, 6])
  })

  test('with another letter is about another user', async () => {
    const { email } = await makeUser(context, { email: `admin-${randomUUID()}@example.com` })
    const dotted = email.replace('i', '\u0130')
    expect(await guess({ email: dotted }, { password })).toBe('invalid_grant')
    expect(await guess({ email }, { password })).toBe('token')
  })

  test('tells those apart who had one address in two spellings before it was folded', async () => {
    const composed = 'jos\u00e9@example.com'
    const apart = 'jose\u0301@example.com'
    const first = await makeUser(context, { email: composed })
    const second = await makeUser(context, { password: 'another correct horse' })
    await database.database.query('update users set email = $2, email_folded = $2 where id = $1', [second.id, apart])
    expect(await guess(first, { password })).toBe('token')
    expect(await guess({ email: apart }, { password: 'another correct horse' })).toBe('token')
    expect(await guess({ email: apart }, { password })).toBe('invalid_grant')
  })

  test('at those who have one address is counted for all of them together, and refuses none of them elsewhere', async () => {
    const { email } = await makeUser(context)
    const other = { email, company_id: await makeCompany(context), password: 'another correct horse' }
    await makeUser(context, other)
    const outcomes = await Promise.all(Array.from({ length: 15 }, () => guess({ email }, { address: '192.0.6.1' })))
    expect([count(outcomes, 'invalid_grant'), count(outcomes, 'too_many')]).toEqual([10, 5])
    expect(await guess({ email }, { password, address: '192.0.6.2' })).toBe('token')
    expect(await guess({ email }, { password: other.password, address: '192.0.6.3' })).toBe('token')
  })

  test('from where somebody else with that address signs in counts as from anywhere', async () => {
    const { email } = await makeUser(context)
    const stranger = { email, company_id: await makeCompany(context), password: 'a stranger’s password' }
    await makeUser(context, stranger)
    const address = '192.0.6.4'
    expect(await guess({ email }, { password, address: '192.0.6.5' })).toBe('token')
    expect(await guess({ email }, { password: stranger.password, address })).toBe('token')
    const guesses = async () => {
      const key = `login-user:${shortHash(email)}`
      const rows = await database.database.query<{ hits: number }>('select hits from rate_windows where key = $1', [
        key,
      ])
      return rows[0]?.hits
    }
    expect(await guesses()).toBe(0)
    const wrong = { password: await wrongPassword(context, email), address }
    for (let n = 0; n < 3; n++) expect(await guess({ email }, wrong)).toBe('invalid_grant')
    expect(await guesses()).toBe(3)
    expect(await guess({ email }, { password: stranger.password, address })).toBe('token')
    expect(await guesses()).toBe(3)
  })

  test('of a user who does not exist looks the same', async () => {
    const nobody = { email: 'nobody@example.com' }
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => guess(nobody, { address: '192.0.2.201' })))
    expect([count(outcomes, 'invalid_grant'), count(outcomes, 'too_many')]).toEqual([10, 2])
  })

  test('from elsewhere does not hold up who has logged in from here before', async () => {
    const user = await makeUser(context)
    const home = '198.51.100.7'
    expect(await guess(user, { password, address: home })).toBe('token')
    const elsewhere = Array.from({ length: 16 }, (_, index) => guess(user, { address: `192.0.3.${index}` }))
    let answered = 0
    for (const one of elsewhere) one.then(() => answered++)
    expect(await guess(user, { password, address: home })).toBe('token')
    expect(answered).toBeLessThan(16)
    expect(count(await Promise.all(elsewhere), 'invalid_grant')).toBe(16)
    const atHome = await Promise.all(Array.from({ length: 15 }, () => guess(user, { address: home })))
    expect([count(atHome, 'invalid_grant'), count(atHome, 'too_many')]).toEqual([10, 5])
  })

  test('begins anew when the window is over, and refusals do not make it longer', async () => {
    const user = await makeUser(context)
    await Promise.all(Array.from({ length: 12 }, () => guess(user, { address: '192.0.4.1' })))
    await database.database.query(`update rate_windows set resets_at = now() where key like 'login-%'`)
    expect(await guess(user, { password, address: '192.0.4.1' })).toBe('token')
  })

  test('correctly costs nothing, however often and however parallel', async () => {
    const user = await makeUser(context)
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, () => guess(user, { password, address: '192.0.5.1' })),
    )
    expect(count(outcomes, 'token')).toBe(30)
  })
})

describe('an attempt', () => {
  test('at a user who is guessed at from everywhere is answered later and later, up to five seconds', async () => {
    const waits: number[] = []
    for (let n = 0; n < 17; n++) {
      const { waitSeconds } = await payForAttempt(context.db, { account: 'a', address: `a${n}`, known: false })
      waits.push(waitSeconds)
    }
    expect(waits).toEqual([...Array.from({ length: 10 }, () => 0), 0.25, 0.5, 1, 2, 4, 5, 5])
    const known = await payForAttempt(context.db, { account: 'a', address: 'home', known: true })
    expect(known.waitSeconds).toBe(0)
  })

  test('from one address at many users stops at 100 a minute', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 120 }, (_, n) =>
        payForAttempt(context.db, { account: `s${n}`, address: 'one', known: false }),
      ),
    )
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(100)
  })

  test('that is given back can be made again, and a new window owes nothing', async () => {
    const one = { account: 'x', address: 'x', known: false }
    const pay = async () => (await payForAttempt(context.db, one)).reserved
    for (let index = 0; index < 30; index++) await returnAttempts(context.db, await pay())
    const paid = await pay()
    await database.database.query(`update rate_windows set hits = 5, resets_at = resets_at + interval '1 minute'`)
    await returnAttempts(context.db, paid)
    const rows = await database.database.query<{ hits: number }>(
      `select hits from rate_windows where key = 'login-address:x'`,
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
