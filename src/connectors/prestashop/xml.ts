import { type Fields, isFields } from '../../commerce/reading.ts'
import { parseXml } from '../../commerce/wire/parse-xml.ts'

/** The platform takes changes as XML only; and hosts that do not know its JSON answer with XML as well. */

/** The document in the shape that its JSON would have had. */
export function readXml(text: string): Fields {
  const { prestashop: root } = parseXml(text)
  if (!isFields(root)) throw new TypeError('The shop sent something that is no answer of its webservice.')
  return Object.fromEntries(childrenOf(root).map(([name, value]) => [name, listOrRecord(name, value)]))
}

const childrenOf = (node: Fields): [string, unknown][] =>
  Object.entries(node).filter(([name]) => !name.startsWith('@') && name !== '#text')

/** `orders` holds `order`s; a single one stands by itself. */
function listOrRecord(name: string, node: unknown): unknown {
  const inner = isFields(node) ? childrenOf(node) : []
  const [first] = inner
  if (inner.length === 0) return name.endsWith('s') ? [] : {}
  if (inner.length === 1 && first && isMember(name, first[0])) return arrayOf(first[1]).map(toRecord)
  return toRecord(node)
}

const isMember = (list: string, one: string): boolean =>
  list !== one && (list === `${one}s` || list === `${one}es` || list === one.replace(/y$/, 'ies'))

const arrayOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

function toRecord(node: unknown): Fields {
  if (!isFields(node)) return {}
  // In lists without details the id is an attribute.
  const id = node['@id'] === undefined ? {} : { id: node['@id'] }
  return { ...id, ...Object.fromEntries(childrenOf(node).map(([name, value]) => [name, toValue(name, value)])) }
}

function toValue(name: string, node: unknown): unknown {
  if (!isFields(node)) return Array.isArray(node) ? node.map(toRecord) : String(node ?? '')
  if (name === 'associations') {
    return Object.fromEntries(childrenOf(node).map(([list, inner]) => [list, associated(inner)]))
  }
  if (node['language'] !== undefined) {
    const texts = arrayOf(node['language']).map((one) => (isFields(one) ? { id: one['@id'], value: textOf(one) } : one))
    return texts.length === 1 && isFields(texts[0]) ? texts[0]['value'] : texts
  }
  return textOf(node)
}

const textOf = (node: Fields): string => String(node['#text'] ?? '')

function associated(node: unknown): unknown[] {
  if (!isFields(node)) return []
  const [first] = childrenOf(node)
  return first ? arrayOf(first[1]).map(toRecord) : []
}

/** One record as the platform takes it. Its fields are plain; null is left out. */
export function writeXml(name: string, fields: Readonly<Record<string, string | number | null>>): string {
  const inner = Object.entries(fields)
    .flatMap(([field, value]) => (value === null ? [] : [`<${field}>${escaped(String(value))}</${field}>`]))
    .join('')
  return `<?xml version="1.0" encoding="UTF-8"?><prestashop><${name}>${inner}</${name}></prestashop>`
}

const marks: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;', "'": '&apos;' }

/** Signs that XML cannot hold at all are left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be sent.
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
    .replace(/[<>&"']/g, (mark) => marks[mark] ?? '')
