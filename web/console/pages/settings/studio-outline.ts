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
  ['secrets', 'Several keys in headers'],
  ['basic', 'User name and password'],
  ['client_credentials', 'OAuth 2, for a client'],
  ['none', 'Nothing'],
]

const lists = [
  { part: 'orders', label: 'Path of its orders', placeholder: '/orders' },
  { part: 'products', label: 'Path of its products', placeholder: '/products' },
] as const

const pages: readonly [style: string, label: string][] = [
  ['', 'As its answer tells'],
  ['page', 'Pages by number'],
  ['offset', 'By how many came before'],
  ['none', 'All at once'],
]

type Change = (at: readonly string[], value: string) => void

const text = (value: unknown) => (typeof value === 'string' ? value : '')

export function outlineFields(definition: Tree | null, change: Change): TemplateResult {
  const at = (...path: string[]) => text(valueAt(definition ?? {}, path))
  const kind = at('auth', 'kind')
  const said = partsOf(definition ?? {}).find((part) => at(part, 'list', 'paging', 'style') !== '') ?? 'orders'
  const style = at(said, 'list', 'paging', 'style')
  const heard = (event: Event, ...path: string[]) => {
    const { target } = event
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) change(path, target.value.trim())
  }
  const valued = (value: string, label: string, placeholder: string, help: string, ...path: string[]) =>
    html`<div @change=${(event: Event) => heard(event, ...path)}>${field({
      ...{ name: outlined + path.join('-'), label, placeholder, help, value, required: false },
    })}</div>`
  const place = (label: string, placeholder: string, help: string, ...path: string[]) =>
    valued(at(...path), label, placeholder, help, ...path)
  const ofPages = (label: string, placeholder: string, name: string) =>
    valued(at(said, 'list', 'paging', name), label, placeholder, 'Of both lists.', 'paging', name)
  return html`${lists.map(({ part, label, placeholder }) =>
    place(label, placeholder, 'Below the address.', part, 'list', 'path'),
  )}
    ${place('Currency', 'EUR', 'Where records name none.', 'format', 'currency')}
    ${choice({ id: 'outline-paging', label: 'Long lists', help: 'How one goes on after its first answer.', options: pages, value: style, heard: (event) => heard(event, 'paging', 'style') })}
    ${style === 'page' || style === 'offset' ? html`${ofPages('Parameter of the page', 'page', 'parameter')}${ofPages('Parameter of its size', 'limit', 'size_parameter')}` : ''}
    ${choice({ id: 'outline-auth', label: 'Opened by', help: 'What it asks of those who call.', options: kinds, value: kind, heard: (event) => heard(event, 'auth', 'kind') })}
    ${kind === 'secrets' ? valued(headersIn(definition), 'Names of the headers', 'X-App-Id, X-Api-Key', 'With commas between.', 'auth', 'headers') : ''}
    ${kind === 'header' || kind === 'query' ? place('Name of the key', 'X-Api-Key', kind === 'header' ? 'Of the header.' : 'Of the parameter.', 'auth', 'name') : ''}`
}

interface Choice {
  id: string
  label: string
  help: string
  options: readonly [value: string, label: string][]
  value: string
  heard(event: Event): void
}

/** What the description says and this form does not know stands there as it is. */
const choice = ({ id, label, help, options, value, heard }: Choice) =>
  html`<div class="field"><label for=${id}>${label}</label>
      <select id=${id} name=${id} @change=${heard}>
        ${options.some(([one]) => one === value) ? '' : html`<option value=${value} selected>${value === '' ? 'Not said' : value}</option>`}
        ${options.map(([one, words]) => html`<option value=${one} ?selected=${one === value}>${words}</option>`)}
      </select><span class="field-help">${help}</span></div>`

const partsOf = (definition: Tree) =>
  ['orders', 'products', 'inventory'].filter((part) => isTree(valueAt(definition, [part, 'list'])))

function headersIn(definition: Tree | null): string {
  const sent = valueAt(definition ?? {}, ['auth', 'send'])
  const named = Array.isArray(sent) ? sent.filter(isTree).filter((one) => one['in'] === 'header') : []
  return named.map(({ name }) => text(name)).join(', ')
}

/** Each header has a key of its own, which is called like it. */
function keysInHeaders(names: string): Tree {
  const headers = names.split(/[\s,;]+/).filter((name) => name !== '')
  const keyOf = (header: string) =>
    header
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^[^a-z]+/, '')
      .slice(0, 32)
  return {
    kind: 'secrets',
    secrets: headers.map((header) => ({ name: keyOf(header), label: header })),
    send: headers.map((header) => ({ in: 'header', name: header, value: `{${keyOf(header)}}` })),
  }
}

/** Both lists of a service go on in the same way; another way begins anew. */
function pagedBy(definition: Tree, name: string, value: string): Tree {
  return partsOf(definition).reduce((tree, part) => {
    const paging = valueAt(tree, [part, 'list', 'paging'])
    const { [name]: _, ...others } = name === 'style' || !isTree(paging) ? {} : paging
    const said = value === '' ? others : { ...others, [name]: value }
    if (Object.keys(said).length > 0) return withPlace(tree, [part, 'list', 'paging'], said)
    const { paging: __, ...list } = Object(valueAt(tree, [part, 'list']))
    return withPlace(tree, [part, 'list'], list)
  }, definition)
}

/** The description with what was said; an empty field takes a list away with all that was said of it. */
export function outlinedBy(definition: Tree, path: readonly string[], value: string): Tree {
  const [top = '', ...rest] = path
  if (path.join('.') === 'auth.kind') return { ...definition, auth: { kind: value } }
  if (path.join('.') === 'auth.headers') return { ...definition, auth: keysInHeaders(value) }
  if (top === 'paging') return pagedBy(definition, rest.join('.'), value)
  if (value !== '') return withPlace(definition, path, value)
  const inner = definition[top]
  const { [top]: _, ...others } = definition
  if (rest.length !== 1 || !isTree(inner)) return others
  const { [rest[0] ?? '']: __, ...left } = inner
  return Object.keys(left).length === 0 ? others : { ...others, [top]: left }
}
