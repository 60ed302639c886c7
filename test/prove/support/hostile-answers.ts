/** What a shop that means harm makes of an answer; `bytes` is what an honest one would have sent. */
export interface HostileAnswer {
  type: string
  bytes: Buffer
}

export const manners = [
  'honest',
  'large pages',
  'crowds',
  'heavy records',
  'deep',
  'endless',
  'tarpit',
  'documents',
  'wrong types',
] as const
export type Manner = (typeof manners)[number]

/** Just below what an answer may hold. */
const fullBytes = 10 * 1024 * 1024 - 1000

const json = 'application/json; charset=utf-8'
const xml = 'text/xml; charset=utf-8'

/** Each is made once: the shop's own work must not be taken for ours. */
export function hostileAnswers(): (manner: Manner, text: string, call: number) => HostileAnswer | null {
  const made = new Map<string, Buffer>()
  const once = (name: string, make: () => string): Buffer => {
    const known = made.get(name) ?? Buffer.from(make())
    made.set(name, known)
    return known
  }
  const pick = <T>(all: readonly T[], call: number): T | undefined => all[call % all.length]
  return (manner, text, call) => {
    const shape = text.slice(0, 200)
    switch (manner) {
      case 'large pages':
        return isJson(text) ? { type: json, bytes: once(`large ${shape}`, () => largePage(text)) } : null
      case 'crowds': {
        const record = pick(['{}', '7', '[]', '{"id":1}'], call) ?? '{}'
        return { type: json, bytes: once(`crowd ${record}`, () => crowd(record)) }
      }
      case 'heavy records':
        return isJson(text) ? { type: json, bytes: once(`heavy ${shape}`, () => heavyRecords(text)) } : null
      case 'deep': {
        const [open, close] =
          pick([['[', ']'] as const, ['{"a":', '}'] as const, ['{"a":[', ']}'] as const], call) ?? []
        return { type: json, bytes: once(`deep ${open}`, () => deep(open ?? '[', close ?? ']')) }
      }
      case 'documents': {
        const [name, make] = pick(documents, call) ?? []
        return { type: xml, bytes: once(`document ${name}`, make ?? (() => '')) }
      }
      case 'wrong types':
        return isJson(text) ? { type: json, bytes: Buffer.from(wrongTypes(text, call)) } : null
      default:
        return null
    }
  }
}

const isJson = (text: string) => /^\s*[[{]/.test(text)

const crowd = (record: string) =>
  `{"items":[${`${record},`.repeat(Math.floor(fullBytes / (record.length + 1)) - 10)}${record}]}`

const deep = (open: string, close: string) => {
  const levels = Math.floor(fullBytes / (open.length + close.length)) - 10
  return `${open.repeat(levels)}1${close.repeat(levels)}`
}

/** A page as it should be, but for the size of its texts: with so many records as nobody objects to. */
function largePage(text: string): string {
  const page: unknown = JSON.parse(text)
  const padding = 'Ein Süßwarenhändler aus Köln. '.repeat(3)
  const records = longestList(page)
  if (records.length === 0) return text
  const copies = [...records]
  for (const [n] of Array.from({ length: 900 }).entries()) records.push(copies[n % copies.length])
  const room = fullBytes - Buffer.byteLength(JSON.stringify(page))
  const each = Math.floor(room / records.length / Buffer.byteLength(padding)) - 1
  const padded = records.map((record) =>
    typeof record === 'object' && record !== null ? { ...record, note: padding.repeat(Math.max(0, each)) } : record,
  )
  records.splice(0, records.length, ...padded)
  return JSON.stringify(page)
}

/** Few records, each of as many parts as a record may have. */
function heavyRecords(text: string): string {
  const page: unknown = JSON.parse(text)
  const records = longestList(page)
  const heavy = records.slice(0, 4).map((record) => swollen(record, 18_000))
  records.splice(0, records.length, ...heavy)
  return JSON.stringify(page)
}

function swollen(value: unknown, times: number): unknown {
  if (Array.isArray(value)) {
    const [first] = value
    return first === undefined ? value : Array.from({ length: times / 4 }, () => first)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, swollen(part, times)]))
}

function longestList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value)
    .map(longestList)
    .reduce((longest, list) => (list.length > longest.length ? list : longest), [])
}

const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('')
const wrapped = (inside: string) => `<?xml version="1.0"?><prestashop><orders>${inside}</orders></prestashop>`
const filled = (one: string) => wrapped(one.repeat(Math.floor((fullBytes - 100) / one.length)))

const documents: readonly (readonly [string, () => string])[] = [
  ['laughs', () => `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY l0 "ha">${laughs}]><a>&l9;</a>`],
  ['tags', () => filled('<order id="1"><a>1</a></order>')],
  ['fewer tags', () => wrapped('<order id="1"><a>1</a></order>'.repeat(29_000))],
  ['attributes', () => wrapped(`<order ${Array.from({ length: 600_000 }, (_, n) => `a${n}="x"`).join(' ')}/>`)],
  ['entities', () => filled('&lt;')],
  ['parts of text', () => filled('<![CDATA[x]]>')],
  ['comments', () => filled('<!-- -->')],
  ['depth', () => `${'<a>'.repeat(55_000)}${'</a>'.repeat(55_000)}`],
  ['an open end', () => `<a><b ${'x'.repeat(fullBytes - 100)}`],
]

const values: readonly unknown[] = [null, [], {}, 0, -1, 1e308, '', 'x', true, [[]], [null], [{}], { a: [] }, '\0']

function wrongTypes(text: string, call: number): string {
  let at = call * 7919
  const wrong = (value: unknown): unknown => {
    at = (at * 1103515245 + 12345) % 2147483648
    if (at % 20 === 0) return values[at % values.length]
    if (Array.isArray(value)) return value.map(wrong)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, wrong(part)]))
  }
  return JSON.stringify(wrong(JSON.parse(text)))
}
