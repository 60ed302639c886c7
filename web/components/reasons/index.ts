/**
 * What the service says in the log and in refusals, in languages other than English: its code and parameters decide, never its English
 * text. `{name}` is a parameter; what stands in brackets is left out where its parameters are nothing. What has no words here, or was
 * said by a shop, is shown as the service says it.
 */
export type ReasonWords = Readonly<Record<string, string>>

/** What a language says of a code. It comes with its words, so that nobody loads it who reads English. */
export type SayReason = (reason: unknown) => string | null

export function sayReasonsIn(sentences: ReasonWords, language: string): SayReason {
  const say: SayReason = (reason) => {
    const { code, parameters } = Object(reason) as { code?: unknown; parameters?: unknown }
    const sentence = typeof code === 'string' && Object.hasOwn(sentences, code) ? sentences[code] : undefined
    if (sentence === undefined) return null
    const given = Object(parameters) as Readonly<Record<string, unknown>>
    return sentence
      .replace(/\[([^\]]*)\]/g, (_, part: string) => (isSomething(part, given) ? part : ''))
      .replace(/\{(\w+)\}/g, (_, name: string) => show(given[name]))
  }

  const show = (value: unknown): string => {
    if (typeof value === 'number') return value.toLocaleString(language)
    if (Array.isArray(value)) return inARow(value.map(show))
    if (typeof value === 'object' && value !== null) return say(value) ?? ''
    return timeIn(String(value ?? ''), language)
  }
  return say
}

const isSomething = (part: string, given: Readonly<Record<string, unknown>>): boolean =>
  [...part.matchAll(/\{(\w+)\}/g)].some(([, name = '']) => given[name] !== 0 && given[name] != null)

/** Whole sentences stand beside each other, parts of one have a mark between. */
const inARow = (texts: readonly string[]): string =>
  texts.reduce((row, text) => (row === '' ? text : `${row}${/[.!?“”"»]$/.test(row) ? '' : ';'} ${text}`), '')

const timeIn = (text: string, language: string): string =>
  /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text)
    ? new Date(text).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'short' })
    : text
