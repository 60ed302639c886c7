import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'

/**
 * A receiver of our own: an app that has none yet can look at what it would get. It shows whatever arrives and verifies
 * nothing. Deliveries to it are handed over inside the program, so that nothing has to be reachable from here.
 */
export interface Catcher {
  app_id: number
  token: string
  expires_at: string
}

export interface CaughtRequest {
  id: number
  headers: Record<string, string>
  body: string
  received_at: string
}

export const newCatcherToken = (): string => randomBytes(32).toString('base64url')

export const catcherUrl = ({ publicUrl }: Pick<Context, 'publicUrl'>, token: string): string =>
  `${publicUrl}/catch/${token}`

/** Null for any other address. */
export function catcherToken({ publicUrl }: Pick<Context, 'publicUrl'>, url: string): string | null {
  const start = `${publicUrl}/catch/`
  const token = url.startsWith(start) ? url.slice(start.length) : ''
  return isCatcherToken(token) ? token : null
}

export const isCatcherToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

/** These are nobody's business, not even the owner's. */
const hidden = new Set(['authorization', 'cookie', 'x-gateway-key'])

export const shownHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hidden.has(name.toLowerCase())))
