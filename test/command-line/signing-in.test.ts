import { once } from 'node:events'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askToken } from '../support/identity.ts'
import { printed } from '../support/process.ts'
import { type CliStage, json, openCliStage } from './stage.ts'

let stage: CliStage
beforeAll(async () => {
  stage = await openCliStage()
})
afterAll(() => stage.close())

/** Nothing in the environment: what counts is what was signed in to. */
const bare = { ENTREPOT_TOKEN: '', ENTREPOT_URL: '' }

describe('entrepot login', () => {
  test('shows a code, waits until it is approved, and keeps the token for its owner alone', async () => {
    const { server, merchant, url, folder } = stage
    const child = stage.start(['login', url, '--profile', 'work', '--json'], bare)
    const output = text(child.stdout ?? Readable.from([]))
    const { user_code: code } = json((await printed(child, 'user_code')).split('\n')[0] ?? '')
    const decided = await server.call('POST', '/console/device/decide', {
      token: merchant.userToken,
      body: { user_code: code, decision: 'approve' },
    })
    expect(decided.status).toBe(200)
    expect(json(await output)).toMatchObject({ profile: 'work', url, email: merchant.email, scopes: ['*'] })
    const path = join(folder, 'entrepot/profiles.json')
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    const { profiles } = JSON.parse(await readFile(path, 'utf8')) as { profiles: Record<string, { token: string }> }
    const token = profiles['work']?.token ?? ''

    const who = await stage.run(['whoami', '--json'], bare)
    expect(json(who.stdout)).toMatchObject({ profile: 'work', url, email: merchant.email, kind: 'user' })
    const asked = () => server.call('GET', '/console/session', { token })
    expect((await asked()).status).toBe(200)
    expect(json((await stage.run(['logout', '--json'], bare)).stdout)).toEqual({ profile: 'work', url, revoked: true })
    expect((await asked()).status).toBe(401)
    expect(await readFile(path, 'utf8')).not.toContain(token)
    expect(await stage.run(['whoami'], bare)).toMatchObject({ code: 3, stdout: '' })
  })

  test('says so when it is refused', async () => {
    const { server, merchant, url } = stage
    const child = stage.start(['login', url, '--json'], bare)
    const [complaints, closed] = [text(child.stderr ?? Readable.from([])), once(child, 'close')]
    child.stdout?.resume()
    const { user_code: code } = json((await printed(child, 'user_code')).split('\n')[0] ?? '')
    await server.call('POST', '/console/device/decide', {
      token: merchant.userToken,
      body: { user_code: code, decision: 'deny' },
    })
    expect(await complaints).toContain('It was refused in the console.')
    expect(await closed).toEqual([4, null])
  })

  test('takes a token that is piped in, for several instances side by side', async () => {
    const { url, merchant } = stage
    const child = stage.start(['login', url, '--token', '-', '--profile', 'piped', '--json'], bare)
    const output = text(child.stdout ?? Readable.from([]))
    child.stdin?.end(`${merchant.userToken}\n`)
    expect(json(await output)).toMatchObject({ profile: 'piped', email: merchant.email })
    const other = await stage.run(['login', url, '--token', merchant.appToken, '--profile', 'app', '--json'], bare)
    expect(json(other.stdout)).toMatchObject({ profile: 'app', kind: 'client' })
    const named = await stage.run(['whoami', '--profile', 'piped', '--json'], bare)
    expect(json(named.stdout)).toMatchObject({ profile: 'piped', kind: 'user' })
    expect(json((await stage.run(['whoami', '--json'], bare)).stdout)).toMatchObject({ profile: 'app' })
    const left = await stage.run(['logout', '--profile', 'piped', '--json'], bare)
    expect(json(left.stdout)).toMatchObject({ revoked: false })
    const gone = await stage.run(['whoami', '--profile', 'piped'], bare)
    expect(gone).toMatchObject({ code: 3, stderr: 'There is no profile "piped". There are: app.\n' })
  })
})

describe('what went wrong is said in words, and by the exit code', () => {
  test.each([
    ['nobody is signed in', ['whoami'], { ...bare, XDG_CONFIG_HOME: '/nowhere' }, 3, 'Begin with: entrepot login'],
    ['nothing answers there', ['whoami'], { ENTREPOT_URL: 'http://127.0.0.1:9' }, 6, 'does not answer'],
    ['the token is no good', ['whoami'], { ENTREPOT_TOKEN: 'nonsense' }, 3, 'Sign in again'],
    ['the address is not encrypted', ['login', 'http://example.com'], {}, 7, 'Use https'],
    ['the order is not there', ['orders', 'find', 'no-such-order'], {}, 5, 'Order no-such-order is not here.'],
    ['the app is not one', ['shops', '--app', 'mine'], {}, 7, '--app must be the id of an app'],
    ['the app is somebody else’s', ['shops', '--app', '999999'], {}, 5, 'no access'],
    ['an argument is missing', ['orders', 'find'], {}, 1, 'needs NUMBER'],
    ['there is no such event', ['trigger', 'order.exploded'], {}, 1, 'EVENT must be one of'],
  ] as const)('%s', async (_, args, env, code, words) => {
    const finished = await stage.run(args, env)
    expect(finished.stderr).toContain(words)
    expect(finished).toMatchObject({ code, stdout: '' })
    expect(finished.stderr).not.toMatch(/^\s+at /m)
  })

  test('a token that may little is told what it lacks', async () => {
    const { server, merchant } = stage
    const { email: username, passwordClient } = merchant
    const grant = { grant_type: 'password', ...passwordClient, username, password: 'correct horse battery' }
    const { access_token: token } = await askToken(server.context, { ...grant, scope: 'user:app-read' })
    const refused = await stage.run(['shops'], { ENTREPOT_TOKEN: token })
    expect(refused).toMatchObject({ code: 4, stdout: '' })
    expect(refused.stderr).toContain('entrepot whoami')
    const who = await stage.run(['whoami', '--json'], { ENTREPOT_TOKEN: token })
    expect(json(who.stdout)).toMatchObject({ scopes: ['user:app-read'], email: null })
  })

  test('as JSON where that is asked for', async () => {
    const { code, stderr } = await stage.run(['orders', 'find', 'no-such-order', '--json'])
    expect([code, json(stderr)['error']]).toMatchObject([5, { code: 'not_found', request_id: expect.any(String) }])
  })

  test('a file of profiles that others could read is closed, and one that is broken is named', async () => {
    const { folder, url, merchant } = stage
    const path = join(folder, 'entrepot/profiles.json')
    const profile = { url, token: merchant.userToken, issued: false }
    await writeFile(path, JSON.stringify({ current: 'a', profiles: { a: profile } }), { mode: 0o644 })
    expect((await stage.run(['whoami'], bare)).code).toBe(0)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await writeFile(path, '{"current":')
    expect(await stage.run(['whoami'], bare)).toMatchObject({ code: 1, stderr: expect.stringContaining(path) })
  })
})
