import { css, html, nothing, type TemplateResult } from 'lit'
import type { FormSchema } from '../parts/form-fields.ts'
import { icon } from '../parts/icons.ts'
import { schemaForm } from '../parts/schema-form.ts'
import type { Service, Values } from './connect-calls.ts'
import { whereStyles, whereToFind } from './where.ts'
import type { Words } from './words/index.ts'

/** What `<entrepot-connect>` shows, one step at a time. */

export type Step =
  | { kind: 'loading' }
  | { kind: 'picking' }
  | { kind: 'claim' }
  | { kind: 'form'; service: Service; byKeys: boolean }
  | { kind: 'known'; service: Service; byKeys: boolean; known: { id: number; name: string; shop: string } }
  | { kind: 'waiting'; service: Service; integrationId: number; address: string; blocked: boolean }
  | { kind: 'done'; integrationId: number; shop: string }

type Nothing = typeof nothing
type Errors = Readonly<Record<string, readonly string[]>>

/** The language, and where pictures come from. */
export interface Manner {
  words: Words
  picture: (address: string) => string
  language: string
}

const logo = ({ picture }: Manner, { logo: address, name }: Pick<Service, 'logo' | 'name'>) =>
  address
    ? html`<img src=${picture(address)} alt="" width="28" height="28" />`
    : html`<span class="letter" aria-hidden="true">${name.charAt(0)}</span>`

interface Picking {
  services: readonly Service[]
  search: string
  onSearch: (text: string) => void
  onChoose: (service: Service) => void
  onClaim: () => void
}

/** A search appears where there is more than a glance can take in. */
export function pickingStep(presentation: Manner, picking: Picking): TemplateResult {
  const { services, search, onSearch, onChoose, onClaim } = picking
  const { connect } = presentation.words
  const text = search.trim().toLowerCase()
  const found = services.filter(({ name, type }) => `${name} ${type}`.toLowerCase().includes(text))
  return html`<h2>${connect.pick}</h2>
    ${
      services.length > 6
        ? html`<input type="search" aria-label=${connect.search} placeholder=${connect.search} .value=${search}
            @input=${(event: Event) => onSearch((event.target as HTMLInputElement).value)} />`
        : nothing
    }
    ${found.length === 0 ? html`<p class="muted">${text === '' ? connect.none : connect.noneFound(search)}</p>` : nothing}
    <ul class="services" part="services">
      ${found.map(
        (service) => html`<li>
          <button part="service" @click=${() => onChoose(service)}>
            ${logo(presentation, service)}<span>${service.name}</span>${icon('chevron')}
          </button>
        </li>`,
      )}
    </ul>
    <div><button class="quiet" @click=${onClaim}>${connect.haveCode}</button></div>`
}

interface Claiming {
  code: string
  error: string | undefined
  busy: boolean
  onChange: (code: string) => void
  onSubmit: (event: SubmitEvent) => void
  onBack: () => void
}

/** For shops that were let in from the platform's own pages, which showed a code. */
export function claimStep({ words: { connect, back } }: Manner, step: Claiming): TemplateResult {
  const { code, error, busy } = step
  return html`<h2>${connect.claimTitle}</h2>
    <form class="stack" @submit=${step.onSubmit} novalidate>
      <div class="field">
        <label for="code">${connect.code}</label>
        <input id="code" name="code" .value=${code} required autocomplete="one-time-code" autocapitalize="characters" spellcheck="false"
          aria-invalid=${error ? 'true' : 'false'} aria-describedby="code-help code-error"
          @input=${(event: Event) => step.onChange((event.target as HTMLInputElement).value)} />
        <span class="field-help" id="code-help">${connect.codeHelp}</span>
        <span class="field-error" id="code-error">${error ?? nothing}</span>
      </div>
      <div class="row">
        <button class="primary" part="submit" ?disabled=${busy}>${busy ? connect.checking : connect.submit}</button>
        <button type="button" class="quiet" @click=${step.onBack}>${back}</button>
      </div>
    </form>`
}

interface FormStep {
  service: Service
  byKeys: boolean
  /** A shop that is there already says only how it is let in. */
  again: boolean
  values: Values
  errors: Errors
  busy: boolean
  onChange: (values: Values) => void
  onSubmit: (event: SubmitEvent) => void
  onSwitch: () => void
  /** Absent where there is nothing to pick from. */
  onBack: (() => void) | null
}

export function formStep(presentation: Manner, step: FormStep): TemplateResult {
  const { service, byKeys, again, values, errors, busy } = step
  const { connect, optional, choose, back, fields } = presentation.words
  const settings = service.settings_schema as FormSchema
  const credentials = service.credentials_schema as FormSchema | null
  const part = (name: 'settings' | 'credentials', schema: FormSchema) =>
    schemaForm(schema, {
      prefix: `${name}.`,
      values: values[name],
      errors,
      secret: name === 'credentials',
      language: presentation.language,
      words: {
        ...{ optional, choose, more: name === 'settings' ? connect.moreSettings : connect.otherKeys },
        field: (field) => fields?.(service.type, name, field) ?? null,
      },
      onChange: (changed) => step.onChange({ ...values, [name]: changed }),
    })
  const label = byKeys ? connect.submit : connect.byBrowser(service.name)
  return html`<div class="row head">
      ${logo(presentation, service)}
      <h2>${again ? connect.reconnectTitle(values.shop) : service.name}</h2>
    </div>
    <form class="stack" @submit=${step.onSubmit} novalidate>
      ${again ? nothing : html`${textField(presentation, step, 'name')}${textField(presentation, step, 'shop')}`}
      ${byKeys && credentials ? html`${part('credentials', credentials)}${whereToFind(service.type, presentation.words)}` : nothing}
      ${again ? nothing : part('settings', settings)}
      ${otherErrors(errors)}
      <div class="row">
        <button class="primary" part="submit" ?disabled=${busy}>${busy ? connect.checking : label}</button>
        ${step.onBack ? html`<button type="button" class="quiet" @click=${step.onBack}>${back}</button>` : nothing}
        ${otherWay(presentation, step)}
      </div>
    </form>`
}

function textField({ words }: Manner, { values, errors, onChange }: FormStep, name: 'name' | 'shop'): TemplateResult {
  const { connect, optional } = words
  const error = errors[name]?.[0]
  return html`<div class="field">
    <label for=${name}>${connect[name]}${name === 'name' ? html` <span class="muted">(${optional})</span>` : nothing}</label>
    <input id=${name} name=${name} .value=${values[name]} ?required=${name === 'shop'} autocomplete="off"
      aria-invalid=${error ? 'true' : 'false'} aria-describedby="${name}-help ${name}-error"
      @input=${(event: Event) => onChange({ ...values, [name]: (event.target as HTMLInputElement).value })} />
    <span class="field-help" id="${name}-help">${connect[`${name}Help`]}</span>
    <span class="field-error" id="${name}-error">${error ?? nothing}</span>
  </div>`
}

/** What the service complains about and no field shows. */
function otherErrors(errors: Errors): TemplateResult[] {
  const shown = /^(name|shop|settings\..+|credentials\..+)$/
  const others = Object.entries(errors).filter(([field]) => !shown.test(field))
  return others.map(([, [text = '']]) => html`<p class="field-error" role="alert">${text}</p>`)
}

function otherWay({ words: { connect } }: Manner, { service, byKeys, onSwitch }: FormStep): TemplateResult | Nothing {
  if (service.installed_by.length < 2) return nothing
  return html`<button type="button" class="quiet" @click=${onSwitch}>${byKeys ? connect.useBrowser(service.name) : connect.useKeys}</button>`
}

interface Known {
  known: { name: string; shop: string }
  busy: boolean
  onAgain: () => void
  onSecond: () => void
  onBack: () => void
}

/** Before the same shop is connected a second time. */
export const knownStep = (
  { words: { connect, back } }: Manner,
  { known: { name, shop }, busy, onAgain, onSecond, onBack }: Known,
): TemplateResult =>
  html`<div class="card stack" role="alert" part="known">
    <h2>${connect.known(shop, name)}</h2>
    <p class="muted">${connect.knownHelp}</p>
    <div class="row">
      <button class="primary" ?disabled=${busy} @click=${onAgain}>${icon('refresh')}${connect.knownAgain}</button>
      <button ?disabled=${busy} @click=${onSecond}>${icon('plus')}${connect.knownSecond}</button>
      <button class="quiet" @click=${onBack}>${back}</button>
    </div>
  </div>`

interface Waiting {
  service: Service
  blocked: boolean
  onOpen: () => void
  onCancel: () => void
}

export function waitingStep({ words }: Manner, { service, blocked, onOpen, onCancel }: Waiting): TemplateResult {
  const { connect, cancel } = words
  return html`<div class="card stack" role="status">
    <h2>${connect.waiting(service.name)}</h2>
    <p class="muted">${blocked ? connect.blocked : connect.waitingHelp}</p>
    <div class="row">
      <button @click=${onOpen}>${icon('external')}${connect.openAgain}</button>
      <button class="quiet" @click=${onCancel}>${cancel}</button>
    </div>
  </div>`
}

export const doneStep = (
  { words: { connect } }: Manner,
  shop: string,
  onAnother: (() => void) | null,
): TemplateResult =>
  html`<div class="card stack" role="status" part="done">
    <h2 class="row"><span class="ok">${icon('check', 20)}</span>${connect.done(shop)}</h2>
    <p class="muted">${connect.doneHelp}</p>
    ${onAnother ? html`<div class="row"><button @click=${onAnother}>${icon('plus')}${connect.another}</button></div>` : nothing}
  </div>`

export const stepStyles = css`
  ${whereStyles}
  .folded {
    display: grid;
    gap: 16px;
    margin-top: 12px;
  }
  summary {
    width: fit-content;
    cursor: pointer;
  }
  .services {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(220px, 100%), 1fr));
    gap: 8px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .services button {
    width: 100%;
    height: 100%;
    justify-content: flex-start;
    gap: 12px;
    padding: 10px 12px;
    border-color: var(--_line);
    white-space: normal;
    text-align: start;
  }
  .services button > span:not(.letter) {
    flex: 1;
  }
  .letter {
    display: grid;
    place-items: center;
    width: 28px;
    height: 28px;
    border-radius: var(--_radius);
    background: var(--_accent-soft);
    color: var(--_accent);
    font-weight: 600;
  }
  form {
    max-width: 520px;
  }
  img {
    border-radius: var(--_radius);
  }
  .ok {
    display: grid;
    place-items: center;
    width: 28px;
    height: 28px;
    border-radius: 99px;
    background: var(--_positive-soft);
    color: var(--_positive);
  }
`
