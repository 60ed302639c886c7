import type { Fields } from '../reading.ts'

/** More than the largest page of any shop has; together they take some thirty milliseconds. */
const maxLength = 6 * 1024 * 1024
const maxMarks = 60_000
const maxReferences = 300_000
const maxDepth = 64

/**
 * A document of a platform, by the names of its tags: attributes have an @ before their name, and what stands beside them is
 * `#text`. Documents that declare something are refused before anybody looks into them: that is how a few lines become
 * gigabytes, and how files of ours end up in them.
 *
 * Our own reader, because it reads what strangers send while everybody else waits: libraries take ten times as long for the
 * same document, and some of what is harmless to us (comments, entities by the million) is not to them.
 */
export function parseXml(text: string): Fields {
  if (text.length > maxLength) throw new TypeError(`The shop sent a document of more than ${maxLength} characters.`)
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) throw new TypeError('The shop sent a document with declarations.')
  if (hasMore(text, '<', maxMarks)) throw new TypeError(`The shop sent a document of more than ${maxMarks} tags.`)
  if (hasMore(text, '&', maxReferences)) {
    throw new TypeError(`The shop sent a document of more than ${maxReferences} references.`)
  }
  return new Reader(text).read()
}

function hasMore(text: string, sign: string, max: number): boolean {
  let found = 0
  for (let at = text.indexOf(sign); at >= 0 && found <= max; at = text.indexOf(sign, at + 1)) found++
  return found > max
}

/** A tag that is not closed yet. */
interface Open {
  name: string
  fields: Record<string, unknown>
  /** Neither attributes nor tags within: then its text is all there is. */
  isBare: boolean
  texts: string[]
}

const broken = (what: string) => new TypeError(`The shop sent a broken document: ${what}.`)

class Reader {
  readonly #text: string
  #at = 0
  #attributes = 0
  readonly #open: Open[] = [{ name: '', fields: {}, isBare: false, texts: [] }]

  constructor(text: string) {
    this.#text = text
  }

  read(): Fields {
    const text = this.#text
    for (let mark = text.indexOf('<'); mark >= 0; mark = text.indexOf('<', this.#at)) {
      if (mark > this.#at) this.#say(decoded(text.slice(this.#at, mark)))
      this.#at = mark
      if (text.startsWith('<!--', mark)) this.#skipTo('-->')
      else if (text.startsWith('<![CDATA[', mark)) this.#say(this.#skipTo(']]>').slice('<![CDATA['.length))
      else if (text.startsWith('<?', mark)) this.#skipTo('?>')
      else if (text.startsWith('</', mark)) this.#close(this.#skipTo('>').slice(2).trim())
      else this.#begin()
    }
    const [root, unclosed] = this.#open
    if (unclosed) throw broken(`<${unclosed.name.slice(0, 100)}> is not closed`)
    return root?.fields ?? {}
  }

  #say(words: string): void {
    this.#open.at(-1)?.texts.push(words)
  }

  /** What stands before the end; goes on behind it. */
  #skipTo(end: string): string {
    const at = this.#text.indexOf(end, this.#at)
    if (at < 0) throw broken(`there is no ${end}`)
    const skipped = this.#text.slice(this.#at, at)
    this.#at = at + end.length
    return skipped
  }

  #begin(): void {
    const text = this.#text
    const name = this.#match(tagName)
    if (!name) throw broken('a tag has no name')
    if (this.#open.length > maxDepth) throw broken(`its tags are nested deeper than ${maxDepth}`)
    const fields: Record<string, unknown> = {}
    let isBare = true
    for (let attribute = this.#match(attributeName); attribute; attribute = this.#match(attributeName)) {
      if (++this.#attributes > maxMarks) throw broken(`it has more than ${maxMarks} attributes`)
      isBare = false
      this.#match(equals)
      const quote = text[this.#at++]
      if (quote !== '"' && quote !== "'") throw broken('an attribute has no value')
      fields[`@${attribute.trim()}`] = decoded(this.#skipTo(quote)).trim()
    }
    this.#open.push({ name: name.slice(1), fields, isBare, texts: [] })
    const end = this.#match(tagEnd)?.trim()
    if (!end) throw broken('a tag does not end')
    if (end === '/>') this.#close(name.slice(1))
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const [found] = pattern.exec(this.#text) ?? []
    if (found !== undefined) this.#at += found.length
    return found
  }

  #close(name: string): void {
    const tag = this.#open.length > 1 ? this.#open.pop() : undefined
    const parent = this.#open.at(-1)
    if (tag?.name !== name || !parent) throw broken(`</${name.slice(0, 100)}> closes nothing`)
    const words = tag.texts.join('').trim()
    if (!tag.isBare && words !== '') tag.fields['#text'] = words
    parent.isBare = false
    add(parent.fields, name, tag.isBare ? words : tag.fields)
  }
}

const tagName = /<[^\s/>=<"'&]+/y
const attributeName = /\s+[^\s/>=<"'&]+/y
const equals = /\s*=\s*/y
const tagEnd = /\s*\/?>/y

/** Several of the same name are a list. */
function add(fields: Record<string, unknown>, name: string, value: unknown): void {
  // Not a name but the prototype of what we make here.
  if (name === '__proto__') throw broken('a tag has a name that none may have')
  const before = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (before === undefined) fields[name] = value
  else if (Array.isArray(before)) before.push(value)
  else fields[name] = [before, value]
}

const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decoded(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,4}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return named[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : whole
  })
}
