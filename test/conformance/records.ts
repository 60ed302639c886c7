import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { beforeAll, describe, expect, test } from 'vitest'
import { isCredentialsRefusal } from '../../src/commerce/remote.ts'
import { keyOf, query, readAll, readsOf, timeOf } from './reads.ts'
import type { Tried } from './tried.ts'

/** Orders, products and stock alike: how they are listed, translated and found. */
export function recordsAreRead({ connector, at }: Tried): void {
  describe.each(readsOf(connector))('$name', ({ name, reads, schema }) => {
    let all: readonly unknown[] = []
    const isPartial = (raw: unknown): boolean =>
      name === 'orders' && connector.orders?.translate(raw, at().shop).incomplete === true
    beforeAll(async () => {
      const { shop, stand } = at()
      all = await readAll(reads, shop, stand.reads)
    })

    test('are listed page by page, each once', () => {
      const { shop, stand } = at()
      const keys = all.map((raw) => keyOf(reads.translate(raw, shop)))
      expect(new Set(keys).size).toBe(keys.length)
      if (stand.counts) expect(keys).toHaveLength(stand.counts[name] ?? Number.NaN)
    })

    test('are translated into the model, purely', () => {
      const { shop } = at()
      const problems = problemsBy(schema)
      for (const raw of all) {
        const frozen = deepFreeze(structuredClone(raw))
        const item = reads.translate(frozen, shop)
        expectSame(problems(item), [])
        expectSame(reads.translate(frozen, shop), item)
      }
      for (const raw of [null, [], {}, 'text', { id: '1' }]) expect(() => reads.translate(raw, shop)).toThrow(TypeError)
    })

    test('are the same when nothing has changed, in whatever order their fields come', async () => {
      const { shop, stand } = at()
      const bare = (raw: unknown) => ({ ...reads.translate(raw, shop), raw: null })
      const before = new Map(all.map(bare).map((item) => [keyOf(item), item]))
      for (const raw of await readAll(reads, shop, stand.reads)) {
        const item = bare(raw)
        expectSame(item, before.get(keyOf(item)))
        expectSame(bare(shuffled(raw)), item)
      }
    })

    test('are listed from a time on', async () => {
      const { shop, stand } = at()
      const times = all.map((raw) => timeOf(reads.translate(raw, shop))).sort()
      // A platform that tells no times lists everything, always.
      if (times.every((time) => time === ''))
        return expect(await readAll(reads, shop, { updatedSince: '2099-01-01T00:00:00.000000Z' })).toHaveLength(
          all.length,
        )
      const since = times[Math.floor(times.length * 0.6)] ?? ''
      const some = await readAll(reads, shop, { ...stand.reads, updatedSince: since })
      expect(some).toHaveLength(times.filter((time) => time >= since).length)
      expect(await readAll(reads, shop, { updatedSince: '2099-01-01T00:00:00.000000Z' })).toEqual([])
    })

    test('are found one by one', async () => {
      const { shop } = at()
      if (!reads.get) return expect(name).not.toBe('orders')
      const first = all.find((raw) => !isPartial(raw))
      const item = reads.translate(first, shop)
      const found = reads.translate(await reads.get(shop, keyOf(item)), shop)
      // Shops add what is another each time, such as what to buy besides.
      expect({ ...found, raw: null }).toEqual({ ...item, raw: null })
      expect(await reads.get(shop, 'no-such-id')).toBeNull()
    })

    test('that a list shows in part are whole when they are asked for, and the same otherwise', async () => {
      const { shop } = at()
      const part = all.find(isPartial)
      if (part === undefined) return
      const item = reads.translate(part, shop)
      const raw = await reads.get?.(shop, keyOf(item))
      const { id, version } = { id: keyOf(item), version: timeOf(item) }
      const found = reads.translate(raw, shop)
      expect({ partial: isPartial(raw), id: keyOf(found), version: timeOf(found) }).toEqual({
        partial: false,
        id,
        version,
      })
    })

    test('failures of the shop are distinguished', async () => {
      const { stand } = at()
      const ask = (status: number, headers = {}) =>
        reads
          .list(stand.answering({ status, headers, body: { message: 'No.' } }), { ...query, limit: 5 })
          .catch((error: unknown) => error)
      const meanings = stand.platform?.statuses ?? {}
      const usual = (statuses: readonly number[]) => statuses.filter((status) => meanings[status] === undefined)
      expect(isCredentialsRefusal(await ask(401))).toBe(true)
      for (const [status, meaning] of Object.entries(meanings)) {
        const failure = await ask(Number(status))
        if (meaning === 'unauthorized') expect(isCredentialsRefusal(failure)).toBe(true)
        else expect(failure).toMatchObject({ kind: 'upstream_retryable' })
      }
      expect(await ask(429, { 'retry-after': '7' })).toMatchObject({
        kind: 'upstream_retryable',
        retryAfterSeconds: 7,
      })
      for (const status of [429, 500, 502, 503]) expect(await ask(status)).toMatchObject({ kind: 'upstream_retryable' })
      for (const status of usual([400, 403, 404, 409, 422]))
        expect(await ask(status)).toMatchObject({ kind: 'upstream_refused' })
    })
  })
}

/** Thousands are held against each other, and Vitest is slow to see that two are the same: it is asked where they may differ. */
function expectSame(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other)
}

/** What a schema has against a value. It is compiled, because thousands are asked about. */
function problemsBy(schema: TSchema): (value: unknown) => unknown[] {
  const compiled = Compile(schema)
  return (value) => (compiled.Check(value) ? [] : ['It does not fit.', ...compiled.Errors(value)])
}

/** The same record, its fields in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, inner]) => [name, shuffled(inner)])
      .reverse(),
  )
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value)
    for (const inner of Object.values(value)) deepFreeze(inner)
  }
  return value
}
