import { readCommandLine } from '../../config.ts'
import { type Argument, type Command, command, type Option, type Output } from '../command.ts'
import { explained, failure } from './failure.ts'
import { type AppClient, library, type UserClient } from './library.ts'
import { type Profile, readProfiles } from './profiles.ts'
import { send } from './send.ts'

/** An instance that we are signed in to. */
export interface Connection {
  profileName: string | null
  profile: Profile
  url: string
  /** What the token says of itself; what it may is for the service to say. */
  token: TokenFacts
  user: UserClient
  /** The app that is meant: the one that is named, or the only one. */
  appId(): Promise<number>
  /** Speaks for that app: what it asks for is what the app's own software would. */
  app(): Promise<AppClient>
}

export interface TokenFacts {
  kind: 'user' | 'client' | 'account' | 'unknown'
  subject: string
  scopes: readonly string[]
  expiresAt: string | null
}

const shared = {
  profile: {
    type: 'string',
    value: 'NAME',
    description: 'Which instance; the one that was signed in to last by default',
  },
  app: { type: 'string', value: 'ID', description: 'Which of your apps; not needed where you have one' },
} as const satisfies Record<string, Option>

type Values<Options extends Record<string, Option>> = Parameters<
  Parameters<typeof command<Options & typeof shared>>[0]['run']
>[0]

/** A command that asks an instance: `--profile` and `--app` come with it, and failures in words. */
export function remoteCommand<const Options extends Record<string, Option>>(definition: {
  name: string
  summary: string
  options: Options
  arguments?: readonly Argument[]
  run(
    values: Values<Options>,
    output: Output,
    given: readonly string[],
    connect: () => Promise<Connection>,
  ): Promise<void>
}): Command {
  const { run, options, ...rest } = definition
  return command({
    ...rest,
    options: { ...options, ...shared },
    async run(values, output, given) {
      let url = ''
      const connect = async () => {
        const connection = await connectTo(values as { profile?: string; app?: string })
        url = connection.url
        return connection
      }
      try {
        await run(values as Values<Options>, output, given, connect)
      } catch (error) {
        throw explained(error, url)
      }
    },
  })
}

/** `--profile`, then the environment, then what was signed in to last. */
async function connectTo(named: { profile?: string; app?: string }): Promise<Connection> {
  const { folder, url: environmentUrl, token: environmentToken, app, profile: environmentProfile } = readCommandLine()
  const { current, profiles } = await readProfiles(folder)
  const name = named.profile ?? environmentProfile ?? current
  const stored = profiles[name]
  const fromEnvironment = environmentToken !== null && named.profile === undefined
  if (!fromEnvironment && !stored) {
    const known = Object.keys(profiles)
    throw failure(
      'not_signed_in',
      known.length === 0
        ? 'You are not signed in. Begin with: entrepot login https://your-instance.example.com'
        : `There is no profile "${name}". There are: ${known.join(', ')}.`,
    )
  }
  const profile = fromEnvironment
    ? { url: checkedUrl(environmentUrl ?? stored?.url ?? localUrl), token: environmentToken, issued: false }
    : (stored as Profile)
  return connectionOf(profile, { profileName: fromEnvironment ? null : name, app: named.app ?? app })
}

export const localUrl = 'http://127.0.0.1:3000'

export function connectionOf(
  profile: Profile,
  { profileName, app: named }: { profileName: string | null; app: string | null },
): Connection {
  const { url, token } = profile
  const options = { baseUrl: url, auth: { token } }
  const user = library.createUserClient({ ...options, fetch: send })
  const facts = tokenFacts(token)
  let chosen: Promise<number> | null = null
  const appId = () => {
    chosen ??= chooseApp(user, named ?? (profile.app === undefined ? null : String(profile.app)))
    return chosen
  }
  return {
    profileName,
    profile,
    url,
    token: facts,
    user,
    appId,
    async app() {
      if (facts.kind === 'client') return library.createClient({ ...options, fetch: send })
      const id = String(await appId())
      const speaking: typeof send = (request, init) => {
        if (request instanceof Request) request.headers.set('x-entrepot-app', id)
        return send(request, init)
      }
      return library.createClient({ ...options, fetch: speaking })
    },
  }
}

async function chooseApp(user: UserClient, named: string | null): Promise<number> {
  if (named !== null) {
    if (!/^[1-9]\d{0,14}$/.test(named)) throw failure('invalid', `--app must be the id of an app, not "${named}".`)
    return Number(named)
  }
  const apps = await user.apps.list().take(11)
  const [first, second] = apps
  if (!first) throw failure('not_found', 'You have no app yet. Create one in the console: entrepot open apps')
  if (!second) return first.id
  const list = apps.slice(0, 10).map(({ id, name }) => `  ${id}  ${name}`)
  const more = apps.length > 10 ? ['  … and others'] : []
  throw failure(
    'invalid',
    ['You have several apps. Say which with --app ID, or ENTREPOT_APP:', ...list, ...more].join('\n'),
  )
}

/** A token in plain text would be anybody's on the way: only on this machine that is nobody. */
export function checkedUrl(text: string): string {
  const withScheme = /^https?:\/\//.test(text) ? text : `https://${text}`
  if (!URL.canParse(withScheme)) throw failure('invalid', `"${text}" is not the address of an instance.`)
  const { protocol, hostname, origin } = new URL(withScheme)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || /^127\.|^\[::1\]$/.test(hostname)
  if (protocol === 'http:' && !isHere) {
    throw failure('invalid', `${origin} is not encrypted, and your token would be read on the way. Use https.`)
  }
  return origin
}

export function tokenFacts(token: string): TokenFacts {
  const unknown: TokenFacts = { kind: 'unknown', subject: '', scopes: [], expiresAt: null }
  try {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
    const { kind, sub, scopes, exp } = claims
    const known = (['user', 'client', 'account'] as const).find((one) => one === kind) ?? 'unknown'
    return {
      kind: known,
      subject: typeof sub === 'string' ? sub : '',
      scopes: Array.isArray(scopes) ? scopes.filter((scope) => typeof scope === 'string') : [],
      expiresAt: typeof exp === 'number' ? new Date(exp * 1000).toISOString() : null,
    }
  } catch {
    return unknown
  }
}
