import { createHmac } from 'node:crypto'
import type { Call } from './route.ts'

/** The signature that an OAuth 1.0a call must carry (RFC 5849, HMAC), made of the call itself. */
export function oauth1Signature(
  call: Pick<Call, 'method' | 'origin' | 'path'>,
  parameters: Iterable<readonly [string, string]>,
  { consumerSecret, tokenSecret = '' }: { consumerSecret: string; tokenSecret?: string },
  algorithm: 'sha1' | 'sha256' = 'sha256',
): string {
  const pairs = [...parameters]
    .filter(([name]) => name !== 'oauth_signature' && name !== 'realm')
    .map(([name, value]) => [escaped(name), escaped(value)] as const)
    .sort(([a, x], [b, y]) => compare(a, b) || compare(x, y))
  const joined = pairs.map(([name, value]) => `${name}=${value}`).join('&')
  const base = [call.method, `${call.origin}${call.path}`, joined].map(escaped).join('&')
  return createHmac(algorithm, `${escaped(consumerSecret)}&${escaped(tokenSecret)}`)
    .update(base)
    .digest('base64')
}

/** What the header of a signed call tells; nothing where it is none. */
export function oauth1Header(call: Pick<Call, 'header'>): ReadonlyMap<string, string> {
  const received = /^OAuth (.+)$/i.exec(call.header('authorization') ?? '')?.[1] ?? ''
  return new Map(
    [...received.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, decodeURIComponent(value)]),
  )
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

/** Percent-encoding of RFC 3986, which leaves less alone than JavaScript does. */
const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
