import { describe, expect, test } from 'vitest'
import { faultOf } from '../../../test/support/identity.ts'
import { createLine, createMemory } from './inbound-memory.ts'

/** Shops by name; a question is open until it is answered. */
function openBook() {
  let now = 0
  const asked: string[] = []
  const answers = new Map<string, (found: boolean) => void>()
  const recall = createMemory<boolean>(
    (found) => found,
    createLine(),
    () => now,
  )
  const ask = (key: string, isSuspect: boolean) =>
    recall(
      key,
      () => {
        asked.push(key)
        return new Promise((answer) => answers.set(key, answer))
      },
      () => isSuspect,
    )
  return {
    asked,
    ask,
    pass: (ms: number) => (now += ms),
    /** What has been decided so far is done. */
    async answer(key: string, found: boolean) {
      answers.get(key)?.(found)
      await settled()
    },
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('what was looked up', () => {
  test('is known for a second, found or not', async () => {
    const { ask, asked, answer, pass } = openBook()
    const both = [ask('shop', false), ask('shop', false)]
    await answer('shop', true)
    expect(await Promise.all(both)).toEqual([true, true])
    void ask('nobody', false)
    await answer('nobody', false)
    pass(499)
    expect([await ask('shop', false), await ask('nobody', false)]).toEqual([true, false])
    expect(asked).toEqual(['shop', 'nobody'])
    pass(501)
    void ask('nobody', false)
    void ask('shop', false)
    expect(asked).toEqual(['shop', 'nobody', 'nobody', 'shop'])
  })

  test('is renewed ahead of time where there is something, so that nobody waits', async () => {
    const { ask, asked, answer, pass } = openBook()
    void ask('shop', false)
    await answer('shop', true)
    pass(499)
    expect(await ask('shop', false)).toBe(true)
    expect(asked).toEqual(['shop'])
    pass(1)
    expect([await ask('shop', false), await ask('shop', false)]).toEqual([true, true])
    expect(asked).toEqual(['shop', 'shop'])
    await answer('shop', false)
    expect(await ask('shop', false)).toBe(false)
  })

  test('is not pushed out by any number of strangers', async () => {
    const { ask, asked, answer, pass } = openBook()
    void ask('shop', false)
    await answer('shop', true)
    for (let n = 0; n < 12_000; n++) {
      void ask(`stranger ${n}`, false)
      if (n % 1000 === 0) await answer(`stranger ${n}`, false)
    }
    await ask('shop', false)
    expect(asked.filter((key) => key === 'shop')).toHaveLength(1)
    pass(1000)
    void ask('shop', true)
    expect(asked.filter((key) => key === 'shop')).toHaveLength(2)
  })
})

describe('who was refused too often', () => {
  test('asks about shops that nobody has seen one at a time, and is answered', async () => {
    const { ask, asked, answer } = openBook()
    const waiting = [ask('a', true), ask('b', true), ask('c', true)]
    await settled()
    expect(asked).toEqual(['a'])
    await answer('a', false)
    expect(asked).toEqual(['a', 'b'])
    await answer('b', true)
    await answer('c', false)
    expect(await Promise.all(waiting)).toEqual([false, true, false])
  })

  test('does not keep others waiting, nor what comes for shops that were found before', async () => {
    const { ask, asked, answer, pass } = openBook()
    void ask('shop', false)
    await answer('shop', true)
    pass(5000)
    void ask('a', true)
    void ask('b', true)
    void ask('shop', true)
    void ask('other', false)
    await settled()
    expect(asked).toEqual(['shop', 'shop', 'other', 'a'])
  })

  test('is put off when the line is full, and heard when it is not', async () => {
    const { ask, answer } = openBook()
    for (let n = 0; n < 100; n++) void ask(`stranger ${n}`, true)
    const fault = await faultOf(ask('late', true))
    expect([fault.kind, fault.retryAfterSeconds]).toEqual(['too_many', 10])
    await settled()
    await answer('stranger 0', false)
    const late = ask('late', true)
    for (let n = 1; n < 100; n++) await answer(`stranger ${n}`, false)
    await answer('late', true)
    expect(await late).toBe(true)
  })
})
