import { type Fields, isFields } from '../../commerce/reading.ts'

const compare = (a: unknown, b: unknown): number => {
  const [x, y] = typeof a === 'number' ? [a, Number(b)] : [String(a), String(b)]
  return x < y ? -1 : x > y ? 1 : 0
}

/** `[1|5]`, `[1,10]` (which is taken for an interval only where it is made of digits and the like), or `[John]`. */
function holds(condition: string, held: unknown): boolean {
  const inner = /^\[(.*)\]$/.exec(condition)?.[1] ?? ''
  if (inner.includes('|')) return inner.split('|').some((value) => compare(held, value) === 0)
  const ends = /^([\d.:\-\s]+),([\d.:\-\s]+)$/.exec(inner)
  if (ends) return compare(held, ends[1]) >= 0 && compare(held, ends[2]) <= 0
  return String(held).toLowerCase() === inner.toLowerCase()
}

/** What a list gives to such a query; a text is why it does not. */
export function select(rows: readonly Fields[], query: Fields): readonly Fields[] | string {
  const filters = Object.entries(query).flatMap(([name, value]): [string, string][] => {
    const field = /^filter\[(\w+)\]$/.exec(name)?.[1]
    return field ? [[field, String(value)]] : []
  })
  const sorts = String(query['sort'] ?? '[]')
    .slice(1, -1)
    .split(',')
    .flatMap((one) => /^(\w+)_ASC$/.exec(one)?.[1] ?? [])
  if ([...filters.map(([field]) => field), ...sorts].includes('date_upd') && String(query['date']) !== '1') {
    return 'The parameter "date" has to be true when filtering by dates'
  }
  const all = rows
    .filter((row) => filters.every(([field, condition]) => holds(condition, row[field])))
    .toSorted((a, b) => sorts.map((field) => compare(a[field], b[field])).find((order) => order !== 0) ?? 0)
  const [from = 0, count = all.length] =
    query['limit'] === undefined ? [] : String(query['limit']).split(',').map(Number)
  const names = query['display'] === 'full' ? null : String(query['display']).slice(1, -1).split(',')
  return all.slice(from, from + count).map((row) => {
    const shown = names ? Object.fromEntries(names.map((name) => [name, row[name]])) : row
    return spoken(structuredClone(shown), query['language'])
  })
}

const isSpoken = (value: unknown): value is { id: string; value: string }[] =>
  Array.isArray(value) && value.every((one) => isFields(one) && 'value' in one)

/** One language alone comes as the text itself. */
const spoken = (row: Fields, language: unknown): Fields =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (language === undefined || !isSpoken(value)) return [name, value]
      return [name, value.find(({ id }) => id === String(language))?.value ?? '']
    }),
  )

/** As the platform writes it: everything in CDATA, with addresses of whatever is named. */
export function asXml(resource: string, rows: readonly Fields[]): string {
  const one = resource.endsWith('sses') ? resource.slice(0, -2) : resource.replace(/ies$/, 'y').replace(/s$/, '')
  const records = rows.map((row) => element(one, row)).join('\n')
  return `<?xml version="1.0" encoding="UTF-8"?>\n<prestashop xmlns:xlink="http://www.w3.org/1999/xlink">\n<${resource}>${records}</${resource}>\n</prestashop>`
}

function element(name: string, value: unknown): string {
  if (name === 'associations' && isFields(value)) {
    const lists = Object.entries(value).map(([list, inner]) => {
      const node = list.replace(/s$/, '')
      const members = Array.isArray(inner) ? inner.map((one) => element(node, one)).join('') : ''
      return `<${list} nodeType="${node}" api="${list}">${members}</${list}>`
    })
    return `<associations>${lists.join('')}</associations>`
  }
  if (isSpoken(value) && value.length > 0) {
    return `<${name}>${value.map(({ id, value: text }) => `<language id="${id}"><![CDATA[${text}]]></language>`).join('')}</${name}>`
  }
  if (isFields(value))
    return `<${name}>${Object.entries(value)
      .map(([field, inner]) => element(field, inner))
      .join('')}</${name}>`
  const link = name.startsWith('id_')
    ? ` xlink:href="https://cheese.example/api/${name.slice(3)}s/${String(value)}"`
    : ''
  return `<${name}${link}><![CDATA[${value === null || value === false ? '' : String(value)}]]></${name}>`
}
