import { createRemoteJWKSet, customFetch, type JWTPayload, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { Fault, tooMany } from '../../lib/fault.ts'
import type { Egress } from '../egress/egress-request.ts'

/**
 * OpenID Connect as the relying party, over the one way out: whatever an issuer names as its endpoints is reached only
 * where anything else may be reached, in so many seconds and with so many bytes.
 */
export interface OpenId {
  /** Asks the issuer what it says of itself. Fails with words for whoever has typed the address. */
  check(issuer: string): Promise<void>
  /** Where the browser goes to sign in. */
  addressFor(provider: Registration, trip: Trip & { loginHint: string }): Promise<string>
  /** What the browser came back with, redeemed: signature, issuer, audience, times and nonce have been looked at. */
  redeem(provider: Registration, trip: Trip & { answer: URLSearchParams }): Promise<Redeemed>
  /** What a provider says by itself has ended there (OpenID Connect Back-Channel Logout), once its signature was looked at. */
  readLogout(provider: Pick<Registration, 'issuer' | 'clientId'>, token: string): Promise<Logout>
}

/** How an issuer knows us. */
export interface Registration {
  issuer: string
  clientId: string
  /** Null for a client without one. */
  clientSecret: string | null
  redirectUri: string
}

interface Trip {
  state: string
  nonce: string
  codeVerifier: string
}

export interface Redeemed {
  /** Who it is at the issuer, for good. */
  subject: string
  /** What the issuer calls the session, if it says so: by that name it ends it. */
  session: string | null
  /** How the person was recognised there, in the words of RFC 8176. */
  methods: readonly string[]
  /** Asked for where the answer does not say it already. */
  person(): Promise<Person>
}

/** One of the two is there. */
export interface Logout {
  subject: string | null
  session: string | null
}

export interface Person {
  email: string | null
  /** Null: the issuer says nothing about it. */
  isEmailVerified: boolean | null
  name: string | null
}

const timeoutMs = 10_000
const maxBytes = 256 * 1024
/** An issuer that takes its time holds up so many of its own people, and nobody else. */
const maxAtOnce = 16
const keptMs = 5 * 60_000
const maxKept = 500

interface Options {
  egress: Pick<Egress, 'fetch'>
  /** As far as an address shows it: whether we go there, and send browsers there. */
  mayReach(url: string): boolean
  now?: () => number
}

export function createOpenId({ egress, mayReach, now = Date.now }: Options): OpenId {
  const kept = new Map<string, Kept>()
  const underWay = new Map<string, number>()

  const carry = async (
    url: string,
    { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
  ): Promise<Response> => {
    const {
      status,
      headers: answered,
      bytes,
    } = await egress.fetch({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      body: body instanceof URLSearchParams ? body.toString() : null,
      ...{ timeoutMs, maxBytes },
    })
    // What it was packed in is gone, and so is its length.
    const type = answered['content-type']
    return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
      status,
      ...(type !== undefined && { headers: { 'content-type': type } }),
    })
  }
  /** Fetched when they are needed, kept for some minutes, and asked for again at most every half minute if one is missing. */
  const keysAt = (url: string | undefined): Kept['keys'] =>
    url === undefined
      ? null
      : createRemoteJWKSet(new URL(url), {
          [customFetch]: (at) => carry(at, { method: 'GET', headers: { accept: 'application/json' } }),
          timeoutDuration: timeoutMs,
        })
  // Plain http is refused by the way out, but where the operator has named the host.
  const options = { [oauth.customFetch]: carry, [oauth.allowInsecureRequests]: true }

  async function serverOf(issuer: string): Promise<oauth.AuthorizationServer> {
    return (await keptOf(issuer)).server
  }

  async function keptOf(issuer: string): Promise<Kept> {
    const known = kept.get(issuer)
    if (known && known.until > now()) return known
    if (!mayReach(issuer)) throw notAllowed()
    const url = new URL(issuer)
    const server = await oauth.processDiscoveryResponse(url, await oauth.discoveryRequest(url, options))
    if (!server.authorization_endpoint || !mayReach(server.authorization_endpoint)) throw notAllowed()
    kept.delete(issuer)
    const fresh = { server, keys: keysAt(server.jwks_uri), until: now() + keptMs }
    kept.set(issuer, fresh)
    for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - maxKept))) kept.delete(oldest)
    return fresh
  }

  /** One at a time too many is asked to come back; whatever the library does not accept becomes one fault. */
  async function asking<T>(issuer: string, work: () => Promise<T>): Promise<T> {
    const others = underWay.get(issuer) ?? 0
    if (others >= maxAtOnce) throw tooMany(timeoutMs / 1000)
    underWay.set(issuer, others + 1)
    try {
      return await work()
    } catch (error) {
      if (error instanceof Fault) throw error
      throw new Fault('upstream_refused', wordsFor(error), { cause: error })
    } finally {
      const left = (underWay.get(issuer) ?? 1) - 1
      if (left === 0) underWay.delete(issuer)
      else underWay.set(issuer, left)
    }
  }

  return {
    check: (issuer) =>
      asking(issuer, async () => {
        kept.delete(issuer)
        await serverOf(issuer)
      }),

    addressFor: ({ issuer, clientId, redirectUri }, { state, nonce, codeVerifier, loginHint }) =>
      asking(issuer, async () => {
        const url = new URL((await serverOf(issuer)).authorization_endpoint ?? '')
        const parameters = {
          client_id: clientId,
          redirect_uri: redirectUri,
          response_type: 'code',
          scope: 'openid email profile',
          ...{ state, nonce },
          code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
          login_hint: loginHint,
        }
        for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
        return url.href
      }),

    redeem: ({ issuer, clientId, clientSecret, redirectUri }, { state, nonce, codeVerifier, answer }) =>
      asking(issuer, async () => {
        const server = await serverOf(issuer)
        const client: oauth.Client = { client_id: clientId }
        const parameters = oauth.validateAuthResponse(server, client, answer, state)
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          authenticationAt(server, clientSecret),
          parameters,
          redirectUri,
          codeVerifier,
          options,
        )
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        })
        await oauth.validateApplicationLevelSignature(server, response, options)
        const claims = oauth.getValidatedIdTokenClaims(tokens)
        if (!claims) throw new Error('there is no ID token')
        // The library is content with nobody, and with a name of any length.
        if (!isName(claims.sub)) throw new Error('the subject is none')
        const userInfo = async () => {
          const asked = await oauth.userInfoRequest(server, client, tokens.access_token, options)
          return personIn(await oauth.processUserInfoResponse(server, client, claims.sub, asked))
        }
        const said = personIn(claims)
        const isSaid = said.email !== null || server.userinfo_endpoint === undefined
        const { amr } = claims
        return {
          subject: claims.sub,
          session: isName(claims['sid']) ? claims['sid'] : null,
          methods: Array.isArray(amr) ? amr.filter((method) => typeof method === 'string') : [],
          person: async () => (isSaid ? said : await asking(issuer, userInfo)),
        }
      }),

    readLogout: ({ issuer, clientId }, token) =>
      asking(issuer, async () => {
        const { server, keys } = await keptOf(issuer)
        if (!keys) throw new Error('the issuer has no keys')
        const { payload } = await jwtVerify(token, keys, {
          issuer: server.issuer,
          audience: clientId,
          algorithms: signatures,
          requiredClaims: ['iat', 'jti'],
          maxTokenAge: maxLogoutSeconds,
          clockTolerance: 60,
        })
        return logoutIn(payload)
      }),
  }
}

interface Kept {
  server: oauth.AuthorizationServer
  keys: ReturnType<typeof createRemoteJWKSet> | null
  until: number
}

/** Those that take a key which the issuer alone has. */
const signatures = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** Whoever has kept one for longer than this ends nothing with it. */
const maxLogoutSeconds = 300
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** An ID token, which the same key has signed, says nothing of an event, and has a nonce. */
function logoutIn({ sub, sid, events, nonce }: JWTPayload): Logout {
  const event = typeof events === 'object' && events !== null && logoutEvent in events ? events[logoutEvent] : null
  if (typeof event !== 'object' || event === null) throw new Error('the token says nothing of a logout')
  if (nonce !== undefined) throw new Error('the token is another kind of token')
  const said = { subject: isName(sub) ? sub : null, session: isName(sid) ? sid : null }
  if (said.subject === null && said.session === null) throw new Error('the token says neither who nor what')
  return said
}

/** As OpenID Connect has it: so much of ASCII. */
const isName = (value: unknown): value is string => typeof value === 'string' && /^[\x20-\x7e]{1,255}$/.test(value)

/** By the header, as every server has to understand it, unless it says that it wants the secret in the form. */
function authenticationAt(server: oauth.AuthorizationServer, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None()
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return methods.includes('client_secret_basic') ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

const notAllowed = () => new Fault('upstream_refused', 'The address is not allowed.')

const textOrNull = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

const personIn = ({ email, email_verified: verified, name }: Readonly<Record<string, unknown>>): Person => ({
  email: textOrNull(email),
  isEmailVerified: typeof verified === 'boolean' ? verified : null,
  name: textOrNull(name),
})

function wordsFor(error: unknown): string {
  if (error instanceof oauth.AuthorizationResponseError) return 'The identity provider did not sign you in.'
  return 'The answer of the identity provider is not accepted.'
}
