/** What a sentence follows from, as it is stored and served: with it anybody can say it in a language of their own. */
export interface Reason {
  readonly code: string
  readonly parameters: Readonly<Record<string, Parameter>>
}

/** A sentence for people in English, with what it follows from. What a shop has said is a plain string: nobody translates that. */
export interface Wording extends Reason {
  readonly text: string
}

/** A sentence inside another, or several one after the other, keep their own codes. */
export type Parameter = string | number | null | Reason | readonly Reason[]

type Names<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

type Given<Sentence extends string> = [Names<Sentence>] extends [never]
  ? []
  : [parameters: Readonly<Record<Names<Sentence>, Parameter>>]

/**
 * Sentences by code. `{name}` is a parameter; what stands in brackets is left out where its parameters are nothing:
 * `{read} read[, {inserted} new].`
 */
export type Sentences = Readonly<Record<string, string>>

/** Says sentences of a catalogue, and nothing else: with exactly the parameters that they name. */
export const speaker =
  <const Known extends Sentences>(sentences: Known, figure: (n: number) => string = String) =>
  <Code extends keyof Known & string>(code: Code, ...[given]: Given<Known[Code]>): Wording => {
    const parameters: Readonly<Record<string, Parameter>> = given ?? {}
    return { code, parameters, text: fill(sentences[code] ?? '', parameters, figure) }
  }

function fill(sentence: string, parameters: Wording['parameters'], figure: (n: number) => string): string {
  const isSomething = (part: string) => namesIn(part).some((name) => parameters[name] !== 0 && parameters[name] != null)
  return sentence
    .replace(/\[([^\]]*)\]/g, (_, part: string) => (isSomething(part) ? part : ''))
    .replace(/\{(\w+)\}/g, (_, name: string) => textOf(parameters[name] ?? '', figure))
}

/** The parameters that a sentence names. */
export const namesIn = (sentence: string): string[] =>
  [...sentence.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => name ?? [])

/** In English. */
export function textOf(said: Parameter, figure: (n: number) => string = String): string {
  if (typeof said === 'number') return figure(said)
  if (typeof said === 'string') return said
  if (said === null) return ''
  if ('code' in said) return 'text' in said && typeof said.text === 'string' ? said.text : said.code
  return inARow(said.map((one) => textOf(one)))
}

/** Whole sentences stand beside each other, parts of one have a mark between. */
const inARow = (texts: readonly string[]): string =>
  texts.reduce((row, text) => (row === '' ? text : `${row}${/[.!?"]$/.test(row) ? '' : ';'} ${text}`), '')

/** Without the English text, which follows from the rest. */
export function reasonOf({ code, parameters }: Reason): Reason {
  const entries = Object.entries(parameters).map(([name, value]) => [name, withoutText(value)])
  return { code, parameters: Object.fromEntries(entries) }
}

function withoutText(value: Parameter): Parameter {
  if (value === null || typeof value !== 'object') return value
  return 'code' in value ? reasonOf(value) : value.map(reasonOf)
}

/** What is stored of somebody's words beside them: nothing where they are not ours. */
export const reasonOrNull = (said: string | Wording): Reason | null =>
  typeof said === 'string' ? null : reasonOf(said)
