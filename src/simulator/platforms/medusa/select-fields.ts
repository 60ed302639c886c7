import { type Fields, isFields } from '../../json.ts'

interface Wanted {
  /** All of its own fields, and none of its relations. */
  star: boolean
  names: Map<string, Wanted>
}

/** What is told of a record where `fields` names it: `id,*items,variants.id`. Whoever names nothing gets the usual. */
export function selectFields(record: Fields, fields: string | null): Fields {
  if (fields === null) return record
  const root = made()
  for (const text of fields.split(',')) {
    let at = root
    for (const name of text.replace(/^[*+]/, '').split('.')) {
      const inner = at.names.get(name) ?? made()
      at.names.set(name, inner)
      at = inner
    }
    if (text.startsWith('*')) at.star = true
  }
  return cut(record, root)
}

const made = (): Wanted => ({ star: false, names: new Map() })

const cut = (record: Fields, { star, names }: Wanted): Fields =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => {
      const inner = names.get(name)
      const relation = isRelation(name, value)
      // The id of a relation comes along unasked.
      if (!inner) return (star && !relation) || name === 'id' ? [[name, value]] : []
      if (!relation) return [[name, value]]
      const whole = inner.names.size === 0 ? { ...inner, star: true } : inner
      return [[name, Array.isArray(value) ? value.map((one) => cut(one, whole)) : isFields(value) && cut(value, whole)]]
    }),
  )

/** Columns that hold JSON are fields, whatever is in them. */
const isRelation = (name: string, value: unknown): boolean =>
  !/^(metadata|data|rules|raw_.*|variant_option_values)$/.test(name) &&
  (isFields(value) || (Array.isArray(value) && value.every(isFields)))
