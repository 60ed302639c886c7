import { Type } from 'typebox'
import {
  removeTotp,
  renewRecoveryCodes,
  resetSecondFactor,
} from '../../../domain/oauth/second-factor/change-second-factor.ts'
import { beginTotp, confirmTotp } from '../../../domain/oauth/second-factor/enrol-totp.ts'
import { readSecondFactor } from '../../../domain/oauth/second-factor/second-factor-store.ts'
import { markSecondFactor } from '../../../domain/oauth/sign-in/console-session-store.ts'
import { provePassword } from '../../../domain/oauth/sign-in/prove-password.ts'
import { findUser } from '../../../domain/users/user-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { object, text } from '../../../lib/validation/fields.ts'
import { nothing, record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { enrolmentSchema, recoveryCodesSchema } from '../views/sign-in/second-factor.ts'

const currentPassword = text({ max: 1024, trim: false })
const code = text({ max: 64, description: 'Of the authenticator app, or a recovery code' })

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/second-factor',
  extension: true,
  summary: 'Whether you have a second factor',
  returns: record(
    Type.Object({
      totp_since: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
      passkeys: Type.Integer(),
      recovery_codes_left: Type.Integer(),
      required: Type.Boolean({ description: 'The company demands one of everybody' }),
    }),
  ),
  handle: ({ context, caller }) => readSecondFactor(context.db, caller.userId),
})

const enrol = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/second-factor/totp',
  extension: true,
  summary: 'Set up an authenticator app',
  description: 'The secret is shown only here. It counts once a code of it was confirmed.',
  body: object({ current_password: currentPassword }),
  example: { current_password: 'correct horse battery' },
  returns: record(enrolmentSchema),
  handle: async ({ context, caller, body, request }) => {
    await provePassword(context, caller, { current: body.current_password, address: request.address })
    return await beginTotp(context, await findUser(context.db, caller, caller.userId))
  },
})

const confirm = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/second-factor/totp/confirm',
  extension: true,
  summary: 'Confirm the authenticator app with a code',
  description: 'From now on signing in takes a code. The answer has the recovery codes, shown only here.',
  audits: 'secret',
  status: 200,
  body: object({ code: text({ max: 64, description: 'Of the authenticator app' }) }),
  example: { code: '123456' },
  returns: record(recoveryCodesSchema),
  handle: async ({ context, caller, body, request }) => ({
    recovery_codes: await confirmTotp(
      context,
      { userId: caller.userId, code: body.code, address: request.address },
      (trx) => markSecondFactor(trx, caller.tokenId),
    ),
  }),
})

const proofs = object({ current_password: currentPassword, code })
const proofExample = { current_password: 'correct horse battery', code: '123456' }

const remove = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/second-factor/remove',
  extension: true,
  summary: 'Remove your authenticator app',
  description: 'The last second factor stays where the company asks everybody for one.',
  body: proofs,
  example: proofExample,
  returns: nothing,
  handle: ({ context, caller, body, request }) =>
    removeTotp(context, caller, { current: body.current_password, code: body.code, address: request.address }),
})

const renew = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/second-factor/recovery-codes',
  extension: true,
  summary: 'Get new recovery codes',
  description: 'The old ones open nothing any more.',
  audits: 'secret',
  body: proofs,
  example: proofExample,
  returns: record(recoveryCodesSchema),
  handle: async ({ context, caller, body, request }) => ({
    recovery_codes: await renewRecoveryCodes(context, caller, {
      current: body.current_password,
      code: body.code,
      address: request.address,
    }),
  }),
})

const reset = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/users/{user}/second-factor/reset',
  right: 'update-user',
  extension: true,
  summary: "Reset a colleague's second factor",
  description: 'For somebody who has lost device and recovery codes: the next sign-in takes the password alone.',
  find: ({ context, caller, params }) => findUser(context.db, caller, recordId(params.user)),
  returns: nothing,
  handle: ({ context, caller, found }) => resetSecondFactor(context, caller, found.id),
})

export const userSecondFactor = [get, enrol, confirm, remove, renew, reset]
