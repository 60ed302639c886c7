/** What a form drawn from the JSON Schema of a connector asks for, apart from how it is drawn. */
export interface FormSchema {
  properties?: Readonly<Record<string, FieldSchema>>
  required?: readonly string[]
}

export interface FieldSchema {
  type?: string | readonly string[]
  title?: string
  description?: string
  enum?: readonly unknown[]
  anyOf?: readonly FieldSchema[]
  const?: unknown
  format?: string
  default?: unknown
  examples?: readonly unknown[]
  minimum?: number
  maximum?: number
  /** What choices are called, in English. */
  'x-labels'?: Readonly<Record<string, string>>
  /** Taken by the service, but nothing that people are asked for. */
  'x-unlisted'?: boolean
  /** Needed, unless the other one is given. */
  'x-required-without'?: string
}

/** What a field says in another language; what it does not say is as the schema has it. */
export interface FieldWords {
  label?: string
  help?: string
  choices?: Readonly<Record<string, string>>
}

/** What a choice is called: in the words of the language, else as the schema has it; a country by its name. */
export function nameOfChoice(
  choice: string,
  { field, words, language }: { field: FieldSchema; words: FieldWords; language: string },
): string {
  const said = words.choices?.[choice] ?? field['x-labels']?.[choice]
  if (said !== undefined || !/^[A-Z]{2}$/.test(choice)) return said ?? choice
  return new Intl.DisplayNames(language, { type: 'region', fallback: 'code' }).of(choice) ?? choice
}

/** Lists and objects have no field of their own: they are set where they can be explained, or over the API. */
const listed = (schema: FormSchema) =>
  Object.entries(schema.properties ?? {})
    .map(([name, field]) => [name, plainField(field)] as const)
    .filter(([, field]) => !field['x-unlisted'] && field.type !== 'array' && field.type !== 'object')

/** What has to be answered is in sight; what only few need is folded away. Where nothing has to be, any may be the one. */
export function fieldsOf(schema: FormSchema, { secret }: { secret: boolean }) {
  const required = new Set(schema.required ?? [])
  const all = listed(schema).map(([name, field]) => ({ name, field, required: required.has(name) }))
  const asked = all.filter((one) => one.required || one.field['x-required-without'] !== undefined)
  const inSight = asked.length === 0 && secret ? all : asked
  return { inSight, folded: all.filter((one) => !inSight.includes(one)) }
}

/** What may be null is asked for like what may not: an empty field is null. */
function plainField(field: FieldSchema): FieldSchema {
  const some = field.anyOf?.filter((one) => one.type !== 'null')
  if (!some || some.length === 0) return field
  if (some.every((one) => one.const !== undefined)) return { ...field, enum: some.map((one) => one.const) }
  return { ...some[0], ...field }
}
