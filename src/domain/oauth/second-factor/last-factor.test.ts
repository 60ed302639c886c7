import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { actorFor, makeCompany, makeUser, password } from '../../../../test/support/identity.ts'
import { justBefore } from '../../../../test/support/just-before.ts'
import type { UserCaller } from '../../tenant.ts'
import { removeTotp } from './change-second-factor.ts'
import { removePasskey } from './passkeys/remove-passkey.ts'
import { newRecoveryCodes } from './recovery-codes.ts'
import { confirmTotpSecret, readSecondFactor, replaceRecoveryCodes, saveTotpSecret } from './second-factor-store.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext()
})
afterAll(() => tested.close())

test('of the two last factors that a company asks for, one stays, also where both are taken away at the same moment', async () => {
  const { context } = tested
  const companyId = await makeCompany(context)
  const user = await makeUser(context, { company_id: companyId })
  await saveTotpSecret(context.db, context.keys, { userId: user.id, secret: 'JBSWY3DPEHPK3PXP' })
  await confirmTotpSecret(context.db, user.id, 1)
  const { id } = await context.db
    .insertInto('passkeys')
    .values({
      ...{ user_id: user.id, name: 'Key', credential_id: randomBytes(16), public_key: randomBytes(32) },
      ...{ counter: 0, transports: [], backed_up: false },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await context.db.updateTable('companies').set({ require_second_factor: true }).where('id', '=', companyId).execute()
  const [one = '', other = ''] = newRecoveryCodes()
  await replaceRecoveryCodes(context.db, user.id, [one, other])
  const caller: UserCaller = {
    ...{ kind: 'user', tokenId: -1, clientId: 0, scopes: ['*'], subject: `user:${user.id}` },
    ...actorFor(user),
  }
  const proof = (code: string) => ({ current: password, code, address: '203.0.113.7' })
  const ends = await justBefore(
    context,
    (held) => removeTotp(held, caller, proof(one)),
    () => removePasskey(context, caller, { id, proof: proof(other) }),
  )
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { errors: { second_factor: [expect.stringContaining('the last one')] } } },
  ])
  expect(await readSecondFactor(context.db, user.id)).toMatchObject({ totp_since: null, passkeys: 1 })
})
