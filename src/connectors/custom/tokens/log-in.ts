import type { Granted } from '../../../commerce/connector/auth.ts'
import { type Auth, type Login, typedNames } from '../../../commerce/definition/auth.ts'
import { placeName } from '../../../commerce/definition/place.ts'
import { isFields } from '../../../commerce/reading.ts'
import { type RemoteAnswer, type RemoteRequest, refused } from '../../../commerce/remote.ts'
import type { AnyFields, Shop } from '../../../commerce/shop.ts'
import { endOf } from '../../../commerce/wire/expiry.ts'
import { say } from '../../../commerce/words/say.ts'
import { put, recordIn, type Tree } from '../ask.ts'
import { readerOf } from '../values.ts'
import { askForToken, whereIn } from './ask-for-token.ts'
import { filledWith } from './filled.ts'

/** The keys that were typed, for a token. It is asked for again with the same keys whenever it has ended. */
export async function logIn(auth: Auth, login: Login, { remote, credentials }: Shop): Promise<Granted<AnyFields>> {
  const answer = await askForToken(remote, requestOf(login, credentials), typedNames(auth))
  return { credentials: { ...credentials, access_token: tokenIn(login, answer) }, expiresAt: endIn(login, answer) }
}

function requestOf(login: Login, secrets: AnyFields): RemoteRequest {
  const { address, method = 'POST', encoding = 'json' } = login
  const named = (entries: readonly { name: string; value: string }[]) =>
    Object.fromEntries(filledIn(entries, secrets).map(({ name, value }) => [name, value]))
  const entries = filledIn(login.body ?? [], secrets)
  const body: Tree = {}
  for (const { path, value } of entries) put(body, path, value)
  const form = new URLSearchParams(entries.map(({ path, value }): [string, string] => [path, value])).toString()
  return {
    method,
    ...whereIn(address),
    query: named(login.query ?? []),
    headers: {
      ...named(login.headers ?? []),
      ...(encoding === 'form' && { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    ...(login.body && { body: encoding === 'form' ? form : body }),
  }
}

const filledIn = <T extends { value: string }>(entries: readonly T[], secrets: AnyFields): T[] =>
  entries.flatMap((entry) => {
    const value = filledWith(entry.value, secrets)
    return value === null ? [] : [{ ...entry, value }]
  })

function tokenIn({ token }: Login, { body }: RemoteAnswer): string {
  const found = recordIn(body, token)
  if (typeof found === 'string' && found !== '' && found.length <= 10_000) return found
  throw refused(token === undefined ? say('login_no_token') : say('login_no_token_at', { place: placeName(token) }))
}

/** Null where nobody says: it is then renewed once the shop no longer takes it. */
function endIn({ expires_in: seconds, expires_at: end, lifetime }: Login, answer: RemoteAnswer): string | null {
  if (lifetime !== undefined) return endOf(answer, lifetime)
  if (!isFields(answer.body)) return null
  const read = readerOf(answer.body)
  try {
    return seconds === undefined ? read.maybeTime(end) : endOf(answer, read.maybeWhole(seconds))
  } catch (error) {
    throw error instanceof TypeError ? refused(say('login_misfit', { problem: error.message })) : error
  }
}
