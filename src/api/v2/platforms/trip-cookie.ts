import type { Beginner } from '../../../domain/install/install-state.ts'
import { digest, digestEquals, randomSecret } from '../../../lib/secret.ts'
import type { RequestFacts } from '../../../runtime/http/endpoint.ts'
import { cookieIn } from '../../../runtime/http/session-cookie.ts'

/**
 * What makes a browser known as the one in which a trip was begun: a cookie for each trip, so that several can be under
 * way. Platforms send browsers back by a link, which `Lax` allows.
 */
const nameFor = (state: string): string => `entrepot_trip_${digest(state).toString('hex').slice(0, 16)}`

const seconds = 600

export const browserSecret = (request: RequestFacts, state: string): string | null =>
  cookieIn(request.header('cookie') ?? '', nameFor(state)) || null

export const newBrowserSecret = (): string => randomSecret()

export const tripCookie = (state: string, secret: string, { publicUrl }: { publicUrl: string }): string =>
  `${nameFor(state)}=${secret}; Path=/api; HttpOnly; SameSite=Lax; Max-Age=${seconds}${publicUrl.startsWith('https:') ? '; Secure' : ''}`

/** Who comes back by browser; one without the cookie has begun nothing. */
export const beginnerIn =
  (request: RequestFacts) =>
  (state: string): Beginner => ({ browser: browserSecret(request, state) ?? '' })

/** Goes with the button. Other sites can make a browser post a form, but cannot know this. */
export const confirmationOf = (secret: string): string => digest(`${secret} goes on`).toString('base64url')

export const confirms = (secret: string, confirmation: string): boolean =>
  digestEquals(Buffer.from(confirmationOf(secret)), Buffer.from(confirmation))
