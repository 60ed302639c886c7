import type { FieldErrors } from '../../lib/fault.ts'
import { meant, type Rules } from './places-in.ts'

/** Complaints about a definition, each with what would be allowed at its place. */
export const withAllowed = (schema: Rules, written: unknown, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => {
      const { parent, rules } = rulesAt(schema, written, path.split('.').slice(1))
      return [path, messages.map((message) => clarified(message, path, { parent, rules }))]
    }),
  )

function rulesAt(schema: Rules, written: unknown, names: readonly string[]): { parent: Rules; rules: Rules | null } {
  let parent = schema
  let rules: Rules | null = schema
  let value = written
  for (const name of names) {
    if (rules === null) break
    parent = meant(rules, value)
    rules = (Array.isArray(value) ? parent.items : parent.properties?.[name]) ?? null
    value =
      typeof value === 'object' && value !== null ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined
  }
  return { parent, rules: rules && meant(rules, value) }
}

function clarified(message: string, path: string, { parent, rules }: { parent: Rules; rules: Rules | null }): string {
  if (message.endsWith('field is unknown.')) {
    const known = Object.keys(parent.properties ?? {})
    const close = nearest(path.split('.').at(-1) ?? '', known)
    return `${message} ${close ? `Did you mean ${close}? ` : ''}Allowed here: ${known.join(', ')}.`
  }
  if (!rules) return message
  if (rules.enum) return `${message} Allowed: ${rules.enum.join(', ')}.`
  if (rules.properties && message.endsWith('must be an array.')) {
    return message.replace('an array.', `an object with ${Object.keys(rules.properties).join(', ')}.`)
  }
  if (rules.type === 'array' && message.endsWith('must be an array.')) return message.replace('an array', 'a list')
  return message
}

/** What somebody most likely wanted to write; undefined where nothing is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const [best] = known
    .map((name) => ({ name, away: distance(word.toLowerCase(), name) }))
    .filter(({ name, away }) => away <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.away - b.away)
  return best?.name
}

/** How many letters have to change. Words are short: those that are not are far from everything. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 5 || a.length > 64) return 99
  let row = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 99
}
