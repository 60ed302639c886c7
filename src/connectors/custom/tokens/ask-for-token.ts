import {
  credentialsRefused,
  isCredentialsRefusal,
  type Remote,
  type RemoteAnswer,
  type RemoteRequest,
  refused,
  shopAway,
} from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'

/** The name of the origin that tokens come from, where that is not the shop's own address. */
export const elsewhere = 'tokens'

/** A path below the shop, or a host of its own: `originOfTokens` says which. */
export function whereIn(address: string): Pick<RemoteRequest, 'path' | 'origin'> {
  if (address.startsWith('/')) return { path: address }
  const { pathname } = new URL(address)
  return { path: pathname, origin: elsewhere }
}

export const originOf = (address: string | undefined): string | null =>
  address === undefined || address.startsWith('/') ? null : new URL(address).origin

/**
 * A token for keys. What the service says to wrong ones is not passed on: some repeat the keys in it. A second token does no
 * harm.
 */
export async function askForToken(
  remote: Remote,
  request: RemoteRequest,
  names: readonly string[],
): Promise<RemoteAnswer> {
  const asked = { ...request, anonymous: true, repeatable: true }
  const answer = await remote.request(asked).catch((error: unknown) => {
    throw isCredentialsRefusal(error) ? credentialsRefused(names) : error
  })
  if (answer.status === 400 || answer.status === 403 || answer.status === 422) throw credentialsRefused(names)
  if (answer.status === 404 || answer.status === 405) throw refused(say('no_tokens_at', { path: request.path }))
  if (answer.status >= 300) throw shopAway(60)
  return answer
}
