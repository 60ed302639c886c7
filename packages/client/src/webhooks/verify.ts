import type { WebhookEvent } from '../types.ts'

/** It was not sent by the service, was changed on its way, or is too old to be believed. Answer 400, and do nothing. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

export interface VerifyOptions {
  /** `whsec_…`; several while you replace one. */
  secret: string | readonly string[]
  /** How far the clocks may differ, and how long a message may take; 300 unless set. */
  toleranceSeconds?: number
  now?: () => number
}

/** The same for every attempt at the same message: remember it to do nothing twice. */
export interface VerifiedWebhook {
  id: string
  event: WebhookEvent
}

type Headers = { get(name: string): string | null } | Readonly<Record<string, string | readonly string[] | undefined>>

/** The message, if its signature is right. `payload` is the body as it came, before anything has parsed it. */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: Headers,
  { secret, toleranceSeconds = 300, now = Date.now }: VerifyOptions,
): Promise<VerifiedWebhook> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  const at = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(now() / 1000 - at) <= toleranceSeconds)) {
    throw new WebhookVerificationError('The timestamp is missing, too old, or from the future.')
  }
  const bytes = typeof payload === 'string' ? encoder.encode(payload) : payload
  const signed = joined(encoder.encode(`${id}.${timestamp}.`), bytes)
  const given = signatures.split(' ').flatMap((part) => (part.startsWith('v1,') ? [part.slice(3)] : []))
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!(await isSigned(signed, { secrets, given }))) throw new WebhookVerificationError('The signature is wrong.')
  return { id, event: parsed(bytes) }
}

const encoder = new TextEncoder()

function headerOf(headers: Headers, name: string): string {
  const value = 'get' in headers && typeof headers.get === 'function' ? headers.get(name) : valueIn(headers, name)
  if (typeof value !== 'string' || value === '') throw new WebhookVerificationError(`The header ${name} is missing.`)
  return value
}

function valueIn(headers: object, name: string): unknown {
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(found) ? found[0] : found
}

/** Every secret is compared with every signature, by means that take the same time whether right or wrong. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  { secrets, given }: { secrets: readonly string[]; given: readonly string[] },
): Promise<boolean> {
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', fromBase64(secret.replace(/^whsec_/, '')), algorithm, false, [
      'verify',
    ])
    for (const signature of given) {
      const bytes = base64(signature)
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, signed))) return true
    }
  }
  return false
}

function fromBase64(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = base64(secret)
  if (!bytes || bytes.length === 0) throw new TypeError('The secret of the webhook is not what the service has given.')
  return bytes
}

function base64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

function parsed(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  } catch (cause) {
    throw new WebhookVerificationError('The body is no JSON.', { cause })
  }
}
