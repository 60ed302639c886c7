import type { Fault } from '../../../lib/fault.ts'
import { digest } from '../../../lib/secret.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import { clientId } from '../clients/authenticate-client.ts'
import {
  accessDenied,
  authorizationPending,
  expiredDeviceCode,
  invalidClient,
  invalidDeviceCode,
  invalidRequest,
  slowDown,
} from '../oauth-faults.ts'
import { tokenAnswer } from '../token-answer.ts'
import { requiredText, type TokenAnswer, type TokenRequest } from '../token-request.ts'
import { holdActiveUser, type IssuedAccessToken, insertAccessToken } from '../token-store.ts'
import { askDevice, commandLineName, findCommandLine, useDevice } from './device-store.ts'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** A quarter of a year, and no refresh token: a machine that nobody uses any more forgets its way in. */
const lifetimeSeconds = 90 * 86_400

/** The program asks again and again until somebody has decided; the code is good for one token. */
export async function grantDeviceCode(context: Context, request: TokenRequest): Promise<TokenAnswer> {
  const name = clientId(request.body)
  if (name === null) throw invalidRequest('client_id')
  const client = name === commandLineName ? await findCommandLine(context.db) : null
  if (!client) throw invalidClient()
  context.say?.({ clientId: client.id })
  const code = requiredText(request.body, 'device_code')
  // What a question has told us (that it came too soon) is committed, whatever is answered.
  const outcome = await context.transaction((trx) => take(context, trx, { code, clientId: client.id }))
  if ('refused' in outcome) throw outcome.refused
  return await tokenAnswer(context, outcome.token, { showScopes: true })
}

type Outcome = { token: IssuedAccessToken } | { refused: Fault }

async function take(
  context: Pick<Context, 'say'>,
  trx: Db,
  { code, clientId }: { code: string; clientId: number },
): Promise<Outcome> {
  const device = await askDevice(trx, digest(code))
  if (!device || device.clientId !== clientId) return { refused: invalidDeviceCode() }
  if (device.userId !== null) context.say?.({ userId: device.userId })
  if (device.state === 'used') return { refused: invalidDeviceCode() }
  if (device.expired) return { refused: expiredDeviceCode() }
  if (device.state === 'denied') return { refused: accessDenied() }
  if (device.tooSoon) return { refused: slowDown() }
  if (device.state === 'pending' || device.userId === null) return { refused: authorizationPending() }
  const isGood = (await holdActiveUser(trx, device.userId)) && (await useDevice(trx, device.id))
  if (!isGood) return { refused: accessDenied() }
  const { userId, scopes } = device
  return { token: await insertAccessToken(trx, { kind: 'user', clientId, userId, scopes, lifetimeSeconds }) }
}
