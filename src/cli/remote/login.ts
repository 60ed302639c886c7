import { setTimeout as sleep } from 'node:timers/promises'
import { readCommandLine } from '../../config.ts'
import { version } from '../../version.ts'
import { command, type Output } from '../command.ts'
import { openInBrowser } from './browser.ts'
import { checkedUrl, connectionOf, localUrl } from './connect.ts'
import { explained, failure } from './failure.ts'
import { keepProfile, type Profile } from './profiles.ts'
import { send } from './send.ts'
import { whoIs } from './whoami.ts'

export const commandLineClient = 'entrepot-cli'

export const loginCommand = command({
  name: 'login',
  summary: 'Sign in to an instance, in the browser or with a token',
  arguments: [{ name: 'URL', description: `Where the instance is; ENTREPOT_URL or ${localUrl} by default` }],
  options: {
    profile: {
      type: 'string',
      value: 'NAME',
      description: 'What to call it here, where you have several; its host by default',
    },
    token: { type: 'string', value: 'TOKEN', description: 'A token that you have; - reads it from the standard input' },
    scope: {
      type: 'string',
      value: 'LIST',
      description: 'What the token may at most, separated by spaces; all that you may by default',
    },
  },
  async run({ profile: named, token, scope }, output, [address]) {
    const { folder, url: fromEnvironment } = readCommandLine()
    const url = checkedUrl(address ?? fromEnvironment ?? localUrl)
    const name = named ?? new URL(url).host
    try {
      const profile: Profile =
        token === undefined
          ? { url, token: await byDevice(url, scope, output), issued: true }
          : { url, token: token === '-' ? await fromInput() : token, issued: false }
      const who = await whoIs(connectionOf(profile, { profileName: name, app: null }))
      const path = await keepProfile(folder, name, profile)
      output.result(
        { profile: name, url, ...who },
        `Signed in to ${url} as ${who.name}. Kept as profile "${name}" in ${path}.`,
      )
    } catch (error) {
      throw explained(error, url)
    }
  },
})

interface Begun {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
  expires_in: number
  interval: number
}

/** RFC 8628: shows a code, and asks until somebody has approved it in the console. */
async function byDevice(url: string, scope: string | undefined, output: Output): Promise<string> {
  const fields = { client_id: commandLineClient, ...(scope === undefined ? {} : { scope }) }
  const { status, body } = await post(`${url}/oauth/device_authorization`, fields)
  if (status === 404 || status === 405) {
    throw failure(
      'other_version',
      `${url} cannot sign in a command line (this is version ${version}). Use a token: entrepot login ${url} --token TOKEN`,
    )
  }
  if (status !== 200) throw refused(body)
  const begun = body as unknown as Begun
  const words = `Open this address and compare the code:\n\n  ${begun.verification_uri_complete}\n  ${begun.user_code}\n`
  // Others read it off this line, while the result is still to come.
  if (output.json)
    process.stderr.write(
      `${JSON.stringify({ verification_uri: begun.verification_uri_complete, user_code: begun.user_code })}\n`,
    )
  else output.say(words)
  openInBrowser(begun.verification_uri_complete)
  return await waitForApproval(url, begun, output)
}

async function waitForApproval(url: string, begun: Begun, output: Output): Promise<string> {
  let interval = begun.interval
  const until = Date.now() + begun.expires_in * 1000
  while (Date.now() < until) {
    output.progress('Waiting for approval …')
    await sleep(interval * 1000)
    const { status, body } = await post(`${url}/oauth/token`, {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: begun.device_code,
      client_id: commandLineClient,
    })
    if (status === 200) return String(body['access_token'])
    if (body['error'] === 'slow_down') interval += 5
    else if (body['error'] === 'access_denied') throw failure('not_allowed', 'It was refused in the console.')
    else if (body['error'] !== 'authorization_pending' && status < 500 && status !== 429) throw refused(body)
  }
  throw failure('not_signed_in', 'Nobody has approved it within ten minutes. Begin again: entrepot login')
}

async function post(
  url: string,
  fields: Record<string, string>,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const { ConnectionError } = (await import('./library.ts')).library
  try {
    const headers = { accept: 'application/json', 'user-agent': `entrepot-cli/${version}` }
    const answer = await send(url, { method: 'POST', headers, body: new URLSearchParams(fields) })
    const text = await answer.text()
    const isJson = (answer.headers.get('content-type') ?? '').includes('json')
    return { status: answer.status, body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {} }
  } catch (cause) {
    throw new ConnectionError(`${url}: no answer.`, { cause })
  }
}

const refused = (body: Record<string, unknown>) =>
  failure(
    'invalid',
    [body['message'] ?? body['error_description'], body['hint']].filter(Boolean).join(' ') || 'It was refused.',
  )

async function fromInput(): Promise<string> {
  let text = ''
  for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk
  const token = text.trim()
  if (token === '') throw failure('invalid', 'There is no token in the standard input.')
  return token
}
