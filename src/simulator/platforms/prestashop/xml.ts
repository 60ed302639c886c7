import { XMLParser } from 'fast-xml-parser'
import { type Fields, fieldsOf, isFields } from '../../json.ts'

const parser = new XMLParser({ ignoreAttributes: true, parseTagValue: false, trimValues: true })

/** The one record of a document that was sent; null for anything else. */
export function recordIn(text: string): Fields | null {
  if (!/^\s*<(\?xml|prestashop)/.test(text)) return null
  const [record] = Object.values(fieldsOf(fieldsOf(parser.parse(text))['prestashop']))
  return isFields(record) ? record : null
}

export const singular = (resource: string): string =>
  resource.endsWith('sses') ? resource.slice(0, -2) : resource.replace(/ies$/, 'y').replace(/s$/, '')

const document = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<prestashop xmlns:xlink="http://www.w3.org/1999/xlink">\n${inner}\n</prestashop>`

/** As the platform writes it: everything in CDATA, with addresses of whatever is named. */
export const listXml = (resource: string, rows: readonly Fields[]): string =>
  document(`<${resource}>${rows.map((row) => element(singular(resource), row)).join('\n')}</${resource}>`)

export const recordXml = (name: string, row: Fields): string => document(element(name, row))

export const errorXml = (code: number, message: string): string =>
  document(`<errors><error>${element('code', code)}${element('message', message)}</error></errors>`)

/** A text in several languages. */
export const isSpoken = (value: unknown): value is { id: string; value: string }[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isFields(one) && 'value' in one)

function element(name: string, value: unknown): string {
  if (name === 'associations') {
    const lists = Object.entries(fieldsOf(value)).map(([list, inner]) => {
      const members = Array.isArray(inner) ? inner.map((one) => element(singular(list), one)).join('') : ''
      return `<${list} nodeType="${singular(list)}" api="${list}">${members}</${list}>`
    })
    return `<associations>${lists.join('')}</associations>`
  }
  if (isSpoken(value)) {
    const texts = value.map(({ id, value: text }) => `<language id="${id}"><![CDATA[${text}]]></language>`)
    return `<${name}>${texts.join('')}</${name}>`
  }
  if (isFields(value)) {
    const inner = Object.entries(value).map(([field, one]) => element(field, one))
    return `<${name}>${inner.join('')}</${name}>`
  }
  const link = name.startsWith('id_') ? ` xlink:href="/api/${name.slice(3)}s/${String(value)}"` : ''
  return `<${name}${link}><![CDATA[${value === null || value === false ? '' : String(value)}]]></${name}>`
}
