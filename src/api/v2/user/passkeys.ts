import { Type } from 'typebox'
import { addPasskey, offerPasskey } from '../../../domain/oauth/second-factor/passkeys/add-passkey.ts'
import { findPasskey, listPasskeys, renamePasskey } from '../../../domain/oauth/second-factor/passkeys/passkey-store.ts'
import { removePasskey } from '../../../domain/oauth/second-factor/passkeys/remove-passkey.ts'
import { provePassword } from '../../../domain/oauth/sign-in/prove-password.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { findUser } from '../../../domain/users/user-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { nameText, object, text } from '../../../lib/validation/fields.ts'
import { listOf, nothing, record } from '../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { ceremonyOptions, passkeySchema, registrationResponse } from '../views/sign-in/passkey.ts'
import { recoveryCodesSchema } from '../views/sign-in/second-factor.ts'

const currentPassword = text({ max: 1024, trim: false })
const find = ({ context, caller, params }: Finding<UserCaller, 'passkey'>) =>
  findPasskey(context.db, caller.userId, recordId(params.passkey))

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/passkeys',
  extension: true,
  summary: 'List your passkeys',
  returns: listOf(passkeySchema),
  handle: ({ context, caller }) => listPasskeys(context.db, caller.userId),
})

const offer = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/passkeys/options',
  extension: true,
  summary: 'Begin to add a passkey',
  description: 'The answer is what `navigator.credentials.create` takes, as JSON (Web Authentication).',
  unauditedBecause: 'It changes nothing; adding the passkey does.',
  status: 200,
  body: object({ current_password: currentPassword }),
  example: { current_password: 'correct horse battery' },
  returns: record(ceremonyOptions),
  handle: async ({ context, caller, body, request }) => {
    await provePassword(context, caller, { current: body.current_password, address: request.address })
    return { ...(await offerPasskey(context, await findUser(context.db, caller, caller.userId))) }
  },
})

const add = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/passkeys',
  extension: true,
  summary: 'Add a passkey',
  description: 'The first second factor of a user comes with recovery codes, shown only here.',
  audits: 'secret',
  body: object({ name: nameText({ max: 100 }), response: registrationResponse }),
  example: {
    name: 'Laptop',
    response: {
      id: 'q2RhdGE',
      rawId: 'q2RhdGE',
      type: 'public-key',
      response: { clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4ifQ', attestationObject: 'o2NmbXQ' },
    },
  },
  returns: record(
    Type.Object({
      ...passkeySchema.properties,
      recovery_codes: Type.Union([recoveryCodesSchema.properties.recovery_codes, Type.Null()]),
    }),
  ),
  handle: async ({ context, caller, body }) => {
    const { passkey, recoveryCodes } = await addPasskey(context, caller, body)
    return { ...passkey, recovery_codes: recoveryCodes }
  },
})

const rename = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/passkeys/{passkey}',
  extension: true,
  summary: 'Rename a passkey',
  find,
  body: object({ name: nameText({ max: 100 }) }),
  example: { name: 'Laptop' },
  returns: record(passkeySchema),
  handle: ({ context, found, body }) => context.transaction((trx) => renamePasskey(trx, found.id, body.name)),
})

const remove = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/passkeys/{passkey}/remove',
  extension: true,
  summary: 'Remove a passkey',
  description: 'The last second factor stays where the company asks everybody for one.',
  find,
  body: object({
    current_password: currentPassword,
    code: text({ max: 64, description: 'Of the authenticator app, or a recovery code' }),
  }),
  example: { current_password: 'correct horse battery', code: '123456' },
  returns: nothing,
  handle: ({ context, caller, found, body, request }) =>
    removePasskey(context, caller, {
      id: found.id,
      proof: { current: body.current_password, code: body.code, address: request.address },
    }),
})

export const userPasskeys = [list, offer, add, rename, remove]
