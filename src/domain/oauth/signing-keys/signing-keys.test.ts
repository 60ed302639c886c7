import { randomBytes } from 'node:crypto'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { askToken, makeClient } from '../../../../test/support/identity.ts'
import { open } from '../../../lib/secret-box.ts'
import type { Context } from '../../context.ts'
import { verifyAccessToken } from '../access-token.ts'
import { currentSigningKey, publicKeys, rewrapSigningKeys, rotateSigningKey } from './signing-keys.ts'

let database: TestContext
let context: Context

beforeEach(async () => {
  database = await createTestContext()
  context = database.context
})

afterEach(() => database.close())

const token = async () => {
  const client = await makeClient(context)
  return (await askToken(context, { grant_type: 'client_credentials', ...client })).access_token
}

test('processes that need the first key at the same time agree on one', async () => {
  const keys = await Promise.all(Array.from({ length: 10 }, () => currentSigningKey(context)))
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(1)
  expect(await publicKeys(context.db)).toHaveLength(1)
})

test('anybody can verify a token by the published keys', async () => {
  const keySet = createLocalJWKSet({ keys: await publicKeysAfter(token()) })
  const { payload } = await jwtVerify(await token(), keySet, { issuer: context.publicUrl, typ: 'at+jwt' })
  expect(payload).toHaveProperty('kind', 'client')
})

async function publicKeysAfter(work: Promise<unknown>) {
  await work
  return await publicKeys(context.db)
}

test('after a rotation the new key signs and the old one still verifies, until its last token has expired', async () => {
  const before = await token()
  const kid = await rotateSigningKey(context)
  const after = await token()
  expect(decodeProtectedHeader(after).kid).toBe(kid)
  expect(await verifyAccessToken(context, before)).not.toBeNull()
  expect(await verifyAccessToken(context, after)).not.toBeNull()
  expect(await publicKeys(context.db)).toHaveLength(2)
  await database.database.query(`update signing_keys set retired_at = retired_at - interval '367 days'`)
  expect((await publicKeys(context.db)).map((key) => key.kid)).toEqual([kid])
})

test('parallel rotations leave exactly one key that signs', async () => {
  await Promise.allSettled(Array.from({ length: 5 }, () => rotateSigningKey(context)))
  const [row] = await database.database.query<{ n: number }>(
    'select count(*) as n from signing_keys where retired_at is null',
  )
  expect(row?.n).toBe(1)
  expect(await verifyAccessToken(context, await token())).not.toBeNull()
})

test('after re-wrapping the old master key is not needed any more', async () => {
  const before = await token()
  await rotateSigningKey(context)
  const newest = { id: 'newest', key: randomBytes(32) }
  const both = { ...context, keys: [newest, ...context.keys] as const }
  expect([await rewrapSigningKeys(both), await rewrapSigningKeys(both)]).toEqual([2, 0])
  const rows = await database.database.query<{ kid: string; sealed: Buffer }>(
    'select kid, private_key as sealed from signing_keys',
  )
  for (const { kid, sealed } of rows) expect(open([newest], sealed, `signing_keys|private_key|${kid}`)).toContain('KEY')
  expect(await verifyAccessToken(context, before)).not.toBeNull()
})

test('the private half is sealed, and opens neither with another master key nor in another row', async () => {
  await token()
  const [row] = await database.database.query<{ kid: string; sealed: Buffer }>(
    'select kid, private_key as sealed from signing_keys',
  )
  expect(row?.sealed.includes('PRIVATE KEY')).toBe(false)
  const sealed = row?.sealed ?? Buffer.alloc(0)
  expect(open(context.keys, sealed, `signing_keys|private_key|${row?.kid}`)).toContain('PRIVATE KEY')
  expect(() => open(context.keys, sealed, 'signing_keys|private_key|other')).toThrow()
  expect(() => open([{ id: 'test', key: randomBytes(32) }], sealed, `signing_keys|private_key|${row?.kid}`)).toThrow()
})
