import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { shopAway } from '../commerce/remote.ts'
import { Fault } from '../lib/fault.ts'
import { createLog, withoutCensor } from './log.ts'

function lines(level: string, write: (log: ReturnType<typeof createLog>) => void): Record<string, unknown>[] {
  const written: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      written.push(String(chunk))
      done()
    },
  })
  write(createLog(level, sink))
  return written.map((line) => JSON.parse(line))
}

const names = [
  ...['password', 'secret', 'client_secret', 'access_token', 'refresh_token', 'intent_token', 'gateway_key'],
  ...['authorization', 'credentials', 'token'],
]

describe('a line of the log', () => {
  test('has a word for its level, a time, and what it was given', () => {
    const [line] = lines('info', (log) => log.warn({ integration: 7 }, 'a run failed'))
    expect(line).toEqual({
      level: 'warn',
      time: expect.stringMatching(/^\d{4}-.*Z$/),
      integration: 7,
      msg: 'a run failed',
    })
  })

  test('is not written below its level', () => {
    expect(lines('warn', (log) => log.info('nothing'))).toEqual([])
  })

  test.each(names)('never shows what is called %s, at the top or below it', (name) => {
    const [line] = lines('info', (log) => log.info({ [name]: 'hush', request: { [name]: 'hush', path: '/' } }, 'x'))
    expect(line).toMatchObject({ [name]: '[redacted]', request: { [name]: '[redacted]', path: '/' } })
    expect(JSON.stringify(line)).not.toContain('hush')
  })

  test('has of an error what it is called, says and was thrown from, and nothing that hangs on it', () => {
    const error = Object.assign(new TypeError('no answer', { cause: new Error('hush') }), {
      code: 'ECONNRESET',
      config: { headers: { authorization: 'Bearer hush' } },
      request: { body: 'hush' },
    })
    const [line] = lines('info', (log) => log.error({ err: error }, 'failed'))
    expect(line?.['err']).toEqual({ name: 'TypeError', message: 'no answer', code: 'ECONNRESET', stack: error.stack })
    expect(JSON.stringify(line)).not.toContain('hush')
  })

  test('says nothing of what a shop has said, of what could not be parsed, and of data that a statement was given', () => {
    const [unreadable] = [0].map(() => {
      try {
        return JSON.parse('{"buyer": zebrafinch}')
      } catch (error) {
        return error
      }
    })
    const refusal = new Fault('upstream_refused', 'zebrafinch is\n   unknown here', { cause: new Error('zebrafinch') })
    const away = shopAway(
      1,
      Object.assign(new Error('zebrafinch'), { code: 'ECONNRESET' }),
      'The shop says: zebrafinch',
    )
    const data = Object.assign(new Error('invalid input syntax for type json: "zebrafinch"'), { code: '22P02' })
    const written = lines('info', (log) => {
      for (const err of [unreadable, refusal, away, data]) log.error({ err }, 'failed')
    })
    expect(JSON.stringify(written)).not.toContain('zebrafinch')
    expect(written.map(({ err }) => Object(err))).toMatchObject([
      { name: 'SyntaxError', stack: expect.stringMatching(/^ +at /) },
      { name: 'Fault', message: 'upstream_refused (see the log of the integration)' },
      { name: 'Fault', code: 'ECONNRESET' },
      { code: '22P02' },
    ])
  })

  test('has no code that is no word, and takes what is no error for a text', () => {
    const [odd, text] = lines('info', (log) => {
      log.error({ err: Object.assign(new Error('odd'), { code: { hush: true } }) }, 'failed')
      log.error({ err: 'just a text' }, 'failed')
    })
    expect(Object.keys(odd?.['err'] ?? {})).toEqual(['name', 'message', 'stack'])
    expect(text?.['err']).toEqual({ message: 'just a text' })
  })
})

test('a line of a request is the same with and without a look for secrets', () => {
  const line = { requestId: 'a', method: 'GET', route: '/', status: 200, ms: 1, actor: null, address: '127.0.0.1' }
  const [censored, plain] = lines('info', (log) => {
    log.info(line, 'request')
    withoutCensor(log).info(line, 'request')
  })
  expect({ ...plain, time: null }).toEqual({ ...censored, time: null })
})
