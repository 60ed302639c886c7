import { randomInt } from 'node:crypto'
import { digest, randomSecret } from '../../../lib/secret.ts'
import type { Context } from '../../context.ts'
import { clientId } from '../clients/authenticate-client.ts'
import { invalidClient, invalidRequest } from '../oauth-faults.ts'
import { grantScopes } from '../scope-grants.ts'
import { requestedScopes, type TokenRequest } from '../token-request.ts'
import { commandLineName, insertDevice, keepCommandLine } from './device-store.ts'

export interface DeviceAnswer {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

/** Ten minutes to find a browser and sign in. */
const lifetimeSeconds = 600
const intervalSeconds = 5

/** Consonants only, so that no word comes out, and none that is mistaken for another: 20 to the power of 8 codes. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'

/** RFC 8628: a program without a browser asks, and somebody who is signed in approves. */
export async function beginDevice(
  context: Pick<Context, 'db' | 'transaction' | 'publicUrl'>,
  request: TokenRequest & { agent: string | null },
): Promise<DeviceAnswer> {
  const name = clientId(request.body)
  if (name === null) throw invalidRequest('client_id')
  const client = name === commandLineName ? await keepCommandLine(context.db) : null
  if (!client) throw invalidClient()
  const { scopes } = grantScopes(requestedScopes(request.body), client.scopes)
  const [deviceCode, userCode] = [randomSecret(), newUserCode()]
  await context.transaction((trx) =>
    insertDevice(trx, {
      deviceHash: digest(deviceCode),
      userHash: userCodeHash(userCode),
      clientId: client.id,
      scopes,
      address: request.address,
      agent: request.agent,
      lifetimeSeconds,
    }),
  )
  const page = `${context.publicUrl}/console/device`
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${userCode}`,
    expires_in: lifetimeSeconds,
    interval: intervalSeconds,
  }
}

function newUserCode(): string {
  const some = () => Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join('')
  return `${some()}-${some()}`
}

/** As people type it: small letters, with or without what stands between. */
export const userCodeHash = (typed: string): Buffer => digest(typed.toUpperCase().replace(/[^A-Z]/g, ''))
