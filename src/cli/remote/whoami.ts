import { type Connection, remoteCommand } from './connect.ts'
import { moment } from './look.ts'

export interface Who {
  kind: Connection['token']['kind']
  /** A name and an address, or whatever the token says. */
  name: string
  email: string | null
  scopes: readonly string[]
  expires_at: string | null
}

/** Asks the service, so that a token that has ended is found out; one that may little at least says whose it is. */
export async function whoIs({ token, user, app }: Connection): Promise<Who> {
  const { library } = await import('./library.ts')
  const bare = { kind: token.kind, name: token.subject, email: null, scopes: token.scopes, expires_at: token.expiresAt }
  const unlessForbidden = (error: unknown): null => {
    if (error instanceof library.PermissionError) return null
    throw error
  }
  if (token.kind === 'client') {
    const client = await app()
    await client.integrations.list().page().catch(unlessForbidden)
    return bare
  }
  // What the console asks to know who is signed in is not of version 2.0, and so not among the library's own paths.
  const me = await user.call('get', '/console/session' as '/api/2.0/user/apps').catch(unlessForbidden)
  if (me === null) return bare
  const { name, email } = (me as unknown as { data: { name: string; email: string } }).data
  return { ...bare, name: `${name} (${email})`, email }
}

export const whoamiCommand = remoteCommand({
  name: 'whoami',
  summary: 'Say who you are signed in as, and where',
  options: {},
  async run(_values, output, _given, connect) {
    const connection = await connect()
    const who = await whoIs(connection)
    const { url, profileName } = connection
    const words = [
      `${who.name} at ${url}`,
      `  profile  ${profileName ?? 'none: the token is in the environment'}`,
      `  scopes   ${who.scopes.includes('*') ? 'all that you may' : who.scopes.join(' ')}`,
      `  until    ${who.expires_at === null ? 'unknown' : moment(who.expires_at)}`,
    ]
    output.result({ url, profile: profileName, ...who }, words.join('\n'))
  },
})
