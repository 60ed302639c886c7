import { html, nothing, type TemplateResult } from 'lit'
import { type FieldSchema, type FieldWords, type FormSchema, fieldsOf, nameOfChoice } from './form-fields.ts'

/**
 * Forms drawn from the JSON Schema of a connector's settings and credentials: the same schema that the service checks
 * with, so form and 422 never disagree.
 */
export type FormValues = Record<string, unknown>

interface FormOptions {
  /** What fields are called in the errors of the service: `credentials.` or `settings.`. */
  prefix: string
  values: FormValues
  errors: Readonly<Record<string, readonly string[]>>
  secret: boolean
  onChange: (values: FormValues) => void
  language: string
  words: { optional: string; choose: string; more: string; field?: (name: string) => FieldWords | null }
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

function fieldTemplate(name: string, field: FieldSchema, required: boolean, options: FormOptions): TemplateResult {
  const { prefix, errors, words } = options
  const said = words.field?.(name) ?? {}
  const { label = labelOf(name, field), help = field.description } = said
  const id = `${prefix}${name}`
  const error = errors[id]?.[0]
  const describedBy = [error ? `${id}-error` : '', help ? `${id}-help` : ''].filter(Boolean).join(' ')
  return html`<div class="field">
    <label for=${id}>${label}${required ? nothing : html` <span class="muted">(${words.optional})</span>`}</label>
    ${control(name, field, { id, required, describedBy, invalid: error !== undefined, words: said }, options)}
    ${help ? html`<span class="field-help" id="${id}-help">${help}</span>` : nothing}
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
  words: FieldWords
}

function control(name: string, field: FieldSchema, facts: Control, options: FormOptions): TemplateResult {
  const value = options.values[name] ?? field.default ?? ''
  const change = (given: unknown) => {
    const next = { ...options.values }
    if (given === '' || given === undefined) delete next[name]
    else next[name] = given
    options.onChange(next)
  }
  const { id, required, describedBy, invalid, words } = facts
  const described = describedBy === '' ? nothing : describedBy
  const wrong = invalid ? 'true' : 'false'
  if (field.enum) {
    const nameOf = (choice: string) => nameOfChoice(choice, { field, words, language: options.language })
    return html`<select id=${id} name=${name} ?required=${required} aria-invalid=${wrong} aria-describedby=${described}
      @change=${(event: Event) => change((event.target as HTMLSelectElement).value)}>
      <option value="" .selected=${value === ''}>${options.words.choose}</option>
      ${field.enum.map((choice) => html`<option value=${String(choice)} .selected=${value === choice}>${nameOf(String(choice))}</option>`)}
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
