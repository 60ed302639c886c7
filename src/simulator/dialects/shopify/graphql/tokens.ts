import { graphqlError } from './document.ts'

export interface Token {
  kind: 'name' | 'number' | 'string' | 'mark' | 'end'
  text: string
}

const pattern =
  /[\s,\uFEFF]+|#[^\n\r]*|(?<name>[A-Za-z_]\w*)|(?<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|"""(?<block>[\s\S]*?)"""|(?<string>"(?:[^"\\\n\r]|\\.)*")|(?<mark>\.\.\.|[!$&():=@[\]{|}])/y

export function tokenise(source: string): readonly Token[] {
  const tokens: Token[] = []
  pattern.lastIndex = 0
  while (pattern.lastIndex < source.length) {
    const at = pattern.lastIndex
    const groups = pattern.exec(source)?.groups
    if (!groups) throw graphqlError(`Parse error on "${source.slice(at, at + 12)}"`, 'parseError')
    const { name, number, block, string, mark } = groups
    if (name !== undefined) tokens.push({ kind: 'name', text: name })
    else if (number !== undefined) tokens.push({ kind: 'number', text: number })
    else if (block !== undefined) tokens.push({ kind: 'string', text: block.trim() })
    else if (string !== undefined) tokens.push({ kind: 'string', text: unquote(string) })
    else if (mark !== undefined) tokens.push({ kind: 'mark', text: mark })
  }
  return tokens
}

function unquote(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    throw graphqlError(`Parse error on ${quoted}`, 'parseError')
  }
}
