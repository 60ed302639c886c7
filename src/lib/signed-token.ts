import { bytesIn, isSigned } from './hmac.ts'
import { parseForeignJson } from './parse-json.ts'

/**
 * The claims of a JSON web token that was signed with a shared secret (HS256); null for one that was not, by whatever
 * algorithm it says otherwise. Who reads them judges audience and times.
 */
export function claimsIn(token: unknown, secret: string): Readonly<Record<string, unknown>> | null {
  const [head = '', body = '', signature = '', ...more] = typeof token === 'string' ? token.split('.') : []
  if (more.length > 0 || objectIn(head)?.['alg'] !== 'HS256') return null
  return isSigned(`${head}.${body}`, { secret, signature, encoding: 'base64url' }) ? objectIn(body) : null
}

function objectIn(part: string): Readonly<Record<string, unknown>> | null {
  const bytes = bytesIn(part, 'base64url')
  if (bytes === null) return null
  try {
    const value: unknown = parseForeignJson(bytes.toString(), 8)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
