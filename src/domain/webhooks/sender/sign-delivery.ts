import { createHmac } from 'node:crypto'

/** The headers of Standard Webhooks. `secrets`: the newest first, then those that were replaced within the last day. */
export function signedHeaders(
  secrets: readonly string[],
  message: { id: string; timestamp: number; payload: string },
): Record<string, string> {
  const { id, timestamp, payload } = message
  const signed = `${id}.${timestamp}.${payload}`
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${signature(secret, signed)}`).join(' '),
  }
}

const signature = (secret: string, signed: string): string =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64'))
    .update(signed)
    .digest('base64')
