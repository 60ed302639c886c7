import type { IncomingHttpHeaders } from 'node:http'

/**
 * The console's cookie in the place of a token. It counts only together with a header that no form and no other origin
 * can send: cross-origin requests with it are asked for first, and the answer to that names no such header.
 */
const sessionCookie = 'entrepot_session'

/**
 * What a request proves: its token, or else what the cookie says in the form of one. Behind it stands which app a user
 * speaks for.
 */
export function authorizationOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, cookie } = headers
  const app = headers['x-entrepot-app']
  if (authorization !== undefined && app !== undefined) return `${authorization.trimEnd()}~${app}`
  if (authorization !== undefined || cookie === undefined || headers['x-entrepot-console'] === undefined) {
    return authorization
  }
  const secret = cookieIn(cookie, sessionCookie)
  if (secret === null) return undefined
  const parts = ['console', secret, headers['x-entrepot-app'], headers['x-entrepot-account']]
  return `Bearer ${parts.filter((part) => part !== undefined).join('.')}`
}

/** The value of the cookie with this name, out of the header that brings them all. */
export function cookieIn(cookies: string, wanted: string): string | null {
  for (const cookie of cookies.split(';')) {
    const [name = '', value = ''] = cookie.split('=', 2).map((part) => part.trim())
    if (name === wanted) return value
  }
  return null
}

/** Of the whole site, because the API is; never read by scripts, never sent along from elsewhere. */
export const cookieFor = (secret: string, { seconds, secure }: { seconds: number; secure: boolean }): string =>
  `${sessionCookie}=${secret}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure ? '; Secure' : ''}`
