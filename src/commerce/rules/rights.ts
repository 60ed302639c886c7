import { Fault, faultAt } from '../../lib/fault.ts'
import type { Remote, RemoteRequest } from '../remote.ts'
import { say } from '../words/say.ts'
import { withShopWords } from './shop-words.ts'

/** Something that the shop would have to allow. */
export interface MissingRight {
  /** As the shop's own pages call it, with what is missing of it: `orders (write)`. */
  name: string
  /** Where the merchant gives it. */
  where: string
}

/** The shop takes the credentials, but they may not do what was asked: other credentials are not what is needed. */
export function rightsMissing(missing: readonly MissingRight[], body?: unknown): Fault {
  const names = missing.map(({ name }) => name).join(', ')
  const places = [...new Set(missing.map(({ where }) => where))].join('; ')
  const sentence = withShopWords(say('rights_missing', { rights: names, places }), body)
  return faultAt('upstream_refused', { rights: [sentence] })
}

export const isRightsMissing = (error: unknown): error is Fault =>
  error instanceof Fault && error.kind === 'upstream_refused' && error.errors?.['rights'] !== undefined

/** A right, and a request that is refused without it and changes nothing with it. */
export interface TriedRight extends MissingRight {
  request: RemoteRequest
}

/** For platforms that list nowhere what credentials may do. What cannot be said now shows when it is needed. */
export async function rightsRefused(remote: Remote, tried: readonly TriedRight[]): Promise<MissingRight[]> {
  const missing: MissingRight[] = []
  for (const { request, name, where } of tried) {
    if (await isRefused(remote, request)) missing.push({ name, where })
  }
  return missing
}

async function isRefused(remote: Remote, request: RemoteRequest): Promise<boolean> {
  try {
    return (await remote.request({ ...request, repeatable: true })).status === 403
  } catch (error) {
    if (isRightsMissing(error)) return true
    if (error instanceof Fault && error.kind === 'upstream_retryable') return false
    throw error
  }
}
