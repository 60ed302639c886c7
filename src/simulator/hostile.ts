import { gzipSync } from 'node:zlib'
import type { Answer } from './http/route.ts'
import { isFields } from './json.ts'

/** Answers that mean harm, or come from software that has lost its mind. Each is a share in the weather. */
export const hostileShares = {
  ...{ deep_json: 0, huge_body: 0, gzip_bomb: 0, wrong_charset: 0, wrong_length: 0 },
  ...{ many_values: 0, many_records: 0, nul_characters: 0, huge_numbers: 0, huge_strings: 0, prototype_keys: 0 },
}
export type HostileFault = keyof typeof hostileShares

export const isHostile = (fault: string | null): fault is HostileFault => fault !== null && fault in hostileShares
export const hostileFaults = Object.keys(hostileShares).filter(isHostile)

const json = { 'content-type': 'application/json; charset=utf-8' }

/** How large the body of `huge_body` is; it is sent piece by piece, so that it costs the sender nothing. */
export const hugeBytes = 50_000_000

/** The answer, spoilt. What is no success is spoilt enough. */
export function spoil(fault: HostileFault, made: Answer): Answer {
  if (made.status >= 300 || made.body === undefined) return made
  const spoilt = (body: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
    ...made,
    body,
    headers: { ...made.headers, ...headers },
  })
  switch (fault) {
    case 'deep_json':
      return spoilt(`${'{"a":['.repeat(100_000)}1${']}'.repeat(100_000)}`, json)
    case 'many_values':
      return spoilt(crowd(3_000_000), json)
    case 'many_records':
      return spoilt(crowd(100_000), json)
    // Poured out by whoever sends it.
    case 'huge_body':
      return made
    case 'gzip_bomb':
      return spoilt(bomb(), { ...json, 'content-encoding': 'gzip' })
    case 'wrong_charset':
      return spoilt(JSON.stringify(made.body), { 'content-type': 'application/json; charset=utf-16le' })
    case 'wrong_length': {
      const text = JSON.stringify(made.body)
      return spoilt(text, { ...json, 'content-length': String(Math.floor(Buffer.byteLength(text) / 2)) })
    }
    default:
      return spoilt(walk(made.body, '', changes[fault] ?? ((value) => value)))
  }
}

const crowd = (records: number) => `[${'{},'.repeat(records)}{}]`

/** A hundred megabytes of nothing in as many kilobytes: packed pieces one after the other are a whole as well. */
let packed: Buffer | null = null
function bomb(): Buffer {
  packed ??= Buffer.concat(Array<Buffer>(100).fill(gzipSync(Buffer.alloc(1_000_000, ' '))))
  return packed
}

type Change = (value: unknown, name: string) => unknown

const isProse = (name: string) => /note|title|name|company|city|street|address_?1|description/i.test(name)
const isAmount = (name: string) => /quantity|price|total|value|amount|stock/i.test(name)

const changes: Readonly<Partial<Record<HostileFault, Change>>> = {
  nul_characters: (value, name) => (typeof value === 'string' && isProse(name) ? `${value}\0\ud800` : value),
  huge_numbers: (value, name) => {
    if (!isAmount(name)) return value
    if (typeof value === 'number') return 1e300
    return typeof value === 'string' && /^-?[\d.]+$/.test(value) ? '9'.repeat(400) : value
  },
  huge_strings: (value, name) =>
    value !== '' && typeof value === 'string' && /note/i.test(name) ? 'x'.repeat(300_000) : value,
  prototype_keys: (value) =>
    isFields(value)
      ? Object.defineProperty({ ...value, constructor: { prototype: { polluted: true } } }, '__proto__', {
          ...{ value: { polluted: true }, enumerable: true, configurable: true, writable: true },
        })
      : value,
}

/** Everything but what pages are told by: whoever cannot go on is not put to the test. */
function walk(value: unknown, name: string, change: Change): unknown {
  if (name === 'pageInfo' || name === 'extensions') return value
  if (Array.isArray(value)) return value.map((one) => walk(one, name, change))
  if (!isFields(value)) return change(value, name)
  return change(Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, key, change)])), name)
}
