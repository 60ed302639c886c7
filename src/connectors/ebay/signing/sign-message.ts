import { createPrivateKey, hash, type KeyObject, sign } from 'node:crypto'
import { type RemoteRequest, refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'

/** What the app has from eBay's Key Management: the public half as eBay hands it out, and the private one. */
export interface SigningKeys {
  jwe: string
  privateKey: string
}

/**
 * Where money goes back to buyers, eBay wants a signature upon the message itself from sellers in the EU and the United
 * Kingdom (RFC 9421). Upon others it is not looked at.
 */
export const isToBeSigned = ({ method, path }: RemoteRequest): boolean => method === 'POST' && refunding.test(path)

const refunding = /^\/post-order\/v2\/cancellation(?:\/[^/]+\/approve)?$|\/issue_refund$/

/** The request with its body as the text that was signed, so that nobody writes it down in another way. */
export function withSignature(
  request: RemoteRequest,
  keys: SigningKeys,
  { url, seconds }: { url: string; seconds: number },
): RemoteRequest {
  const body = request.body === undefined ? null : textOf(request.body)
  const headers = { ...request.headers, ...signatureOf({ method: request.method, url, body, seconds }, keys) }
  return body === null ? { ...request, headers } : { ...request, body, headers: { ...headers, ...json } }
}

const json = { 'content-type': 'application/json' }

const textOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body))

interface Message {
  method: string
  url: string
  body: string | null
  /** Unix time. */
  seconds: number
}

export function signatureOf(
  { method, url, body, seconds }: Message,
  { jwe, privateKey }: SigningKeys,
): Record<string, string> {
  const { pathname, host } = new URL(url)
  const digest = body === null ? null : `sha-256=:${hash('sha256', body, 'base64')}:`
  const parts: [name: string, value: string][] = [
    ...(digest === null ? [] : [['content-digest', digest] satisfies [string, string]]),
    ['x-ebay-signature-key', jwe],
    ['@method', method],
    ['@path', pathname],
    ['@authority', host],
  ]
  const input = `(${parts.map(([name]) => `"${name}"`).join(' ')});created=${seconds}`
  const base = [...parts, ['@signature-params', input]].map(([name, value]) => `"${name}": ${value}`).join('\n')
  return {
    ...(digest === null ? {} : { 'content-digest': digest }),
    'x-ebay-signature-key': jwe,
    'signature-input': `sig1=${input}`,
    signature: `sig1=:${signed(base, privateKey)}:`,
  }
}

/** Those of the older kind sign with SHA-256. */
function signed(text: string, privateKey: string): string {
  const key = keyOf(privateKey)
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  return sign(algorithm, Buffer.from(text), key).toString('base64')
}

/** Keys come as bare base64, or with lines around it. */
function keyOf(privateKey: string): KeyObject {
  const key = Buffer.from(privateKey.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
  try {
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
  } catch {
    throw refused(say('bad_signing_key'))
  }
}
