import { invalidClientMetadata, invalidRedirectUri } from '../oauth-faults.ts'

/** A program that has registered itself (RFC 7591). Nobody has looked at it: its name is only what it says of itself. */
export interface AgentClient {
  id: number
  public_id: string
  name: string
  uri: string | null
  redirect_uris: string[]
  created_at: string
}

export interface RegistrationInput {
  name: string
  uri: string | null
  redirectUris: string[]
}

const maxRedirects = 10
const maxUri = 2000
const maxName = 100

/** What an agent says of itself: checked here, because RFC 7591 has errors of its own. */
export function registrationOf(body: Readonly<Record<string, unknown>>): RegistrationInput {
  const { redirect_uris: uris, client_name: name, client_uri: uri, token_endpoint_auth_method: method } = body
  if (!Array.isArray(uris) || uris.length === 0 || uris.length > maxRedirects) {
    throw invalidRedirectUri(`Send 1 to ${maxRedirects} redirect_uris.`)
  }
  const redirectUris = uris.map((one: unknown) => {
    if (typeof one !== 'string' || !isRedirect(one)) {
      throw invalidRedirectUri('Redirect URIs are https, or http on this machine (127.0.0.1, [::1], localhost).')
    }
    return one
  })
  if (method !== undefined && method !== 'none') {
    throw invalidClientMetadata('Agents keep no secret: token_endpoint_auth_method is none.')
  }
  demand(body['grant_types'], ['authorization_code', 'refresh_token'], 'grant_types')
  demand(body['response_types'], ['code'], 'response_types')
  return { name: nameOf(name), uri: homeOf(uri), redirectUris: [...new Set(redirectUris)] }
}

function demand(given: unknown, known: readonly string[], field: string): void {
  if (given === undefined) return
  const fits = Array.isArray(given) && given.every((one) => known.includes(String(one)))
  if (!fits) throw invalidClientMetadata(`Only ${known.join(' and ')} can be among ${field}.`)
}

/** People read it before they decide: no line breaks, nothing that turns the direction of writing. */
function nameOf(name: unknown): string {
  if (name === undefined || name === null) return 'Agent without a name'
  if (typeof name !== 'string') throw invalidClientMetadata('client_name is a text.')
  const readable = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return readable === '' ? 'Agent without a name' : [...readable].slice(0, maxName).join('')
}

function homeOf(uri: unknown): string | null {
  if (typeof uri !== 'string' || uri.length > maxUri) return null
  const url = URL.parse(uri)
  return url?.protocol === 'https:' ? url.href : null
}

const loopback = new Set(['127.0.0.1', '[::1]', 'localhost'])

export function isRedirect(uri: string): boolean {
  const url = uri.length <= maxUri ? URL.parse(uri) : null
  if (url === null || uri.includes('#') || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname))
}

/** To the letter; on this machine under any port, which programs draw anew each time (RFC 8252). */
export function isRegistered({ redirect_uris: known }: Pick<AgentClient, 'redirect_uris'>, uri: string): boolean {
  return isRedirect(uri) && known.some((one) => one === uri || isSameLoopback(one, uri))
}

function isSameLoopback(known: string, given: string): boolean {
  const [a, b] = [new URL(known), new URL(given)]
  if (a.protocol !== 'http:' || b.protocol !== 'http:' || !loopback.has(a.hostname)) return false
  return a.hostname === b.hostname && a.pathname === b.pathname && a.search === b.search
}
