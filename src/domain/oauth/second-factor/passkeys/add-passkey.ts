import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { invalidField } from '../../../../lib/fault.ts'
import type { Context } from '../../../context.ts'
import type { UserCaller } from '../../../tenant.ts'
import type { User } from '../../../users/user.ts'
import { markSecondFactor } from '../../sign-in/console-session-store.ts'
import { accountLabel } from '../account-label.ts'
import { newRecoveryCodes } from '../recovery-codes.ts'
import { readSecondFactor, replaceRecoveryCodes } from '../second-factor-store.ts'
import { insertPasskey, keepChallenge, type Passkey, readKeysOf, spendChallenge } from './passkey-store.ts'
import { algorithms, relyingParty, userHandle, webAuthn } from './relying-party.ts'

const passkeysOfUser = 20

export async function offerPasskey(
  context: Pick<Context, 'db' | 'publicUrl'>,
  user: Pick<User, 'id' | 'name' | 'email' | 'company_id'>,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { db } = context
  const known = await readKeysOf(db, user.id)
  if (known.length >= passkeysOfUser) throw invalidField('passkey', 'There are twenty passkeys already. Remove one.')
  const { generateRegistrationOptions } = await webAuthn()
  const options = await generateRegistrationOptions({
    rpName: 'Entrepot',
    rpID: relyingParty(context).id,
    userID: userHandle(user.id),
    userName: await accountLabel(db, user),
    userDisplayName: user.name,
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: known.map(({ credentialId }) => ({ id: credentialId.toString('base64url') })),
    // It signs in by itself: so it says whose it is, and has seen the person.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(db, options.challenge, user.id)
  return options
}

export interface AddedPasskey {
  passkey: Passkey
  /** Shown once, with the first factor there is. */
  recoveryCodes: string[] | null
}

export async function addPasskey(
  context: Pick<Context, 'db' | 'publicUrl' | 'transaction'>,
  { userId, tokenId }: Pick<UserCaller, 'userId' | 'tokenId'>,
  input: { name: string; response: Omit<RegistrationResponseJSON, 'clientExtensionResults'> },
): Promise<AddedPasskey> {
  const { name, response } = input
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(context)
  const { verifyRegistrationResponse } = await webAuthn()
  const verified = await verifyRegistrationResponse({
    // Extensions are not asked for.
    response: { ...response, clientExtensionResults: {} },
    expectedRPID,
    expectedOrigin,
    expectedChallenge: (challenge) => spendChallenge(context.db, challenge, userId),
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(notAccepted)
  if (!verified.verified) throw refused()
  const { credential, credentialBackedUp: backedUp } = verified.registrationInfo
  return await context.transaction(async (trx) => {
    const { recovery_codes_left: left } = await readSecondFactor(trx, userId)
    const passkey = await insertPasskey(trx, {
      userId,
      name,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      backedUp,
    })
    if (!passkey) throw refused()
    await markSecondFactor(trx, tokenId)
    if (left > 0) return { passkey, recoveryCodes: null }
    const recoveryCodes = newRecoveryCodes()
    await replaceRecoveryCodes(trx, userId, recoveryCodes)
    return { passkey, recoveryCodes }
  })
}

const refused = () => invalidField('passkey', 'The passkey was not accepted. Try again.')

/** The library throws for whatever does not fit; what it says is nobody's business but ours. */
function notAccepted(): never {
  throw refused()
}
