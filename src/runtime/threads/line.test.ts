import { once } from 'node:events'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { Fault, invalidField, unavailable } from '../../lib/fault.ts'
import { isDatabaseAway } from '../db/connection.ts'
import { openLine } from './line.ts'

type There = {
  double(n: number): Promise<number>
  bytes(length: number): Promise<Uint8Array>
  fail(how: keyof typeof failures): Promise<never>
  never(_: null): Promise<void>
  note(words: string): void
}

const opened: MessageChannel[] = []
afterEach(() => {
  for (const { port1, port2 } of opened.splice(0)) {
    port1.close()
    port2.close()
  }
})

const failures = {
  invalid: () => invalidField('remote_id', { code: 'odd', text: 'Odd.', parameters: {} }),
  away: () => unavailable(7),
  bug: () => new TypeError('Nobody thought of that.'),
  unreadable: () => new SyntaxError('Unexpected token "Jane Roe"'),
  gone: () => Object.assign(new Error('terminating connection'), { code: '57P01' }),
}

function pair() {
  const channel = new MessageChannel()
  opened.push(channel)
  const noted: string[] = []
  const kept: Uint8Array[] = []
  openLine(channel.port2, {
    double: async (n: number) => 2 * n,
    bytes: (length: number) => {
      const made = new Uint8Array(length).fill(7)
      kept.push(made)
      return made
    },
    fail: async (how: keyof typeof failures) => {
      throw failures[how]()
    },
    never: () => new Promise(() => undefined),
    note: (words: string) => noted.push(words),
  })
  return { line: openLine<There>(channel.port1, {}), noted, kept, channel }
}

describe('a line to another thread', () => {
  test('brings the answers of many questions to those who asked', async () => {
    const { line } = pair()
    expect(await Promise.all([1, 2, 3].map((n) => line.ask('double', n)))).toEqual([2, 4, 6])
  })

  test('hands bytes over without a copy', async () => {
    const { line, kept } = pair()
    const bytes = await line.ask('bytes', 1000)
    expect([bytes.length, bytes[999]]).toEqual([1000, 7])
    expect(kept.map(({ length }) => length)).toEqual([0])
  })

  test('keeps what a fault is, in which fields and when to come again', async () => {
    const { line } = pair()
    const refused = await line.ask('fail', 'invalid').catch((error: unknown) => error)
    const original = failures.invalid()
    expect(refused).toBeInstanceOf(Fault)
    const { kind, message, errors, wording, wordings } = original
    expect(refused).toMatchObject({ kind, message, errors, wording, wordings })
    await expect(line.ask('fail', 'away')).rejects.toMatchObject({ kind: 'unavailable', retryAfterSeconds: 7 })
  })

  test('brings a bug with its words and where it was', async () => {
    const { line } = pair()
    const bug = await line.ask('fail', 'bug').catch((error: unknown) => error)
    expect(bug).not.toBeInstanceOf(Fault)
    expect(bug).toMatchObject({ name: 'TypeError', message: 'Nobody thought of that.' })
    expect(Object(bug).stack).toContain('line.test')
  })

  test('says of what it could not read no more than a log does', async () => {
    const { line } = pair()
    const error = await line.ask('fail', 'unreadable').catch((each: unknown) => each)
    expect(error).toMatchObject({ name: 'SyntaxError', message: 'Something could not be read.' })
    expect(Object(error).stack).not.toContain('Jane Roe')
  })

  test('lets a database that is away be known as such', async () => {
    const { line } = pair()
    expect(isDatabaseAway(await line.ask('fail', 'gone').catch((error: unknown) => error))).toBe(true)
  })

  test('refuses a question that nobody answers', async () => {
    const { channel } = pair()
    const line = openLine<{ unheard(_: null): void }>(channel.port1, {})
    await expect(line.ask('unheard', null)).rejects.toThrow('Nobody answers "unheard" here.')
  })

  test('tells without waiting', async () => {
    const { line, noted, channel } = pair()
    line.tell('note', 'something')
    await once(channel.port2, 'message')
    expect(noted).toEqual(['something'])
  })

  test('lets go of those who wait when the other thread is gone, and of those who come later', async () => {
    const { line } = pair()
    const waiting = line.ask('never', null)
    line.end(unavailable())
    await expect(waiting).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(line.ask('double', 1)).rejects.toMatchObject({ kind: 'unavailable' })
  })
})
