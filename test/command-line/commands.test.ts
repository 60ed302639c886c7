import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allCommands } from '../../src/cli/index.ts'
import { eventTypes } from '../../src/domain/events/event.ts'
import { type HookReceiver, openHookReceiver, type ReceivedHook } from '../support/hook-receiver.ts'
import { askToken } from '../support/identity.ts'
import { freePort, printed, runShell, stop } from '../support/process.ts'
import { until } from '../support/until.ts'
import { type CliStage, data, json, openCliStage, rows } from './stage.ts'

const commands = await allCommands()

let stage: CliStage
let receiver: HookReceiver
beforeAll(async () => {
  stage = await openCliStage()
  receiver = await openHookReceiver()
})
afterAll(async () => {
  await receiver.close()
  await stage.close()
})

const lines = (text: string) => text.trim().split('\n')
const verified = (secret: string, { body, headers }: ReceivedHook) =>
  new Webhook(secret).verify(body, headers as Record<string, string>) as { type: string; data: Record<string, unknown> }

describe('entrepot shops and orders', () => {
  test('list shops and how they are', async () => {
    const { shop } = stage
    const { stdout, code } = await stage.run(['shops'])
    expect([code, lines(stdout)]).toEqual([0, [expect.stringMatching(/^ID +NAME/), expect.stringContaining(shop.name)]])
    expect(json((await stage.run(['shops', '--json'])).stdout)['shops']).toMatchObject([
      { id: shop.id, type: 'sandbox' },
    ])
    expect((await stage.run(['shops', '--status', 'error'])).stdout).toContain('No shops found.')
  })

  test('find an order and draw its steps, for a person and for the app itself', async () => {
    const { order, shop, merchant } = stage
    const { stdout, code } = await stage.run(['orders', 'find', order.number])
    expect(code).toBe(0)
    expect(stdout).toContain(`shop ${shop.id}, id ${order.id}`)
    expect(stdout).toMatch(/● \d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\S/)
    const asApp = await stage.run(['orders', 'find', order.number, '--json'], { ENTREPOT_TOKEN: merchant.appToken })
    expect(json(asApp.stdout)).toMatchObject({ order: { id: order.id }, steps: expect.any(Array) })
  })

  test('open prints where a page is', async () => {
    const { url, merchant } = stage
    expect((await stage.run(['open', 'orders'])).stdout).toBe(`${url}/console/apps/${merchant.appId}/orders\n`)
    expect(json((await stage.run(['open', '--json'])).stdout)).toEqual({ url: `${url}/console` })
  })
})

describe('entrepot tail', () => {
  test('shows logs and runs that there are', async () => {
    const { shop } = stage
    const shown = lines((await stage.run(['tail', '--once', '--json'])).stdout).map(json)
    expect(new Set(shown.map(({ kind }) => kind))).toEqual(new Set(['log', 'run']))
    expect(shown.every(({ integration_id: id }) => id === shop.id)).toBe(true)
  })

  test('shows the app itself its own logs and runs, and to people what shops send', async () => {
    const { access_token: token } = await askToken(stage.server.context, {
      grant_type: 'client_credentials',
      ...stage.merchant.appClient,
    })
    const asApp = { ENTREPOT_TOKEN: token }
    const shown = lines((await stage.run(['tail', '--once', '--json'], asApp)).stdout).map(json)
    expect(new Set(shown.map(({ kind }) => kind))).toEqual(new Set(['log', 'run']))
    const refused = await stage.run(['tail', 'messages', '--once'], asApp)
    expect(refused).toMatchObject({ code: 7, stderr: expect.stringContaining('Sign in as one') })
    await sql`insert into shop_messages (integration_id, delivery_id, topic, kind, body, next_attempt_at)
      values (${stage.shop.id}, 'a', 'order.changed', 'order', '\\x00', '2099-01-01')`.execute(stage.server.context.db)
    const some = lines((await stage.run(['tail', 'messages', '--once', '--json'])).stdout).map(json)
    expect(some).toEqual([
      expect.objectContaining({ kind: 'message', about: 'order', topic: 'order.changed', outcome: null }),
    ])
  })

  test('and calls of the API as they come, each once', async () => {
    const { merchant } = stage
    const child = stage.start(['tail', 'requests', '--every', '1', '--json'])
    try {
      for (const n of [1, 2, 3]) await merchant.asApp('GET', `/accounts?per_page=${n}`)
      const shown = await printed(child, 'per_page=3')
      const calls = lines(shown.slice(0, shown.lastIndexOf('\n'))).map(json)
      const ids = calls.map(({ request_id: id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(calls.find(({ query }) => query === 'per_page=2')).toMatchObject({
        kind: 'request',
        route: '/api/2.0/app/accounts',
        status: 200,
      })
    } finally {
      expect(await stop(child)).toBe(0)
    }
  })

  test('and those that come', async () => {
    const { merchant, shop } = stage
    const child = stage.start(['tail', 'runs', '--every', '1', '--json'])
    try {
      await printed(child, '"kind":"run"')
      const run = data(await merchant.asApp('POST', `/integrations/${shop.id}/action`, { resource: 'sync_products' }))
      const shown = await printed(child, `"id":${run['id']},`)
      expect(shown).toContain('sync_products')
    } finally {
      expect(await stop(child)).toBe(0)
    }
  })
})

describe('entrepot trigger', () => {
  test('posts a sample from here, signed, without being signed in', async () => {
    const env = { ENTREPOT_TOKEN: '', XDG_CONFIG_HOME: '/nowhere' }
    const { stdout, code } = await stage.run(['trigger', 'order.refunded', '--forward-to', receiver.url, '--json'], env)
    const { secret, status } = json(stdout)
    expect([code, status]).toEqual([0, 200])
    const hook = receiver.received.at(-1)
    expect(hook && verified(String(secret), hook)).toMatchObject({ type: 'order.refunded', data: { sample: true } })
  })

  test('says what is wrong where nothing listens', async () => {
    const { stdout, code } = await stage.run([
      'trigger',
      'order.created',
      '--forward-to',
      `127.0.0.1:${await freePort()}/hook`,
    ])
    expect([code, stdout]).toEqual([1, expect.stringContaining('is your receiver running?')])
  })

  test('and replay send through a webhook of the app', async () => {
    const { merchant } = stage
    const body = { url: receiver.url, events: ['order.created'] }
    const { id, secret } = data(await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks`, body))
    const sent = await stage.run(['trigger', 'product.deleted', '--webhook', String(id), '--json'])
    const delivery = json(sent.stdout)
    expect([sent.code, delivery]).toMatchObject([0, { type: 'product.deleted', state: 'delivered' }])
    const copies = () => receiver.received.filter((hook) => hook.id === delivery['event_id'])
    expect(copies().map((hook) => verified(String(secret), hook).type)).toEqual(['product.deleted'])
    const again = await stage.run(['replay', String(delivery['id']), '--webhook', String(id)])
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('is sent again') })
    await until(() => copies().length === 2)
    const range = await stage.run(['replay', '--since', '1h', '--webhook', String(id), '--wait', '--json'])
    expect(json(range.stdout)).toEqual({ replayed: 0 })
    const path = `/apps/${merchant.appId}/webhooks/${id}/deliveries`
    expect(rows(await merchant.asUser('GET', path))).toHaveLength(1)
  })

  test('replay takes a time without a zone as UTC, whatever the clocks of the machine show', async () => {
    const { merchant } = stage
    const body = { url: receiver.url, events: ['order.created'] }
    const { id } = data(await merchant.asUser('POST', `/apps/${merchant.appId}/webhooks`, body))
    await stage.run(['trigger', 'product.deleted', '--webhook', String(id), '--json'])
    await sql`update webhook_deliveries set state = 'failed' where webhook_id = ${id}`.execute(stage.server.context.db)
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 16)
    const replay = ['replay', '--since', hourAgo, '--webhook', String(id), '--json']
    const { stdout } = await stage.run(replay, { TZ: 'America/Los_Angeles' })
    expect(json(stdout)).toEqual({ replayed: 1 })
  })

  test('replay wants to know whose and what', async () => {
    expect(await stage.run(['replay', '5'])).toMatchObject({ code: 7, stderr: expect.stringContaining('Say whose') })
    const both = await stage.run(['replay', '--webhook', '1'])
    expect(both).toMatchObject({ code: 7, stderr: expect.stringContaining('Name a delivery') })
    const never = await stage.run(['replay', '--webhook', '1', '--since', 'yesterday'])
    expect(never).toMatchObject({ code: 7, stderr: expect.stringContaining('is no time') })
  })
})

describe('entrepot listen', () => {
  test('posts events with their signature, shows each answer, and sends again at the press of a key', async () => {
    const { merchant } = stage
    const child = stage.start([
      'listen',
      '--forward-to',
      receiver.url,
      '--events',
      'order.acknowledged,order.created',
      '--json',
    ])
    try {
      const { secret, listener } = json(lines(await printed(child, '"secret"'))[0] ?? '')
      receiver.answer(() => ({ status: 500, body: 'not yet' }))
      // Begun before: it may be there before the other command has ended.
      const refused = printed(child, '"status":500')
      const sample = await stage.run(['trigger', 'order.created', '--listener', String(listener)])
      expect(sample.code).toBe(0)
      const failed = lines(await refused)
        .map(json)
        .at(-1)
      expect(failed).toMatchObject({ type: 'order.created', ok: false, answer: 'not yet' })
      receiver.answer(() => ({ status: 204 }))
      const before = receiver.received.length
      child.stdin?.write('r')
      await printed(child, '"status":204')
      const hook = receiver.received.at(-1)
      expect(receiver.received.length).toBe(before + 1)
      expect(hook?.id).toBe(failed?.['id'])
      expect(hook && verified(String(secret), hook)).toMatchObject({ type: 'order.created', data: { sample: true } })
      child.stdin?.write('q')
      const [code] = await once(child, 'exit')
      expect(code).toBe(0)
      const gone = await merchant.asUser('GET', `/apps/${merchant.appId}/webhooks/listeners/${listener}/events`)
      expect(gone.status).toBe(404)
    } finally {
      await stop(child)
    }
  })

  test('ends when its token is revoked', async () => {
    const { server } = stage
    const device = await server.call('POST', '/oauth/device_authorization', { body: { client_id: 'entrepot-cli' } })
    const { device_code: deviceCode, user_code: userCode } = device.json
    const approving = { token: stage.merchant.userToken, body: { user_code: userCode, decision: 'approve' } }
    await server.call('POST', '/console/device/decide', approving)
    const client = { client_id: 'entrepot-cli' }
    const grant = { ...client, grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: deviceCode }
    const token = String((await server.call('POST', '/oauth/token', { body: grant })).json['access_token'])
    const child = stage.start(['listen', '--json'], { ENTREPOT_TOKEN: token })
    await printed(child, '"secret"')
    const exited = once(child, 'exit')
    await server.call('POST', '/oauth/revoke', { body: { ...client, token } })
    expect(await exited).toEqual([3, null])
  })

  test('takes no app’s token, no unknown event, and no address that is none', async () => {
    const { merchant } = stage
    const asApp = await stage.run(['listen'], { ENTREPOT_TOKEN: merchant.appToken })
    expect(asApp).toMatchObject({ code: 4, stderr: expect.stringContaining('takes a person’s') })
    expect(await stage.run(['listen', '--events', 'order.exploded'])).toMatchObject({ code: 7 })
    expect(await stage.run(['listen', '--forward-to', 'http://'])).toMatchObject({ code: 7 })
  })
})

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('of %s offers every command and its options', async (shell) => {
    const { stdout, code } = await stage.run(['completion', shell])
    expect(code).toBe(0)
    for (const { name } of commands) expect(stdout).toContain(name)
    expect(stdout).toContain('forward-to')
    for (const type of eventTypes) expect(stdout).toContain(type)
  })

  test('works in a real bash', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'entrepot-completion-'))
    try {
      await writeFile(join(folder, 'entrepot'), (await stage.run(['completion', 'bash'])).stdout)
      const offered = async (...words: string[]) => {
        const array = words.map((word) => `'${word}'`).join(' ')
        const script = `. ./entrepot; COMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _entrepot; printf '%s\\n' "\${COMPREPLY[@]}"`
        return lines((await runShell(script, { cwd: folder })).stdout)
      }
      expect(await offered('entrepot', 'lo')).toEqual(['login', 'logout'])
      expect(await offered('entrepot', 'trigger', 'order.acknowledged')).toEqual(['order.acknowledged'])
      expect(await offered('entrepot', 'listen', '--forw')).toEqual(['--forward-to'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
