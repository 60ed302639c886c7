import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { listenHttp } from './loopback.ts'

/** What an issuer that means no good, or is broken, does otherwise. */
export interface Bends {
  metadata?: Record<string, unknown>
  claims?: JWTPayload
  /** In the place of the signed ID token. */
  idToken?: (claims: JWTPayload) => Promise<string> | string
  /** In the place of any answer, by its path. */
  answers?: Readonly<Record<string, (response: ServerResponse) => void>>
  /** Of the address that the browser is sent back to. */
  parameters?: Readonly<Record<string, string>>
}

export interface BentIssuer {
  issuer: string
  bends: Bends
  /** Every path that was asked for. */
  asked: string[]
  /** Whatever it says, by its own key. */
  sign(claims: JWTPayload): Promise<string>
  /** Sends the browser back at once. */
  visit(url: string): URL
  close(): Promise<void>
}

/** The few answers of OpenID Connect, right until they are bent. */
export async function startBentIssuer(clientId: string): Promise<BentIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid: 'one' }
  const nonces = new Map<string, string>()
  const asked: string[] = []

  const signed = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)

  const loopback = await listenHttp((request, response) => {
    const path = new URL(request.url ?? '/', 'http://issuer').pathname
    asked.push(path)
    const bent = made.bends.answers?.[path]
    if (bent) return bent(response)
    let text = ''
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    request.on('end', () => void answer(path, new URLSearchParams(text)).then((body) => json(response, body)))
  })
  const issuer = `http://127.0.0.1:${loopback.port}`

  async function answer(path: string, form: URLSearchParams): Promise<unknown> {
    if (path === '/.well-known/openid-configuration') {
      return {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/keys`,
        ...made.bends.metadata,
      }
    }
    if (path === '/keys') return { keys: [jwk] }
    const now = Math.floor(Date.now() / 1000)
    const nonce = nonces.get(form.get('code') ?? '')
    const usual: JWTPayload = { iss: issuer, aud: clientId, sub: 'one', iat: now, exp: now + 300, nonce }
    const claims = { ...usual, ...made.bends.claims }
    const idToken = await (made.bends.idToken ?? signed)(claims)
    return { access_token: randomUUID(), token_type: 'Bearer', id_token: idToken }
  }

  const made: BentIssuer = {
    issuer,
    bends: {},
    asked,
    sign: signed,
    visit(url) {
      const { searchParams: sent } = new URL(url)
      const code = randomUUID()
      nonces.set(code, sent.get('nonce') ?? '')
      const back = new URL(sent.get('redirect_uri') ?? '')
      const parameters = { code, state: sent.get('state') ?? '', ...made.bends.parameters }
      for (const [name, value] of Object.entries(parameters)) back.searchParams.set(name, value)
      return back
    },
    close: () => loopback.close(),
  }
  return made
}

export const unsigned = (claims: JWTPayload): string => new UnsecuredJWT(claims).encode()

function json(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(body))
}
