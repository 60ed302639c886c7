import { html, type TemplateResult } from 'lit'
import { field } from '../../form.ts'
import { isTree, type Tree, valueAt, withPlace } from './draft.ts'

/** What everybody has to say of a service, as fields of a form: each stands for a place of the description. */

/** How their names begin, so that nobody takes them for keys of the shop. */
export const outlined = 'outline-'

const kinds: readonly [kind: string, label: string][] = [
  ['bearer', 'A token (Bearer)'],
  ['header', 'A key in a header'],
  ['query', 'A key in the address'],
  ['basic', 'User name and password'],
  ['client_credentials', 'OAuth 2, for a client'],
  ['none', 'Nothing'],
]

const lists = [
  { part: 'orders', label: 'Path of its orders', placeholder: '/orders' },
  { part: 'products', label: 'Path of its products', placeholder: '/products' },
] as const

type Change = (at: readonly string[], value: string) => void

const text = (value: unknown) => (typeof value === 'string' ? value : '')

export function outlineFields(definition: Tree | null, change: Change): TemplateResult {
  const at = (...path: string[]) => text(valueAt(definition ?? {}, path))
  const kind = at('auth', 'kind')
  const heard = (event: Event, ...path: string[]) => {
    const { target } = event
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) change(path, target.value.trim())
  }
  const place = (label: string, placeholder: string, help: string, ...path: string[]) =>
    html`<div @change=${(event: Event) => heard(event, ...path)}>${field({
      ...{ name: outlined + path.join('-'), label, placeholder, help, required: false },
      value: at(...path),
    })}</div>`
  return html`${lists.map(({ part, label, placeholder }) =>
    place(label, placeholder, 'Below the address.', part, 'list', 'path'),
  )}
    ${place('Currency', 'EUR', 'Where records name none.', 'format', 'currency')}
    <div class="field"><label for="outline-auth">Opened by</label>
      <select id="outline-auth" name="outline-auth" @change=${(event: Event) => heard(event, 'auth', 'kind')}>
        ${kinds.some(([one]) => one === kind) ? '' : html`<option value=${kind} selected>${kind === '' ? 'Not said' : kind}</option>`}
        ${kinds.map(([one, label]) => html`<option value=${one} ?selected=${one === kind}>${label}</option>`)}
      </select><span class="field-help">What it asks of those who call.</span></div>
    ${kind === 'header' || kind === 'query' ? place('Name of the key', 'X-Api-Key', kind === 'header' ? 'Of the header.' : 'Of the parameter.', 'auth', 'name') : ''}`
}

/** The description with what was said; an empty field takes a list away with all that was said of it. */
export function outlinedBy(definition: Tree, path: readonly string[], value: string): Tree {
  const [top = '', ...rest] = path
  if (path.join('.') === 'auth.kind') return { ...definition, auth: { kind: value } }
  if (value !== '') return withPlace(definition, path, value)
  const inner = definition[top]
  const { [top]: _, ...others } = definition
  if (rest.length !== 1 || !isTree(inner)) return others
  const { [rest[0] ?? '']: __, ...left } = inner
  return Object.keys(left).length === 0 ? others : { ...others, [top]: left }
}
