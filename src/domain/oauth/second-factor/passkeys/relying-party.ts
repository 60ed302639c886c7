import { isIP } from 'node:net'
import { invalidField } from '../../../../lib/fault.ts'
import type { Context } from '../../../context.ts'

/** Whom authenticators sign for: the service's own public address, whatever a request says. */
export function relyingParty({ publicUrl }: Pick<Context, 'publicUrl'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl)
  const isAddress = isIP(hostname.replace(/^\[|\]$/g, '')) !== 0
  if (isAddress) {
    throw invalidField(
      'passkey',
      'Passkeys are bound to a host name, and this service is reached by a mere IP address.',
    )
  }
  return { id: hostname, origin }
}

/** EdDSA, ES256 and RS256: every authenticator has one of them. */
export const algorithms = [-8, -7, -257]

/** How an authenticator knows a user; it says nothing of the person. */
export const userHandle = (userId: number): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(`user:${userId}`))

/** The library is 250 files that a process loads with the first passkey: most never see one. */
export const webAuthn = () => import('@simplewebauthn/server')
