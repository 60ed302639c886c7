import { html, nothing, type TemplateResult } from 'lit'
import { Refusal } from './api.ts'

/** Fields of the console's own forms; the name is also that of the error in a 422. */
interface FieldOptions {
  name: string
  label: string
  type?: 'text' | 'email' | 'password' | 'url' | 'number' | 'datetime-local'
  value?: string
  /** Of a number; 1 if left out. */
  min?: number
  required?: boolean
  help?: string
  failure?: unknown
  placeholder?: string
  /** What password managers go by. */
  autocomplete?: 'username' | 'current-password' | 'new-password' | 'name' | 'one-time-code'
}

export const errorOf = (failure: unknown, name: string): string | undefined =>
  failure instanceof Refusal ? failure.errors[name]?.[0] : undefined

/** Whether the failure is one that no field can show. */
export const isGeneral = (failure: unknown): boolean =>
  failure !== null && failure !== undefined && !(failure instanceof Refusal && Object.keys(failure.errors).length > 0)

export function field(options: FieldOptions): TemplateResult {
  const { name, label, help } = options
  const error = errorOf(options.failure, name)
  return html`<div class="field">
    <label for=${name}>${label}${options.required === false ? html` <span class="muted">(optional)</span>` : nothing}</label>
    <input id=${name} name=${name} type=${options.type ?? 'text'} .value=${options.value ?? ''} ?required=${options.required !== false}
      min=${options.type === 'number' ? (options.min ?? 1) : nothing} placeholder=${options.placeholder ?? nothing} autocomplete=${options.autocomplete ?? 'off'} aria-invalid=${error ? 'true' : 'false'} aria-describedby="${name}-help" />
    <span id="${name}-help" class=${error ? 'field-error' : 'field-help'}>${error ?? help ?? nothing}</span>
  </div>`
}

/** What a form holds, as text; empty fields are left out. */
export function valuesOf(form: HTMLFormElement): Record<string, string> {
  const entries = [...new FormData(form).entries()].map(([name, value]) => [name, String(value).trim()] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}
