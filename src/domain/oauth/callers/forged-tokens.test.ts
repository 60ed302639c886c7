import { createHmac, generateKeyPairSync, randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { decodeJwt, decodeProtectedHeader, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedFor } from '../../../../test/support/chance.ts'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { type Credentials, logIn, makeClient, makeUser } from '../../../../test/support/identity.ts'
import { type Listener, openListener } from '../../../runtime/db/listener.ts'
import type { Context } from '../../context.ts'
import type { User } from '../../users/user.ts'
import type { TokenAnswer } from '../issue-token.ts'
import { currentSigningKey, publicKeys } from '../signing-keys/signing-keys.ts'
import { createIdentifier, type Identifier } from './identify-caller.ts'

let database: TestContext
let context: Context
let listener: Listener
let identifier: Identifier
let passwordClient: Credentials
let user: User

beforeAll(async () => {
  database = await createTestContext()
  context = database.context
  listener = openListener({ url: database.url, log: context.log })
  identifier = createIdentifier({ db: context.db, publicUrl: context.publicUrl, listener })
  user = await makeUser(context)
  passwordClient = await makeClient(context, { grant_types: ['password'] })
})

afterAll(async () => {
  await listener.close()
  await database.close()
})

const identify = (token: string) => Promise.resolve(identifier.identify(token))

describe('a forged token', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  let answer: TokenAnswer
  let header: Record<string, unknown>
  let claims: JWTPayload

  beforeAll(async () => {
    answer = await logIn(context, passwordClient, user)
    header = { ...decodeProtectedHeader(answer.access_token) }
    claims = decodeJwt(answer.access_token)
  })

  /** Signed with our own key, yet not as we would. */
  const signed = async (changes: { header?: object; claims?: object }) => {
    const { key } = await currentSigningKey(context)
    return await new SignJWT({ ...claims, ...changes.claims })
      .setProtectedHeader({ ...header, alg: 'EdDSA', ...changes.header })
      .sign(key)
  }

  test('the same token made by hand is accepted, so that the others fail for their own reason', async () => {
    expect(await identify(await signed({}))).not.toBeNull()
  })

  test('signed by us with other words is refused', async () => {
    const past = Math.floor(Date.now() / 1000) - 3600
    const forged = await Promise.all([
      signed({ header: { typ: 'JWT' } }),
      signed({ header: { typ: undefined } }),
      signed({ header: { kid: 'nope' } }),
      signed({ header: { kid: undefined } }),
      signed({ header: { kid: '../../etc/passwd' } }),
      signed({ header: { kid: "' or '1'='1" } }),
      signed({ claims: { iss: 'https://evil.test' } }),
      signed({ claims: { iss: undefined } }),
      signed({ claims: { exp: past } }),
      signed({ claims: { exp: undefined } }),
      signed({ claims: { exp: 'never' } }),
      signed({ claims: { nbf: past + 7200 } }),
      signed({ claims: { jti: 'unknown' } }),
      signed({ claims: { jti: undefined } }),
      signed({ claims: { jti: 5 } }),
      signed({ claims: { jti: ["x' or true --"] } }),
    ])
    for (const token of forged) expect(await identify(token)).toBeNull()
  })

  test('with another algorithm or key is refused', async () => {
    const [jwk] = await publicKeys(context.db)
    const publicBytes = Buffer.from(jwk?.x ?? '', 'base64url')
    const body = encode(claims)
    const hmac = (head: string, key: string | Buffer) =>
      createHmac('sha256', key).update(`${head}.${body}`).digest('base64url')
    const stranger = generateKeyPairSync('ed25519').privateKey
    const forged: string[] = []
    for (const alg of ['none', 'None', 'NONE', '', null, 'HS256']) {
      const head = encode({ ...header, alg })
      forged.push(`${head}.${body}.`, `${head}.${body}`)
      for (const key of [publicBytes, JSON.stringify(jwk), jwk?.x ?? '', ''])
        forged.push(`${head}.${body}.${hmac(head, key)}`)
    }
    for (const extra of [
      {},
      { jwk },
      { jku: 'https://evil.test/keys' },
      { x5u: 'https://evil.test' },
      { crit: ['x'] },
    ]) {
      forged.push(
        await new SignJWT(claims)
          .setProtectedHeader({ ...header, alg: 'EdDSA', ...extra } as never)
          .sign(stranger)
          .catch(() => 'x'),
      )
    }
    for (const token of forged) expect(await identify(token)).toBeNull()
  })

  test('changed in any character is refused', async () => {
    const token = answer.access_token
    const flips = Array.from({ length: 120 }, (_, index) => {
      const at = Math.floor((index / 120) * token.length)
      return `${token.slice(0, at)}${token[at] === 'A' ? 'B' : 'A'}${token.slice(at + 1)}`
    })
    const last = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].map(
      (end) => token.slice(0, -1) + end,
    )
    const extended = ['=', 'A', '.', '.A', ' ', '\n', '\u0000'].map((tail) => token + tail)
    for (const forged of [...flips, ...last, ...extended]) {
      if (forged !== token) expect(await identify(forged)).toBeNull()
    }
  })

  test('a refresh token, an intent token, a client secret and the empty text are no access tokens', async () => {
    for (const other of [
      answer.refresh_token ?? '',
      randomBytes(32).toString('hex'),
      passwordClient.client_secret,
      '',
    ]) {
      expect(await identify(other)).toBeNull()
    }
  })

  test('an expired row is refused, whatever the token says', async () => {
    const expiring = await logIn(context, passwordClient, user)
    const { jti = '' } = decodeJwt(expiring.access_token)
    await database.database.query('update access_tokens set expires_at = now() where jti = $1', [jti])
    expect(await identify(expiring.access_token)).toBeNull()
  })

  test('garbage of any kind is refused and never throws', async () => {
    const part = fc.oneof(
      fc.string(),
      fc.base64String(),
      fc.json().map((text) => Buffer.from(text).toString('base64url')),
    )
    const garbage = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(part, { maxLength: 5 }).map((parts) => parts.join('.')),
    )
    await fc.assert(
      fc.asyncProperty(garbage, async (token) => (await identify(token)) === null),
      { numRuns: 300, seed: seedFor('forged-tokens') },
    )
    expect(await identify('a'.repeat(1_000_000))).toBeNull()
    expect(await identify(`${answer.access_token.split('.').slice(0, 2).join('.')}.${'A'.repeat(100_000)}`)).toBeNull()
  })
})
