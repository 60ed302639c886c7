import { describe, expect, test } from 'vitest'
import { digest, digestEquals, randomSecret } from './secret.ts'
import { open, rewrap, seal, sealedWith } from './secret-box.ts'

describe('a random secret', () => {
  test('is as long as it should be, of letters and digits, and never the same', () => {
    expect(randomSecret()).toMatch(/^[A-Za-z0-9]{43}$/)
    expect([1, 22, 64, 200].map((length) => randomSecret(length).length)).toEqual([1, 22, 64, 200])
    expect(new Set(Array.from({ length: 100 }, () => randomSecret())).size).toBe(100)
  })

  test('uses every letter about as often as any other', () => {
    const counts = new Map<string, number>()
    const drawn = 62_000
    for (const letter of randomSecret(drawn)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
    expect(counts.size).toBe(62)
    // A thousand each; ten standard deviations either way.
    for (const count of counts.values()) expect(Math.abs(count - drawn / 62)).toBeLessThan(320)
  })

  test('is known by its digest', () => {
    expect(digest('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(digestEquals(digest('a'), digest('a'))).toBe(true)
    expect(digestEquals(digest('a'), digest('b'))).toBe(false)
    expect(digestEquals(digest('a'), digest('a').subarray(1))).toBe(false)
  })
})

describe('a sealed value', () => {
  const [old, fresh] = ['old', 'new'].map((id, n) => ({ id, key: Buffer.alloc(32, n + 1) }))
  if (!old || !fresh) throw new Error('There are no keys.')
  const place = 'table|column|1'

  test('opens with its key and at its place', () => {
    const sealed = seal([old], 'hush, né?', place)
    expect(open([fresh, old], sealed, place)).toBe('hush, né?')
    expect(sealed.includes(Buffer.from('hush'))).toBe(false)
    expect(sealedWith(sealed)).toBe('old')
    expect(seal([old], 'hush', place)).not.toEqual(seal([old], 'hush', place))
    expect(open([old], seal([old], '', place), place)).toBe('')
  })

  test('opens nowhere else, with no other key, and not if a bit of it has changed', () => {
    const sealed = seal([old], 'hush', place)
    expect(() => open([old], sealed, 'table|column|2')).toThrow()
    expect(() => open([fresh], sealed, place)).toThrow('Master key "old" is not among')
    expect(() => open([{ ...fresh, id: 'old' }], sealed, place)).toThrow()
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(() => open([old], changed, place)).toThrow()
    }
  })

  test('of another layout, or cut off, is reported as that', () => {
    expect(() => open([old], Buffer.from([2, 0]), place)).toThrow('unknown layout')
    expect(() => open([old], seal([old], 'hush', place).subarray(0, 5 + 20), place)).toThrow('too short')
  })

  test('is wrapped anew without being touched, and still only opens at its place', () => {
    const sealed = seal([old], 'hush', place)
    const anew = rewrap([fresh, old], sealed, place)
    expect([sealedWith(anew), open([fresh], anew, place)]).toEqual(['new', 'hush'])
    expect(anew.subarray(-20)).toEqual(sealed.subarray(-20))
    expect(() => open([fresh], anew, 'table|column|2')).toThrow()
    expect(() => rewrap([fresh, old], sealed, 'table|column|2')).toThrow()
  })

  test('is bound to its place in both its parts', () => {
    const [one, other] = [seal([old], 'one', place), seal([old], 'two', 'elsewhere')]
    // The wrapped key of the one with the body of the other.
    const start = 2 + 'old'.length + 60
    expect(() => open([old], Buffer.concat([one.subarray(0, start), other.subarray(start)]), place)).toThrow()
  })
})
