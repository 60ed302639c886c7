import { html, nothing, type TemplateResult } from 'lit'

/**
 * Forms drawn from the JSON Schema of a connector's settings and credentials: the same schema that the service checks
 * with, so form and 422 never disagree.
 */
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
  /** Taken by the service, but nothing that people are asked for. */
  'x-unlisted'?: boolean
  /** Needed, unless the other one is given. */
  'x-required-without'?: string
}

export type FormValues = Record<string, unknown>

interface FormOptions {
  /** What fields are called in the errors of the service: `credentials.` or `settings.`. */
  prefix: string
  values: FormValues
  errors: Readonly<Record<string, readonly string[]>>
  secret: boolean
  onChange: (values: FormValues) => void
  words: { optional: string; choose: string; more: string }
}

/** Lists and objects have no field of their own: they are set where they can be explained, or over the API. */
const listed = (schema: FormSchema) =>
  Object.entries(schema.properties ?? {})
    .map(([name, field]) => [name, plainField(field)] as const)
    .filter(([, field]) => !field['x-unlisted'] && field.type !== 'array' && field.type !== 'object')

/** What has to be answered is in sight; what only few need is folded away. Where nothing has to be, any may be the one. */
export function fieldsOf(schema: FormSchema, { secret }: Pick<FormOptions, 'secret'>) {
  const required = new Set(schema.required ?? [])
  const all = listed(schema).map(([name, field]) => ({ name, field, required: required.has(name) }))
  const asked = all.filter((one) => one.required || one.field['x-required-without'] !== undefined)
  const inSight = asked.length === 0 && secret ? all : asked
  return { inSight, folded: all.filter((one) => !inSight.includes(one)) }
}

export function schemaForm(schema: FormSchema, options: FormOptions): TemplateResult {
  const { inSight, folded } = fieldsOf(schema, options)
  const draw = (fields: typeof inSight) =>
    fields.map(({ name, field, required }) => fieldTemplate(name, field, required, options))
  if (folded.length === 0) return html`${draw(inSight)}`
  const refused = folded.some(({ name }) => options.errors[`${options.prefix}${name}`] !== undefined)
  return html`${draw(inSight)}
    <details ?open=${refused}><summary>${options.words.more}</summary><div class="folded">${draw(folded)}</div></details>`
}

/** What may be null is asked for like what may not: an empty field is null. */
function plainField(field: FieldSchema): FieldSchema {
  const some = field.anyOf?.filter((one) => one.type !== 'null')
  if (!some || some.length === 0) return field
  if (some.every((one) => one.const !== undefined)) return { ...field, enum: some.map((one) => one.const) }
  return { ...some[0], ...field }
}

function fieldTemplate(name: string, field: FieldSchema, required: boolean, options: FormOptions): TemplateResult {
  const { prefix, errors, words } = options
  const id = `${prefix}${name}`
  const error = errors[id]?.[0]
  const describedBy = [error ? `${id}-error` : '', field.description ? `${id}-help` : ''].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for=${id}>${labelOf(name, field)}${required ? nothing : html` <span class="muted">(${words.optional})</span>`}</label>
    ${control(name, field, { id, required, describedBy, invalid: error !== undefined }, options)}
    ${field.description ? html`<span class="field-help" id="${id}-help">${field.description}</span>` : nothing}
    ${error ? html`<span class="field-error" id="${id}-error">${error}</span>` : nothing}
  </div>`
}

/** What nobody should read over a shoulder; ids and names of users are no secrets. */
const isSecret = (name: string): boolean => !/(^|_)(id|username|user|email|name)$/.test(name)

/** `api_key` is read as "Api key" where the schema has no title. */
const labelOf = (name: string, { title }: FieldSchema): string => {
  const text = title ?? name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface Control {
  id: string
  required: boolean
  describedBy: string
  invalid: boolean
}

function control(name: string, field: FieldSchema, facts: Control, options: FormOptions): TemplateResult {
  const value = options.values[name] ?? field.default ?? ''
  const change = (given: unknown) => {
    const next = { ...options.values }
    if (given === '' || given === undefined) delete next[name]
    else next[name] = given
    options.onChange(next)
  }
  const { id, required, describedBy, invalid } = facts
  const described = describedBy === '' ? nothing : describedBy
  const wrong = invalid ? 'true' : 'false'
  if (field.enum) {
    return html`<select id=${id} name=${name} ?required=${required} aria-invalid=${wrong} aria-describedby=${described}
      @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}>
      <option value="" .selected=${value === ''}>${options.words.choose}</option>
      ${field.enum.map((choice) => html`<option value=${String(choice)} .selected=${value === choice}>${String(choice)}</option>`)}
    </select>`
  }
  if (field.type === 'boolean') {
    return html`<input type="checkbox" id=${id} name=${name} .checked=${value === true} aria-describedby=${described}
      @change=${(event: Event) => change((event.target as HTMLInputElement).checked)} />`
  }
  const number = field.type === 'integer' || field.type === 'number'
  const type =
    options.secret && isSecret(name) ? 'password' : number ? 'number' : field.format === 'url' ? 'url' : 'text'
  return html`<input type=${type} id=${id} name=${name} .value=${String(value)} ?required=${required} autocomplete="off"
    aria-invalid=${wrong} aria-describedby=${described}
    placeholder=${field.examples?.[0] === undefined ? nothing : String(field.examples[0])}
    min=${field.minimum ?? nothing} max=${field.maximum ?? nothing}
    @input=${(event: Event) => {
      const given = (event.target as HTMLInputElement).value
      change(number && given !== '' ? Number(given) : given)
    }} />`
}
