import { Writable } from 'node:stream'
import { Type } from 'typebox'
import { afterEach, describe, expect, test } from 'vitest'
import { Fault, invalidField, notFound } from '../../src/lib/fault.ts'
import { endpointsFor, type Group, raw } from '../../src/runtime/http/endpoint.ts'
import type { HttpServer, ServerOptions } from '../../src/runtime/http/server.ts'
import { createLog } from '../../src/runtime/log.ts'
import { createBareServer } from '../support/bare-server.ts'

/** When something goes wrong inside: the caller hears which kind of thing, the log hears the rest. */

const group = { name: 'open', description: 'Open', prefix: '', caller: null, rate: null } as const satisfies Group
const locked = { ...group, name: 'locked', caller: 'user', rate: 'user' } as const satisfies Group
const endpoint = endpointsFor<null, Record<string, never>, { scope: string; permission: string; right: string }>()
const any = Type.Unsafe<Record<string, unknown>>({ type: 'object' })

let server: HttpServer | undefined
afterEach(async () => {
  await server?.close()
})

function serve(
  handle: () => Promise<Record<string, unknown>>,
  options: Partial<ServerOptions> = {},
  of: Group = group,
) {
  const lines: string[] = []
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  const only = endpoint({
    group: of,
    method: 'GET',
    path: '/thing',
    summary: 'Get a thing',
    openBecause: 'For tests.',
    returns: raw(any),
    handle,
  })
  server = createBareServer({ endpoints: [only], log: createLog('debug', destination), ...options })
  return { server, lines }
}

const fails = (error: unknown) => async () => {
  throw error
}

describe('a mistake of ours', () => {
  test.each<[name: string, thrown: unknown]>([
    ['an error', new TypeError('secret of postgres://user:pass@host')],
    ['an error with a status of its own', Object.assign(new Error('no'), { statusCode: 200 })],
    ['an error that is none', 'a text'],
    ['nothing', undefined],
    ['null', null],
    ['an object', { message: 'secret' }],
  ])('is 500 without a word about it: %s', async (_name, thrown) => {
    const { server } = serve(fails(thrown))
    const answer = await server.inject('/thing')
    expect([answer.statusCode, answer.json()]).toEqual([500, { message: 'Server Error' }])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  })

  test('is in the log, under the number that the caller has', async () => {
    const { server, lines } = serve(fails(new TypeError('what happened')))
    const answer = await server.inject('/thing')
    const logged = lines.map((line) => JSON.parse(line)).find(({ msg }) => msg === 'request failed')
    expect(logged).toMatchObject({
      level: 'error',
      requestId: answer.headers['x-request-id'],
      err: { name: 'TypeError', message: 'what happened', stack: expect.stringContaining('failures.test') },
    })
  })

  test('in who is calling, and in how often, too', async () => {
    const limits = { user: 1, client: 1, account: 1, token: 1 }
    const ok = async () => ({})
    const limiter = {
      hit: () => Promise.reject(new Error('x')),
      share: ok,
      stopSharing: () => undefined,
      close: () => undefined,
    }
    const caller = {
      kind: 'user',
      subject: 'user:1',
      clientId: 1,
      scopes: [],
      permissions: new Set<string>(),
      rights: null,
    }
    for (const identify of [
      () => Promise.reject(new Error('x')),
      () => {
        throw new Error('x')
      },
      () => caller,
    ]) {
      const guard = { identify, limits, limiter: { ...limiter, share: async () => undefined } }
      const { server } = serve(ok, { guard }, locked)
      const answer = await server.inject({ url: '/thing', headers: { authorization: 'Bearer abc' } })
      expect([answer.statusCode, answer.json()]).toEqual([500, { message: 'Server Error' }])
      await server.close()
    }
  })
})

describe('what is expected', () => {
  test('a database that is away is 503 with a time to come back', async () => {
    const { server } = serve(fails(new Error('gone')), { isUnavailable: () => true })
    const answer = await server.inject('/thing')
    expect([answer.statusCode, answer.json()]).toEqual([503, { message: 'Service Unavailable' }])
    expect(answer.headers['retry-after']).toBe('1')
  })

  test('says once a second in the log why, and of how many others', async () => {
    const { server, lines } = serve(fails(new Error('gone')), { isUnavailable: () => true })
    const warnings = () => lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')
    const answer = await server.inject('/thing')
    expect(warnings()).toMatchObject([
      { requestId: answer.headers['x-request-id'], others: 0, err: { name: 'Error', message: 'gone' } },
    ])
    await expect.poll(async () => (await server.inject('/thing')) && warnings().length).toBe(2)
    expect(warnings()[1].others).toBe(lines.filter((line) => JSON.parse(line).status === 503).length - 2)
  })

  test.each<[name: string, fault: Fault, status: number, body: unknown, retry: string | undefined]>([
    ['a record that is not there', notFound(), 404, { message: 'Not found.' }, undefined],
    [
      'a field',
      invalidField('shop', 'The shop field is required.'),
      422,
      { message: 'The shop field is required.', errors: { shop: ['The shop field is required.'] } },
      undefined,
    ],
    [
      'a shop that refuses',
      new Fault('upstream_refused', 'No such order.'),
      422,
      { message: 'No such order.', errors: { shop: ['No such order.'] } },
      undefined,
    ],
    [
      'a shop that is down',
      new Fault('upstream_retryable', 'Try later.', { retryAfterSeconds: 7 }),
      503,
      { message: 'Try later.' },
      '7',
    ],
  ])('%s', async (_name, fault, status, body, retry) => {
    const { server, lines } = serve(fails(fault))
    const answer = await server.inject('/thing')
    expect([answer.statusCode, answer.json(), answer.headers['retry-after']]).toEqual([status, body, retry])
    expect(lines.join('')).not.toContain('request failed')
  })
})

describe('the log of requests', () => {
  test('names the route and the outcome, and neither address nor token', async () => {
    const { server, lines } = serve(async () => ({ fine: true }))
    await server.inject({ url: '/thing?email=ada@example.com', headers: { authorization: 'Bearer s3cret' } })
    const [line] = lines.map((text) => JSON.parse(text)).filter(({ msg }) => msg === 'request')
    expect(line).toMatchObject({ method: 'GET', route: '/thing', status: 200, actor: null, address: '127.0.0.1' })
    expect(lines.join('')).not.toMatch(/s3cret|ada@/)
  })
})

describe('closing', () => {
  test('lets a running request finish, and takes no new one', async () => {
    let finish = () => {}
    let begun = () => {}
    const running = new Promise<void>((resolve) => {
      begun = resolve
    })
    const { server } = serve(async () => {
      begun()
      await new Promise<void>((resolve) => {
        finish = resolve
      })
      return { finished: true }
    })
    const url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}/thing`
    const answer = fetch(url)
    await running
    let closed = false
    const closing = server.close().then(() => {
      closed = true
    })
    await expect
      .poll(() =>
        fetch(url).then(
          () => 'taken',
          () => 'refused',
        ),
      )
      .toBe('refused')
    expect(closed).toBe(false)
    finish()
    expect(await (await answer).json()).toEqual({ finished: true })
    await closing
  })
})
