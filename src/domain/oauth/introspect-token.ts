import { decodeJwt } from 'jose'
import type { Context } from '../context.ts'
import { verifyAccessToken } from './access-token.ts'
import { readLiveToken } from './callers/caller-store.ts'
import { authenticateClient } from './clients/authenticate-client.ts'
import { requiredText, type TokenRequest } from './token-request.ts'
import { findRefreshToken } from './token-store.ts'

export type Introspection =
  | { active: false }
  | {
      active: true
      scope: string
      client_id: string
      token_type: 'Bearer' | 'refresh_token'
      sub: string
      iss: string
      aud?: string
      jti?: string
      exp?: number
      iat?: number
      nbf?: number
    }

/** RFC 7662. Of a token that is dead or another client's nothing is revealed but that it is not active. */
export async function introspectToken(
  context: Context,
  request: Pick<TokenRequest, 'body' | 'basic'>,
): Promise<Introspection> {
  const client = await authenticateClient(context, request)
  const token = requiredText(request.body, 'token')
  const jti = await verifyAccessToken(context, token)
  return jti === null
    ? await introspectRefreshToken(context, client.id, token)
    : await introspectAccessToken(context, client.id, { token, jti })
}

async function introspectAccessToken(
  context: Context,
  clientId: number,
  { token, jti }: { token: string; jti: string },
): Promise<Introspection> {
  const live = await readLiveToken(context.db, jti)
  if (live?.caller.clientId !== clientId) return { active: false }
  const { exp, iat, nbf } = decodeJwt(token)
  return {
    active: true,
    scope: live.caller.scopes.join(' '),
    client_id: String(clientId),
    token_type: 'Bearer',
    sub: live.caller.subject,
    iss: context.publicUrl,
    aud: String(clientId),
    jti,
    ...(exp !== undefined && { exp }),
    ...(iat !== undefined && { iat }),
    ...(nbf !== undefined && { nbf }),
  }
}

async function introspectRefreshToken(context: Context, clientId: number, token: string): Promise<Introspection> {
  const found = await findRefreshToken(context.db, token)
  const dead = !found || found.clientId !== clientId || found.expired || found.revoked || found.used
  if (dead) return { active: false }
  return {
    active: true,
    scope: found.scopes.join(' '),
    client_id: String(clientId),
    token_type: 'refresh_token',
    sub: `user:${found.userId}`,
    iss: context.publicUrl,
  }
}
