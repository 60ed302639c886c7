import { hmac } from '../../lib/hmac.ts'
import type { RemoteRequest } from '../remote.ts'

/** OAuth 1.0a (RFC 5849): requests signed with keys that never travel. Pure: time and nonce come from the call. */
export interface OAuth1Request {
  method: RemoteRequest['method']
  /** The whole address. A query in it is signed along with `query`. */
  url: string
  query?: RemoteRequest['query']
  /** The fields of a form, if that is what the body is; no other body is signed. */
  form?: readonly (readonly [string, string])[]
  keys: OAuth1Keys
  seconds: number
  nonce: string
  algorithm?: 'HMAC-SHA1' | 'HMAC-SHA256'
  /** Such as `oauth_verifier` or `oauth_callback`. */
  further?: Readonly<Record<string, string>>
}

export interface OAuth1Keys {
  consumerKey: string
  consumerSecret: string
  /** Absent where nobody but the consumer is involved. */
  token?: string
  tokenSecret?: string
}

/** The parameters of the protocol, signature included; they go into the header or into the query. */
export function oauth1Parameters(request: OAuth1Request): Readonly<Record<string, string>> {
  const { keys, algorithm = 'HMAC-SHA256', further = {} } = request
  const unsigned = {
    oauth_consumer_key: keys.consumerKey,
    ...(keys.token === undefined ? {} : { oauth_token: keys.token }),
    oauth_nonce: request.nonce,
    oauth_signature_method: algorithm,
    oauth_timestamp: String(request.seconds),
    oauth_version: '1.0',
    ...further,
  }
  const secret = `${escaped(keys.consumerSecret)}&${escaped(keys.tokenSecret ?? '')}`
  const hash = algorithm === 'HMAC-SHA1' ? 'sha1' : 'sha256'
  return { ...unsigned, oauth_signature: hmac(signatureBase(request, unsigned), secret, 'base64', hash) }
}

export const oauth1Header = (request: OAuth1Request): string => {
  const pairs = Object.entries(oauth1Parameters(request)).map(([name, value]) => `${name}="${escaped(value)}"`)
  return `OAuth ${pairs.join(', ')}`
}

/** What is signed: method, address and all parameters, in one order and one spelling. */
export function signatureBase(
  { method, url, query = {}, form = [] }: Pick<OAuth1Request, 'method' | 'url' | 'query' | 'form'>,
  protocol: Readonly<Record<string, string>>,
): string {
  const address = new URL(url)
  const pairs: (readonly [string, string])[] = [
    ...address.searchParams,
    ...pairsOf(query),
    ...form,
    ...Object.entries(protocol),
  ]
  const parameters = pairs
    .map(([name, value]) => [escaped(name), escaped(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
    .map((pair) => pair.join('='))
    .join('&')
  return [method, escaped(address.origin + address.pathname), escaped(parameters)].join('&')
}

const pairsOf = (query: NonNullable<RemoteRequest['query']>): [string, string][] =>
  Object.entries(query).flatMap(([name, value]) => {
    if (value === null || value === undefined) return []
    const values = typeof value === 'object' ? value : [value]
    return values.map((each): [string, string] => [name, String(each)])
  })

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** RFC 3986, which leaves fewer characters as they are than JavaScript does. */
const escaped = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
