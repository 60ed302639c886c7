import {
  type Arguments,
  type Directive,
  type DocumentNode,
  graphqlError,
  type OperationNode,
  type Selection,
  type Value,
} from './document.ts'
import { type Token, tokenise } from './tokens.ts'

const end: Token = { kind: 'end', text: '' }

/** Recursive descent, one function per rule of the grammar. */
export function parse(source: string): DocumentNode {
  const tokens = tokenise(source)
  let at = 0
  const peek = () => tokens[at] ?? end
  const is = (text: string) => peek().text === text && (peek().kind === 'mark' || peek().kind === 'name')
  const fail = (): never => {
    const { kind, text } = peek()
    throw graphqlError(`Parse error on ${kind === 'end' ? 'the end' : `"${text}"`}`, 'parseError')
  }
  const take = (kind: Token['kind']): string => {
    const token = peek()
    if (token.kind !== kind) fail()
    at++
    return token.text
  }
  const skip = (text: string): boolean => {
    if (!is(text)) return false
    at++
    return true
  }
  const expect = (text: string) => {
    if (!skip(text)) fail()
  }
  /** Things between two marks, at least one. */
  const between = <T>(open: string, close: string, one: () => T): T[] => {
    expect(open)
    const list = [one()]
    while (!skip(close)) list.push(one())
    return list
  }

  function value(): Value {
    if (skip('$')) return { kind: 'variable', name: take('name') }
    if (skip('[')) {
      const items: Value[] = []
      while (!skip(']')) items.push(value())
      return { kind: 'list', items }
    }
    if (skip('{')) {
      const fields: Record<string, Value> = {}
      while (!skip('}')) {
        const name = take('name')
        expect(':')
        fields[name] = value()
      }
      return { kind: 'object', fields }
    }
    const token = peek()
    at++
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
    if (token.kind === 'string') return { kind: 'literal', value: token.text }
    if (token.kind !== 'name') fail()
    const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null }
    // Anything else that is bare is a word of an enumeration.
    return { kind: 'literal', value: words[token.text] === undefined ? token.text : (words[token.text] ?? null) }
  }

  function args(): Arguments {
    if (!is('(')) return {}
    return Object.fromEntries(
      between('(', ')', () => {
        const name = take('name')
        expect(':')
        return [name, value()] as const
      }),
    )
  }

  function directives(): Directive[] {
    const list: Directive[] = []
    while (skip('@')) list.push({ name: take('name'), arguments: args() })
    return list
  }

  const selections = (): Selection[] => between('{', '}', selection)

  function selection(): Selection {
    if (skip('...')) {
      if (skip('on')) return { kind: 'inline', type: take('name'), directives: directives(), selections: selections() }
      if (peek().kind === 'name') return { kind: 'spread', fragment: take('name'), directives: directives() }
      return { kind: 'inline', type: null, directives: directives(), selections: selections() }
    }
    const first = take('name')
    const name = skip(':') ? take('name') : first
    const given = args()
    return {
      ...{ kind: 'field', alias: first, name, arguments: given, directives: directives() },
      selections: is('{') ? selections() : [],
    }
  }

  function variable() {
    expect('$')
    const name = take('name')
    expect(':')
    const required = type()
    return { name, required, fallback: skip('=') ? value() : null }
  }

  /** Types are read and not checked; only whether a value must be there. */
  function type(): boolean {
    if (skip('[')) {
      type()
      expect(']')
    } else take('name')
    return skip('!')
  }

  const operations: OperationNode[] = []
  const fragments = new Map<string, { type: string; selections: readonly Selection[] }>()
  while (at < tokens.length) {
    if (is('{')) operations.push({ type: 'query', name: null, variables: [], selections: selections() })
    else if (skip('fragment')) {
      const name = take('name')
      expect('on')
      fragments.set(name, { type: take('name'), selections: selections() })
    } else {
      const kind = take('name')
      if (kind !== 'query' && kind !== 'mutation') throw graphqlError(`Parse error on "${kind}"`, 'parseError')
      const name = peek().kind === 'name' ? take('name') : null
      const variables = is('(') ? between('(', ')', variable) : []
      directives()
      operations.push({ type: kind, name, variables, selections: selections() })
    }
  }
  return { operations, fragments }
}
