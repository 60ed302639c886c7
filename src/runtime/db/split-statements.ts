/**
 * The single statements of a file of SQL, without the semicolons that end them. A semicolon within quotes, comments,
 * parentheses or the body of a function ends nothing.
 */
export function splitStatements(sql: string): string[] {
  const statements: string[] = []
  let start = 0
  let isEmpty = true
  let parentheses = 0
  let blocks = 0
  let words: string[] = []
  const end = (at: number) => {
    if (!isEmpty) statements.push(sql.slice(start, at).trim())
    start = at + 1
    isEmpty = true
    parentheses = 0
    blocks = 0
    words = []
  }
  for (const { text, at } of tokensOf(sql)) {
    if (text === ';' && parentheses === 0 && blocks === 0) {
      end(at)
      continue
    }
    if (/^(\s|--|\/\*)/.test(text)) continue
    isEmpty = false
    if (text === '(') parentheses++
    if (text === ')') parentheses--
    const word = text.toLowerCase()
    if (words.length < 4) words.push(word)
    if (isFunction.test(words.join(' '))) blocks += depthOf(word, blocks)
  }
  end(sql.length)
  return statements
}

const isFunction = /^create (or replace )?(function|procedure)\b/

/** `begin atomic … end`, with `case … end` inside: the only bodies that stand without quotes. */
function depthOf(word: string, blocks: number): -1 | 0 | 1 {
  if (word === 'begin' || (word === 'case' && blocks > 0)) return 1
  return word === 'end' && blocks > 0 ? -1 : 0
}

const token =
  /\s+|--[^\n]*|\/\*|[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|\d+|./gisuy

function* tokensOf(sql: string): Generator<{ text: string; at: number }> {
  const reading = new RegExp(token)
  while (reading.lastIndex < sql.length) {
    const at = reading.lastIndex
    const found = reading.exec(sql)?.[0] ?? ''
    if (found === "'" || found === '"') throw new Error(`A quote is not closed: ${sql.slice(at, at + 40)}`)
    if (found === '/*') reading.lastIndex = endOfComment(sql, at)
    else if (found.length > 1 && found.startsWith('$')) {
      const close = sql.indexOf(found, reading.lastIndex)
      if (close === -1) throw new Error(`The quote ${found} is not closed.`)
      reading.lastIndex = close + found.length
    }
    yield { text: sql.slice(at, reading.lastIndex), at }
  }
}

/** Comments of this kind stand within each other. */
function endOfComment(sql: string, from: number): number {
  let depth = 0
  for (const { 0: mark, index } of sql.slice(from).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return from + index + mark.length
  }
  throw new Error(`A comment is not closed: ${sql.slice(from, from + 40)}`)
}
