import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { askToken, type Credentials, faultOf, logIn, makeClient, makeUser } from '../../../test/support/identity.ts'
import type { Context } from '../context.ts'
import type { User } from '../users/user.ts'
import { readLiveToken } from './callers/caller-store.ts'
import { introspectToken } from './introspect-token.ts'
import type { TokenAnswer } from './issue-token.ts'
import { revokeToken } from './revoke-token.ts'

let database: TestContext
let context: Context
let user: User
let client: Credentials

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
  user = await makeUser(context)
  client = await makeClient(context, { grant_types: ['password'] })
})

afterAll(() => database.close())

const refresh = (answer: Pick<TokenAnswer, 'refresh_token'>, more: object = {}) =>
  askToken(context, { grant_type: 'refresh_token', ...client, refresh_token: answer.refresh_token, ...more })

const hintOf = async (work: Promise<unknown>) => (await faultOf(work)).oauth?.hint

const alive = async (answer: TokenAnswer) => {
  const { jti = '' } = decodeJwt(answer.access_token)
  return (await readLiveToken(context.db, jti)) !== null
}

/** As if that much time had passed since every use so far. */
const passTime = () =>
  database.database.query(
    `update refresh_tokens set used_at = used_at - interval '11 seconds' where used_at is not null`,
  )

describe('a refresh token', () => {
  test('gives a new pair and ends the old one', async () => {
    const first = await logIn(context, client, user)
    const second = await refresh(first)
    expect(Object.keys(second)).toEqual(['token_type', 'expires_in', 'access_token', 'refresh_token'])
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect([await alive(first), await alive(second)]).toEqual([false, true])
    expect(await hintOf(refresh(first))).toBe('Token has been revoked')
  })

  test('is shown as good to its own client, as long as it is', async () => {
    const first = await logIn(context, client, user)
    const ask = (token: unknown, by = client) => introspectToken(context, { body: { ...by, token }, basic: null })
    const other = await makeClient(context, { grant_types: ['password'] })
    expect(await ask(first.refresh_token)).toMatchObject({ active: true, token_type: 'refresh_token' })
    expect(await ask(first.access_token)).toMatchObject({ active: true, token_type: 'Bearer' })
    for (const token of [first.refresh_token, first.access_token, 'nonsense']) {
      expect(await ask(token, other)).toEqual({ active: false })
    }
    const second = await refresh(first)
    expect([await ask(first.refresh_token), await ask(first.access_token)]).toEqual([
      { active: false },
      { active: false },
    ])
    expect(await ask(second.refresh_token)).toMatchObject({ active: true })
    await database.database.query(`update refresh_tokens set expires_at = now() where used_at is null`)
    expect(await ask(second.refresh_token)).toEqual({ active: false })
  })

  test('used by 20 at once works for exactly one, round after round, and the family lives on', async () => {
    let current = await logIn(context, client, user)
    for (let round = 0; round < 5; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => refresh(current)))
      const won = outcomes.filter((outcome) => outcome.status === 'fulfilled')
      expect(won).toHaveLength(1)
      const [winner] = won
      if (!winner) throw new Error('Nobody won.')
      current = winner.value
      expect(await alive(current)).toBe(true)
    }
  })

  test.each([1, 2, 5])('used again after %i generations ends the whole family', async (generations) => {
    const first = await logIn(context, client, user)
    let latest = first
    for (let generation = 0; generation < generations; generation++) latest = await refresh(latest)
    await passTime()
    expect(await hintOf(refresh(first))).toBe('Token has been revoked')
    expect(await alive(latest)).toBe(false)
    expect(await hintOf(refresh(latest))).toBe('Token has been revoked')
  })

  test('used again at once, when its successor was used already, ends the family', async () => {
    const first = await logIn(context, client, user)
    const latest = await refresh(await refresh(first))
    expect(await hintOf(refresh(first))).toBe('Token has been revoked')
    expect(await alive(latest)).toBe(false)
  })

  test('used again at once, when its successor was not, is refused and nothing else', async () => {
    const first = await logIn(context, client, user)
    const second = await refresh(first)
    expect(await hintOf(refresh(first))).toBe('Token has been revoked')
    expect(await alive(second)).toBe(true)
    expect((await refresh(second)).token_type).toBe('Bearer')
  })

  test('that is stolen and raced against its owner leaves no token alive', async () => {
    const stolen = await logIn(context, client, user)
    const owner = await refresh(stolen)
    await passTime()
    const outcomes = await Promise.allSettled([refresh(owner), refresh(stolen), refresh(owner), refresh(stolen)])
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') expect(await alive(outcome.value)).toBe(false)
    }
    expect(await alive(owner)).toBe(false)
  })

  test('of another client is refused and stays valid', async () => {
    const answer = await logIn(context, client, user)
    const other = await makeClient(context, { grant_types: ['password', 'refresh_token'] })
    expect(await hintOf(refresh(answer, other))).toBe('Token is not linked to client')
    expect((await refresh(answer)).token_type).toBe('Bearer')
  })

  test('that has expired is refused', async () => {
    const answer = await logIn(context, client, user)
    await database.database.query(`update refresh_tokens set expires_at = now() where revoked_at is null`)
    expect(await hintOf(refresh(answer))).toBe('Token has expired')
  })

  test('of a user who may no longer log in is refused', async () => {
    const leaver = await makeUser(context)
    const answer = await logIn(context, client, leaver)
    await database.database.query('update users set active = false where id = $1', [leaver.id])
    expect(await hintOf(refresh(answer))).toBe('Token has been revoked')
  })
})

describe('scopes on refresh', () => {
  const scopesOf = (answer: TokenAnswer) => decodeJwt(answer.access_token)['scopes']

  test('stay as they are if none, or an empty text, is asked for', async () => {
    const first = await logIn(context, client, user)
    expect(scopesOf(await refresh(await refresh(first), { scope: '' }))).toEqual(['*'])
  })

  test('can be narrowed from everything, and stay narrow', async () => {
    const narrow = await refresh(await logIn(context, client, user), { scope: 'app:flow-read app:account-read' })
    expect(scopesOf(narrow)).toEqual(['app:flow-read', 'app:account-read'])
    const still = await refresh(narrow)
    expect(scopesOf(still)).toEqual(['app:flow-read', 'app:account-read'])
    const narrower = await refresh(still, { scope: 'app:flow-read' })
    expect(scopesOf(narrower)).toEqual(['app:flow-read'])
    for (const scope of ['*', 'app:account-read', 'nope']) {
      const fault = await faultOf(refresh(narrower, { scope }))
      expect(fault.oauth).toMatchObject({ status: 400, error: 'invalid_scope', hint: `Check the \`${scope}\` scope` })
    }
    expect((await refresh(narrower)).token_type).toBe('Bearer')
  })
})

describe('revoking by RFC 7009', () => {
  const revoke = (token: string | undefined, as = client) =>
    revokeToken(context, { body: { ...as, token }, basic: null })

  test('a refresh token takes its family and access tokens along', async () => {
    const answer = await refresh(await logIn(context, client, user))
    await revoke(answer.refresh_token)
    expect(await alive(answer)).toBe(false)
    expect(await hintOf(refresh(answer))).toBe('Token has been revoked')
  })

  test('an access token goes alone', async () => {
    const answer = await logIn(context, client, user)
    await revoke(answer.access_token)
    expect(await alive(answer)).toBe(false)
    expect((await refresh(answer)).token_type).toBe('Bearer')
  })

  test('an unknown token is fine, and another client’s stays alive', async () => {
    const answer = await logIn(context, client, user)
    const other = await makeClient(context)
    await revoke('garbage')
    await revoke(answer.access_token, other)
    await revoke(answer.refresh_token, other)
    expect(await alive(answer)).toBe(true)
  })

  test('needs the client’s secret and a token', async () => {
    expect((await faultOf(revoke('x', { ...client, client_secret: 'wrong' }))).oauth?.error).toBe('invalid_client')
    expect((await faultOf(revoke(undefined))).oauth?.hint).toBe('Check the `token` parameter')
  })
})
