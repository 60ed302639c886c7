import { invalidRequest } from './oauth-faults.ts'

export interface TokenRequest {
  body: Record<string, unknown>
  /** The Authorization header as it came. */
  basic: string | null
  address: string
}

/** What the token endpoint answers; the order of the members is part of it. */
export interface TokenAnswer {
  token_type: 'Bearer'
  expires_in: number
  access_token: string
  refresh_token?: string
  /** Only if it differs from what was requested. */
  scope?: string
}

/** Parameters are trimmed, and an empty one counts as absent; a password is taken as it is. */
export function optionalText(body: Record<string, unknown>, name: string): string | null {
  const value = body[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw invalidRequest(name)
  const text = name === 'password' ? value : value.trim()
  return text === '' ? null : text
}

export function requiredText(body: Record<string, unknown>, name: string): string {
  const text = optionalText(body, name)
  if (text === null) throw invalidRequest(name)
  return text
}

/** Null if none were asked for: then the default applies. */
export function requestedScopes(body: Record<string, unknown>): string[] | null {
  const value = body['scope']
  if (value === undefined || value === null) return null
  if (Array.isArray(value)) {
    if (!value.every((scope) => typeof scope === 'string')) throw invalidRequest('scope')
    return unique(value)
  }
  if (typeof value !== 'string') throw invalidRequest('scope')
  return unique(value.split(' '))
}

function unique(scopes: readonly string[]): string[] | null {
  const names = [...new Set(scopes.map((scope) => scope.trim()).filter((scope) => scope !== ''))]
  return names.length === 0 ? null : names
}

/** `Basic` credentials, or nothing if they are not well-formed. */
export function basicCredentials(header: string | null): { id: string | null; secret: string | null } {
  const nothing = { id: null, secret: null }
  if (!header?.startsWith('Basic ')) return nothing
  const decoded = Buffer.from(header.slice(6), 'base64').toString()
  const colon = decoded.indexOf(':')
  if (colon < 0) return nothing
  return { id: decoded.slice(0, colon) || null, secret: decoded.slice(colon + 1) || null }
}
