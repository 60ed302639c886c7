import { answer, type Call, type Recorder, type RouteRow } from '../http/route.ts'
import { type Fields, textOf } from '../json.ts'
import type { World } from '../world.ts'
import type { Granted, Grants } from './grants.ts'

type Read = (name: string) => string

export interface TokenFacts {
  path: string
  operation?: string
  grants: Grants
  client: { client_id: string; client_secret: string }
  /** How an app says who it is: in the body, unless the platform wants it elsewhere. */
  shownBy?(call: Call): readonly [id: string, secret: string] | null
  /** What is said of a client, of a kind of grant and of a grant that are not taken. */
  refusals: readonly [client: string, kind: string, grant: string]
  clientStatus?: number
  /** What a code that is not taken is called. */
  codeError?: string
  /** What a code has to come with, beside its address. */
  fits?(text: Read): boolean
  /** How long the token lives that a code is given for, where the app may choose. */
  secondsFor?(text: Read): number | undefined
  /** Kinds of grants beside codes and refresh tokens. */
  kinds?: Readonly<Record<string, (text: Read, record: Recorder) => Granted | null>>
  /** What is answered, where that is not just both tokens. */
  give?(granted: Granted, fields: Fields): object
}

const usually = ({ accessToken, refreshToken, seconds }: Granted): object => ({
  ...{ access_token: accessToken, refresh_token: refreshToken, token_type: 'bearer', expires_in: seconds },
})

/** Where codes and refresh tokens become tokens (OAuth 2). */
export function tokenRoute({ clock }: Pick<World, 'clock'>, facts: TokenFacts): RouteRow {
  const { path, operation = 'oauth.token', grants, client, refusals } = facts
  const { clientStatus = 401, codeError = 'invalid_grant', give = usually } = facts
  const kinds: NonNullable<TokenFacts['kinds']> = {
    authorization_code: (text, record) => {
      const trip = { redirect: text('redirect_uri'), verifier: text('code_verifier') }
      const fits = facts.fits?.(text) ?? true
      return fits ? grants.redeem(text('code'), trip, record, facts.secondsFor?.(text)) : null
    },
    refresh_token: (text, record) => grants.refresh(text('refresh_token'), record),
    ...facts.kinds,
  }
  const exchange = (call: Call, record: Recorder) => {
    const fields = call.fields()
    const text = (name: string) => textOf(fields[name]) ?? ''
    const date = new Date(clock.now() / 1000).toUTCString()
    const refuse = (status: number, error: string, error_description: string) =>
      answer(status, { error, error_description }, { date })
    const [id, secret] = facts.shownBy ? (facts.shownBy(call) ?? []) : [text('client_id'), text('client_secret')]
    if (id !== client.client_id || secret !== client.client_secret)
      return refuse(clientStatus, 'invalid_client', refusals[0])
    const kind = text('grant_type') || 'authorization_code'
    const grant = kinds[kind]
    if (!grant) return refuse(400, 'unsupported_grant_type', refusals[1])
    const granted = grant(text, record)
    if (granted) return answer(200, give(granted, fields), { date })
    return refuse(400, kind === 'authorization_code' ? codeError : 'invalid_grant', refusals[2])
  }
  return ['POST', path, operation, exchange, { open: true, careful: true }]
}
