import { AuthenticationError } from './errors.ts'

/** Who calls. Tokens are fetched when they are needed, kept until they end, and fetched anew when they are refused. */
export type Auth = AppAuth | AccountOfAppAuth | AccountAuth | UserAuth | TokenAuth

/** Client software: reads and changes what is in the shops of its merchants. */
export interface AppAuth {
  clientId: string | number
  clientSecret: string
  scope?: string
}

/** Client software that acts for one of its accounts, named by the id that the app has given it. */
export interface AccountOfAppAuth extends AppAuth {
  account: string
}

/** A page of one merchant: your server makes an intent, the page exchanges it. Asked again when the token ends. */
export interface AccountAuth {
  intentToken: () => string | Promise<string>
}

/** A person, with the client of their software. */
export interface UserAuth {
  clientId: string | number
  clientSecret: string
  username: string
  password: string
  /** A code of the second factor, for those who have one. */
  totp?: () => string | Promise<string>
  scope?: string
}

/** A token that you look after yourself. */
export interface TokenAuth {
  token: string | (() => string | Promise<string>)
}

export interface Tokens {
  /** The one to use now. */
  get(): Promise<string>
  /** This one was refused. Whether another one can be had. */
  drop(token: string): boolean
}

export type Grant = (fields: Readonly<Record<string, string>>) => Promise<Granted>

export interface Granted {
  access_token: string
  expires_in: number
  refresh_token?: string
}

/** So long before a token ends the next one is fetched: an answer on its way must still find it good. */
const spareSeconds = 60

export const tokensFor = (auth: Auth, grant: Grant, now: () => number = Date.now): Tokens =>
  'token' in auth ? givenTokens(auth) : grantedTokens(auth, grant, now)

type Granting = Exclude<Auth, TokenAuth>

function grantedTokens(auth: Granting, grant: Grant, now: () => number): Tokens {
  let known: { token: string; endsAt: number } | null = null
  let refreshToken: string | null = null
  let coming: Promise<string> | null = null

  async function fetchToken(): Promise<string> {
    const granted = await (refreshToken === null ? grant(await fieldsOf(auth)) : renewed(refreshToken))
    refreshToken = granted.refresh_token ?? null
    const seconds = Math.max(granted.expires_in - spareSeconds, granted.expires_in / 2)
    known = { token: granted.access_token, endsAt: now() + seconds * 1000 }
    return granted.access_token
  }

  /** A refresh token ends too, and is good once: then it is the password again. */
  async function renewed(token: string): Promise<Granted> {
    try {
      return await grant({ ...clientOf(auth), grant_type: 'refresh_token', refresh_token: token })
    } catch (error) {
      if (!(error instanceof AuthenticationError) && !isRefusedGrant(error)) throw error
      refreshToken = null
      return await grant(await fieldsOf(auth))
    }
  }

  return {
    async get() {
      if (known && now() < known.endsAt) return known.token
      coming ??= fetchToken().finally(() => {
        coming = null
      })
      return await coming
    },
    drop(token) {
      if (known?.token === token) known = null
      return true
    },
  }
}

function givenTokens({ token }: TokenAuth): Tokens {
  return {
    get: async () => (typeof token === 'string' ? token : await token()),
    drop: () => typeof token !== 'string',
  }
}

const isRefusedGrant = (error: unknown): boolean =>
  (error as { body?: { error?: unknown } }).body?.error === 'invalid_grant'

function clientOf(auth: Granting): Record<string, string> {
  return 'clientId' in auth ? { client_id: String(auth.clientId), client_secret: auth.clientSecret } : {}
}

async function fieldsOf(auth: Granting): Promise<Record<string, string>> {
  if ('intentToken' in auth) return { grant_type: 'intent_token', intent_token: await auth.intentToken() }
  const common = { ...clientOf(auth), ...(auth.scope === undefined ? {} : { scope: auth.scope }) }
  if (!('username' in auth)) {
    return { ...common, grant_type: 'client_credentials', ...('account' in auth ? { account: auth.account } : {}) }
  }
  const { username, password, totp } = auth
  return { ...common, grant_type: 'password', username, password, ...(totp ? { totp: await totp() } : {}) }
}
