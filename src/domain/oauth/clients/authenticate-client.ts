import { digest, digestEquals } from '../../../lib/secret.ts'
import type { Context } from '../../context.ts'
import { invalidClient, invalidRequest, unauthorizedClient } from '../oauth-faults.ts'
import { basicCredentials, optionalText, type TokenRequest } from '../token-request.ts'
import { type Client, type GrantType, mayUse } from './client.ts'
import { type ClientWithSecret, findClientForLogin } from './client-store.ts'

type Credentials = Pick<TokenRequest, 'body' | 'basic'>

/** No secret has this digest; comparing with it makes an unknown client take as long as a wrong secret. */
const nobody = Buffer.alloc(32)

/** Every client here keeps a secret: one that cannot has no grant to use. */
export async function authenticateClient(
  context: Pick<Context, 'db' | 'say'>,
  request: Credentials,
): Promise<ClientWithSecret> {
  const basic = basicCredentials(request.basic)
  const id = clientId(request.body) ?? basic.id
  if (id === null) throw invalidRequest('client_id')
  const secret = optionalText(request.body, 'client_secret') ?? basic.secret
  const client = await findClientForLogin(context.db, numericId(id))
  if (client) context.say?.({ clientId: client.id, appId: client.app_id })
  const matches = digestEquals(digest(secret ?? ''), client?.secret_hash ?? nobody)
  if (!client || !matches) throw invalidClient()
  const redirect = optionalText(request.body, 'redirect_uri')
  if (redirect !== null && !client.redirect.includes(redirect)) throw invalidClient()
  return client
}

/** Asked only after the secret, so that the answer reveals nothing to those who do not have it. */
export function requireGrant(client: Client, grant: GrantType): void {
  if (!mayUse(client, grant)) throw unauthorizedClient()
}

export function clientId(body: Record<string, unknown>): string | null {
  const value = body['client_id']
  if (typeof value === 'number' && Number.isInteger(value)) return String(value)
  return optionalText(body, 'client_id')
}

/** 0 is nobody's id: the look-up then takes as long as any other and finds nothing. */
export const numericId = (text: string): number => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : 0)
