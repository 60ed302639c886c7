import { decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import type { Context } from '../context.ts'
import { currentSigningKey, verificationKey } from './signing-keys/signing-keys.ts'

/** What a row of `access_tokens` puts into the signed token. Times are seconds, by the database's clock. */
export interface TokenFacts {
  jti: string
  kind: 'user' | 'client' | 'account'
  clientId: number
  /** Id of the user, client or account, by kind. */
  holderId: number
  scopes: readonly string[]
  issuedAt: number
  expiresAt: number
}

const tokenType = 'at+jwt'
const maxLength = 8192

export async function signAccessToken(
  context: Pick<Context, 'db' | 'keys' | 'publicUrl'>,
  facts: TokenFacts,
): Promise<string> {
  const { kid, key } = await currentSigningKey(context)
  return await new SignJWT({ kind: facts.kind, scopes: [...facts.scopes] })
    .setProtectedHeader({ alg: 'EdDSA', kid, typ: tokenType })
    .setIssuer(context.publicUrl)
    .setAudience(String(facts.clientId))
    .setSubject(`${facts.kind}:${facts.holderId}`)
    .setJti(facts.jti)
    .setIssuedAt(facts.issuedAt)
    .setNotBefore(facts.issuedAt)
    .setExpirationTime(facts.expiresAt)
    .sign(key)
}

/**
 * The id of the token's row if we signed this token, null for anything else; only a database that is away throws.
 * Whether it is still valid, and whose it is, the row says: the clock here merely has to agree within a minute.
 */
export async function verifyAccessToken(
  context: Pick<Context, 'db' | 'publicUrl'>,
  token: string,
): Promise<string | null> {
  const kid = keyId(token)
  const key = kid === null ? null : await verificationKey(context.db, kid)
  if (key === null) return null
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: ['EdDSA'],
      issuer: context.publicUrl,
      typ: tokenType,
      requiredClaims: ['aud', 'sub', 'jti', 'iat', 'nbf', 'exp'],
      clockTolerance: 60,
    })
    return typeof payload.jti === 'string' ? payload.jti : null
  } catch {
    return null
  }
}

function keyId(token: string): string | null {
  if (token.length > maxLength || !isCanonical(token)) return null
  try {
    const { kid } = decodeProtectedHeader(token)
    return typeof kid === 'string' ? kid : null
  } catch {
    return null
  }
}

/** The last character of a signature has bits that mean nothing: only one way to write it is ours. */
function isCanonical(token: string): boolean {
  const signature = /^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(token)?.[1]
  return signature !== undefined && Buffer.from(signature, 'base64url').toString('base64url') === signature
}
