import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'
import { listen } from './loopback.ts'

/** Who somebody is at the provider, and what it says of them. */
export interface Person {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

export interface IdentityProvider {
  issuer: string
  clientId: string
  clientSecret: string
  /** Whoever comes from now on is this person, without being asked. */
  be(person: Person): void
  /** The way of a browser through its pages: from the address it was sent to, to the one it is sent back to. */
  visit(url: string): Promise<URL>
  /** In the browser that came last as this person: whoever was told of the sign-in is told of this. */
  signOut(sub: string): Promise<void>
  close(): Promise<void>
}

/** A provider that we did not write, on this machine; whoever comes is signed in at once. */
export async function startIdentityProvider(
  redirectUris: readonly string[],
  logoutUri?: string,
): Promise<IdentityProvider> {
  const [clientId, clientSecret] = ['entrepot', randomUUID()]
  let person: Person = { sub: 'nobody' }
  const server = createServer()
  const loopback = await listen(server)
  const issuer = `http://127.0.0.1:${loopback.port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [...redirectUris],
        ...(logoutUri !== undefined && {
          backchannel_logout_uri: logoutUri,
          backchannel_logout_session_required: true,
        }),
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'one' }] },
    cookies: { keys: [randomUUID()] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
    // What it asks by itself goes to this machine, which it would not do of its own accord.
    fetch: (url, { dispatcher: _, ...options } = {}) => fetch(url, options),
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ ...person, sub: id }) }),
    // Nobody is asked whether they agree.
    loadExistingGrant: async ({ oidc }) => {
      const grant = new provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const browsers = new Map<string, Cookies>()
  const handle = provider.callback()
  server.on('request', (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void handle(request, response)
    void provider.interactionFinished(request, response, { login: { accountId: person.sub, remember: false } })
  })
  return {
    issuer,
    clientId,
    clientSecret,
    be: (next) => {
      person = next
    },
    visit: (url) => {
      const cookies: Cookies = new Map()
      browsers.set(person.sub, cookies)
      return walk(url, issuer, cookies)
    },
    signOut: async (sub) => await leave(issuer, browsers.get(sub) ?? new Map()),
    close: () => loopback.close(),
  }
}

type Cookies = Map<string, string>

async function walk(start: string, issuer: string, cookies: Cookies): Promise<URL> {
  for (let url = new URL(start); ; ) {
    if (url.origin !== issuer) return url
    const answer = await ask(url, cookies)
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`)
    url = new URL(next, url)
  }
}

/** Through the page that asks whether one means it. */
async function leave(issuer: string, cookies: Cookies): Promise<void> {
  const page = await (await ask(new URL('/session/end', issuer), cookies)).text()
  const xsrf = /name="xsrf" value="([^"]+)"/.exec(page)?.[1]
  if (xsrf === undefined) throw new Error(page)
  const done = await ask(new URL('/session/end/confirm', issuer), cookies, new URLSearchParams({ xsrf, logout: 'yes' }))
  if (done.status >= 400) throw new Error(await done.text())
}

async function ask(url: URL, cookies: Cookies, form?: URLSearchParams): Promise<Response> {
  const answer = await fetch(url, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form && { method: 'POST', body: form }),
  })
  for (const cookie of answer.headers.getSetCookie()) {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=', 2)
    cookies.set(name, value)
  }
  return answer
}
