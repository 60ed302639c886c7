import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server'
import { invalidField } from '../../../../lib/fault.ts'
import type { Context } from '../../../context.ts'
import { countUse, keepChallenge, readKey, readKeysOf, spendChallenge } from './passkey-store.ts'
import { relyingParty, userHandle, webAuthn } from './relying-party.ts'

/** Any passkey that the authenticator has for us, or where the user is known one of theirs. */
export async function askForPasskey(
  context: Pick<Context, 'db' | 'publicUrl'>,
  userId: number | null,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const { db } = context
  const keys = userId === null ? [] : await readKeysOf(db, userId)
  const { generateAuthenticationOptions } = await webAuthn()
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(context).id,
    userVerification: 'required',
    allowCredentials: keys.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
  })
  await keepChallenge(db, options.challenge, null)
  return options
}

/** What a browser gives back; extensions are not asked for. */
export type PasskeyAnswer = Omit<AuthenticationResponseJSON, 'clientExtensionResults'>

/** Whose passkey it is. One that was copied shows by its counter, and is refused. */
export async function provePasskey(
  context: Pick<Context, 'db' | 'publicUrl' | 'say'>,
  response: PasskeyAnswer,
): Promise<number> {
  const { db } = context
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(context)
  const key = await readKey(db, Buffer.from(response.id, 'base64url'))
  if (key) context.say?.({ userId: key.userId, detail: 'passkey' })
  const handle = response.response.userHandle
  const isTheirs = handle === undefined || (key && handle === Buffer.from(userHandle(key.userId)).toString('base64url'))
  if (!key || !isTheirs) throw passkeyRefused()
  const { verifyAuthenticationResponse } = await webAuthn()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...response, clientExtensionResults: {} },
    expectedRPID,
    expectedOrigin,
    expectedChallenge: (challenge) => spendChallenge(db, challenge, null),
    requireUserVerification: true,
    credential: {
      id: key.credentialId.toString('base64url'),
      publicKey: new Uint8Array(key.publicKey),
      counter: key.counter,
    },
  }).catch(notAccepted)
  if (!verified || !(await countUse(db, key.id, authenticationInfo.newCounter))) throw passkeyRefused()
  return key.userId
}

export const passkeyRefused = () => invalidField('passkey', 'The passkey was not accepted.')

function notAccepted(): never {
  throw passkeyRefused()
}
