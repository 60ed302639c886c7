import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createLog } from './log.ts'

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

  test('has no code that is no word, and takes what is no error for a text', () => {
    const [odd, text] = lines('info', (log) => {
      log.error({ err: Object.assign(new Error('odd'), { code: { hush: true } }) }, 'failed')
      log.error({ err: 'just a text' }, 'failed')
    })
    expect(Object.keys(odd?.['err'] ?? {})).toEqual(['name', 'message', 'stack'])
    expect(text?.['err']).toEqual({ message: 'just a text' })
  })
})
