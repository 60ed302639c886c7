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
  close(): Promise<void>
}

/** A provider that we did not write, on this machine; whoever comes is signed in at once. */
export async function startIdentityProvider(redirectUris: readonly string[]): Promise<IdentityProvider> {
  const [clientId, clientSecret] = ['entrepot', randomUUID()]
  let person: Person = { sub: 'nobody' }
  const server = createServer()
  const loopback = await listen(server)
  const issuer = `http://127.0.0.1:${loopback.port}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [...redirectUris] }],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kty: 'RSA', alg: 'RS256', use: 'sig', kid: 'one' }] },
    cookies: { keys: [randomUUID()] },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
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
    visit: (url) => walk(url, issuer),
    close: () => loopback.close(),
  }
}

async function walk(start: string, issuer: string): Promise<URL> {
  const cookies = new Map<string, string>()
  for (let url = new URL(start); ; ) {
    if (url.origin !== issuer) return url
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=', 2)
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    if (next === null) throw new Error(`${url.pathname}: ${answer.status} ${await answer.text()}`)
    url = new URL(next, url)
  }
}
