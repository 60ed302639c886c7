import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { open } from '../../../lib/secret-box.ts'
import type { Context } from '../../context.ts'
import { oldSecretPlace, secretPlace } from '../subscription.ts'
import type { Target } from './claim-store.ts'

/** The keys of a webhook: the newest first, then those that were replaced within the last day. */
export type SigningKeys = (target: Pick<Target, 'id' | 'secret' | 'old_secrets'>) => readonly KeyObject[]

const maxRemembered = 1000

/**
 * Opens the secrets of a webhook once. They are known by what they were sealed as, so that one that was replaced, or has
 * ended, signs nothing from the moment on at which that was read.
 */
export function rememberKeys({ keys: ring }: Pick<Context, 'keys'>): SigningKeys {
  const known = new Map<number, { sealed: readonly Buffer[]; keys: readonly KeyObject[] }>()
  return ({ id, secret, old_secrets: old }) => {
    const sealed = [secret, ...old]
    const before = known.get(id)
    if (before && isSame(before.sealed, sealed)) return before.keys
    known.delete(id)
    const keys = [open(ring, secret, secretPlace(id)), ...old.map((each) => open(ring, each, oldSecretPlace(id)))]
    const made = { sealed, keys: keys.map(signingKey) }
    const [oldest] = known.keys()
    if (oldest !== undefined && known.size >= maxRemembered) known.delete(oldest)
    known.set(id, made)
    return made.keys
  }
}

const isSame = (some: readonly Buffer[], others: readonly Buffer[]): boolean =>
  some.length === others.length && some.every((each, n) => others[n]?.equals(each))

export const signingKey = (secret: string): KeyObject => createSecretKey(secret.replace(/^whsec_/, ''), 'base64')

/** The headers of Standard Webhooks. */
export function signedHeaders(
  keys: readonly KeyObject[],
  message: { id: string; timestamp: number; payload: string },
): Record<string, string> {
  const { id, timestamp, payload } = message
  const signed = `${id}.${timestamp}.${payload}`
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map((key) => `v1,${signature(key, signed)}`).join(' '),
  }
}

const signature = (key: KeyObject, signed: string): string => createHmac('sha256', key).update(signed).digest('base64')
