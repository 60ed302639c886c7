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
    switch (manner) {
      case 'large pages':
        return isJson(text) ? { type: json, bytes: largePage(text) } : null
      case 'crowds': {
        const record = pick(['{}', '7', '[]', '{"id":1}'], call) ?? '{}'
        return { type: json, bytes: once(`crowd ${record}`, () => crowd(record)) }
      }
      case 'heavy records':
        return isJson(text) ? { type: json, bytes: heavyRecords(text) } : null
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

/** Stands where something large will: to make that anew for every page would keep the shop, and so the machine, busier than us. */
const mark = 'large part'

/** The page with what belongs there in the places of the marks, in their order. */
function filledIn(page: unknown, large: (gaps: number, room: number) => readonly (Buffer | undefined)[]): Buffer {
  const pieces = JSON.stringify(page)
    .split(JSON.stringify(mark))
    .map((piece) => Buffer.from(piece))
  const room = fullBytes - pieces.reduce((sum, { length }) => sum + length, 0)
  const parts = large(pieces.length - 1, room)
  return Buffer.concat(pieces.flatMap((piece, n) => [piece, parts[n] ?? nothing]))
}

const nothing = Buffer.alloc(0)
const padding = 'Ein Süßwarenhändler aus Köln. '.repeat(3)

/** A page as it should be, but for the size of its texts: with so many records as nobody objects to. */
function largePage(text: string): Buffer {
  const page: unknown = JSON.parse(text)
  const records = longestList(page)
  if (records.length === 0) return Buffer.from(text)
  const copies = Array.from({ length: records.length + 900 }, (_, n) => records[n % records.length])
  const padded = copies.map((record) =>
    typeof record === 'object' && record !== null ? { ...record, note: mark } : record,
  )
  records.splice(0, records.length, ...padded)
  return filledIn(page, (gaps, room) => {
    const times = Math.floor(room / gaps / Buffer.byteLength(padding)) - 1
    const note = Buffer.from(JSON.stringify(padding.repeat(Math.max(0, times))))
    return Array.from({ length: gaps }, () => note)
  })
}

/** Few records, each of as many parts as a record may have, and all of them as large as an answer may be. */
function heavyRecords(text: string): Buffer {
  const page: unknown = JSON.parse(text)
  const records = longestList(page)
  const firsts: string[] = []
  const heavy = records.slice(0, 4).map((record) => swollen(record, firsts))
  records.splice(0, records.length, ...heavy)
  return filledIn(page, (_, room) => {
    const each = firsts.reduce((sum, first) => sum + Buffer.byteLength(first) + 1, 0)
    const times = Math.min(4500, Math.floor((room - 2 * firsts.length) / each))
    return firsts.map((first) => Buffer.from(`[${`${first},`.repeat(times - 1)}${first}]`))
  })
}

/** Marks in the place of its lists, of which `firsts` keeps what each is to be full of. */
function swollen(value: unknown, firsts: string[]): unknown {
  if (Array.isArray(value)) {
    const [first] = value
    if (first === undefined) return value
    firsts.push(JSON.stringify(first))
    return mark
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, swollen(part, firsts)]))
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
