import { createHmac } from 'node:crypto'
import { bytesIn, isSame } from './hmac.ts'

/** Bytes of a signature: with a shared secret, and with a key pair. Versions that are yet to come may be of any length. */
const lengths: Readonly<Record<string, number>> = { v1: 32, v1a: 64 }

/**
 * Whether a message is signed as Standard Webhooks has it: over id, time and body. There are several signatures while
 * one secret replaces another. All of them have to look like one, because nothing else vouches for the header itself.
 */
export function isStandardSigned(
  { headers, raw }: { headers: Readonly<Record<string, string | undefined>>; raw: Buffer },
  secret: string | Buffer,
): boolean {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': header } = headers
  if (!id || !at || !header || secret.length === 0) return false
  const signatures = header.split(' ').map(readSignature)
  const wanted = createHmac('sha256', secret).update(`${id}.${at}.`).update(raw).digest()
  return (
    signatures.every((signature) => signature !== null) &&
    signatures.some((signature) => signature?.version === 'v1' && isSame(signature.bytes, wanted))
  )
}

/** The time of the attempt, which is signed. */
export const standardSentAt = ({ headers }: { headers: Readonly<Record<string, string | undefined>> }): number =>
  Number(headers['webhook-timestamp'])

function readSignature(text: string): { version: string; bytes: Buffer } | null {
  const [, version = '', written] = /^(v[1-9]\d?[a-z]?),(.+)$/.exec(text) ?? []
  const bytes = bytesIn(written, 'base64')
  return bytes !== null && bytes.length === (lengths[version] ?? bytes.length) ? { version, bytes } : null
}
