import { css, html, nothing, type TemplateResult } from 'lit'
import { ask, Refusal } from '../lib/ask.ts'
import { define, tell } from '../parts/element.ts'
import { icon } from '../parts/icons.ts'
import { problem } from '../parts/problem.ts'
import { type FormSchema, type FormValues, fieldNames, schemaForm } from '../parts/schema-form.ts'
import { Embedded } from './embedded.ts'
import { onArrival, openPopUp, type PopUp } from './pop-up.ts'

type Services = Awaited<ReturnType<Connect['readServices']>>
type Service = Services[number]

type Step =
  | { kind: 'loading' }
  | { kind: 'picking' }
  | { kind: 'form'; service: Service; byKeys: boolean }
  | { kind: 'waiting'; service: Service; integrationId: number; address: string; blocked: boolean }
  | { kind: 'done'; service: Service; integrationId: number; shop: string }

/**
 * `<entrepot-connect>`: pick a platform, say which shop, let us in, done. With `service` the first step is left out; with
 * `integration` a shop that is there already is connected again.
 *
 * Tells the page: `entrepot-connected` with `{ integration_id, type, shop }`, `entrepot-connect-failed` with `{ message }`.
 */
class Connect extends Embedded {
  static override properties = {
    ...Embedded.properties,
    service: {},
    integration: {},
    step: { state: true },
    failure: { state: true },
    busy: { state: true },
    search: { state: true },
    values: { state: true },
  }
  declare service: string | null
  declare integration: string | null
  declare step: Step
  declare failure: unknown
  declare busy: boolean
  declare search: string
  declare values: { name: string; shop: string; settings: FormValues; credentials: FormValues }
  #services: Services = []
  #window: PopUp | null = null
  /** Begun and not finished: whoever tries again goes on with it. */
  #begun: { id: number; type: string; shop: string } | null = null
  #stop: (() => void) | null = null

  constructor() {
    super()
    this.service = null
    this.integration = null
    this.step = { kind: 'loading' }
    this.failure = null
    this.busy = false
    this.search = ''
    this.values = { name: '', shop: '', settings: {}, credentials: {} }
  }

  async readServices() {
    const query = { per_page: 100, sort: 'name' } as const
    const { data } = await ask(this.client.GET('/api/2.0/webcomponent/services', { params: { query } }))
    return data
  }

  override async begin(): Promise<void> {
    this.failure = null
    try {
      this.#services = (await this.readServices()).filter(({ installed_by: ways }) => ways.length > 0)
      if (this.integration) return await this.#beginAgain(this.integration)
      const chosen = this.#services.find(({ type }) => type === this.service)
      if (chosen) this.#choose(chosen)
      else this.step = { kind: 'picking' }
    } catch (error) {
      this.failure = error
    }
  }

  async #beginAgain(integrationId: string) {
    const path = { integrationId }
    const { data } = await ask(
      this.client.GET('/api/2.0/webcomponent/integrations/{integrationId}', { params: { path } }),
    )
    const service = this.#services.find(({ type }) => type === data.type)
    if (!service) throw new Error(this.words.connect.none)
    this.values = { name: data.name, shop: data.shop, settings: {}, credentials: {} }
    this.#choose(service)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#stop?.()
  }

  #choose(service: Service) {
    this.failure = null
    this.step = { kind: 'form', service, byKeys: !service.installed_by.includes('browser') }
  }

  /* Sending ------------------------------------------------------------------------------------------------------- */

  #submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (this.step.kind !== 'form') return
    const { service, byKeys } = this.step
    this.busy = true
    this.failure = null
    if (!byKeys) this.#window = openPopUp()
    try {
      if (this.integration) await this.#reconnect(service, this.integration, byKeys)
      else await this.#install(service, byKeys)
    } catch (error) {
      this.#window?.close()
      this.failure = error
      tell(this, 'entrepot-connect-failed', { message: error instanceof Error ? error.message : String(error) })
    }
    this.busy = false
  }

  async #install(service: Service, byKeys: boolean) {
    const { name, shop, settings, credentials } = this.values
    const begun = this.#begun
    if (begun && begun.type === service.type && begun.shop === shop && !byKeys) {
      return await this.#reconnect(service, String(begun.id), byKeys)
    }
    const { data } = await ask(
      this.client.POST('/api/2.0/webcomponent/service/{resource}/install', {
        params: { path: { resource: service.type } },
        body: { name: name || service.name, shop, settings, ...(byKeys && { credentials }) },
      }),
    )
    if (!data.authorization_url || byKeys) return this.#done(service, data)
    this.#begun = { id: data.id, type: service.type, shop }
    this.#wait(service, data.id, data.authorization_url)
  }

  async #reconnect(service: Service, integrationId: string, byKeys: boolean) {
    const params = { path: { integrationId } }
    if (byKeys) {
      const { data } = await ask(
        this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/install', {
          params,
          body: { credentials: this.values.credentials },
        }),
      )
      return this.#done(service, data)
    }
    const { data } = await ask(
      this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/authorization', { params, body: {} }),
    )
    this.#wait(service, Number(integrationId), data.authorization_url)
  }

  #done(service: Service, { id, shop, type }: { id: number; shop: string; type: string }) {
    this.#stop?.()
    this.#begun = null
    this.step = { kind: 'done', service, integrationId: id, shop }
    this.values = { name: '', shop: '', settings: {}, credentials: {} }
    tell(this, 'entrepot-connected', { integration_id: id, shop, type })
  }

  /* Waiting for the window ---------------------------------------------------------------------------------------- */

  #wait(service: Service, integrationId: number, address: string) {
    this.#window?.go(address)
    this.step = { kind: 'waiting', service, integrationId, address, blocked: this.#window === null }
    this.#stop?.()
    const quiet = onArrival(new URL(this.baseUrl, location.href).origin, (arrived) => {
      if (arrived.connected) void this.#look()
      else this.#failed(service, arrived.message)
    })
    // Platforms may cut the tie between the windows: then asking is the only way to know.
    const timer = setInterval(() => void this.#look(), 2000)
    this.#stop = () => {
      quiet()
      clearInterval(timer)
      this.#stop = null
    }
  }

  async #look() {
    if (this.step.kind !== 'waiting') return
    const { service, integrationId } = this.step
    const closed = this.#window?.closed ?? false
    try {
      const path = { integrationId: String(integrationId) }
      const { data } = await ask(
        this.client.GET('/api/2.0/webcomponent/integrations/{integrationId}', { params: { path } }),
      )
      if (this.step.kind !== 'waiting') return
      if (data.status === 'ACTIVE') this.#done(service, data)
      else if (closed) this.#failed(service, this.words.connect.closed)
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 429) this.#failed(service, error.message)
    }
  }

  #failed(service: Service, message: string) {
    this.#stop?.()
    this.step = { kind: 'form', service, byKeys: false }
    this.failure = new Error(message)
    tell(this, 'entrepot-connect-failed', { message })
  }

  #openAgain = () => {
    if (this.step.kind !== 'waiting') return
    this.#window = openPopUp()
    this.#window?.go(this.step.address)
    this.step = { ...this.step, blocked: this.#window === null }
  }

  /* Showing ------------------------------------------------------------------------------------------------------- */

  override render(): TemplateResult {
    const { retry, request } = this.words
    const words = { retry, request }
    const isFieldError = this.failure instanceof Refusal && Object.keys(this.failure.errors).length > 0
    const failed = this.failure && !isFieldError ? problem(this.failure, { words }) : nothing
    return html`<section class="stack" part="connect" aria-label=${this.words.connect.title}>${failed}${this.#stepTemplate()}</section>`
  }

  #stepTemplate(): TemplateResult {
    switch (this.step.kind) {
      case 'loading':
        return this.failure
          ? html`<div><button @click=${() => void this.begin()}>${icon('refresh')}${this.words.retry}</button></div>`
          : html`<p class="muted" role="status">${this.mayAsk ? this.words.loading : this.words.needsToken}</p>`
      case 'picking':
        return this.#picking()
      case 'form':
        return this.#form(this.step.service, this.step.byKeys)
      case 'waiting':
        return this.#waiting(this.step)
      case 'done':
        return this.#finished(this.step.shop)
    }
  }

  #picking(): TemplateResult {
    const { connect } = this.words
    const text = this.search.trim().toLowerCase()
    const found = this.#services.filter(({ name, type }) => `${name} ${type}`.toLowerCase().includes(text))
    return html`<h2>${connect.pick}</h2>
      ${
        this.#services.length > 6
          ? html`<input type="search" aria-label=${connect.search} placeholder=${connect.search} .value=${this.search}
              @input=${(event: Event) => {
                this.search = (event.target as HTMLInputElement).value
              }} />`
          : nothing
      }
      ${found.length === 0 ? html`<p class="muted">${text === '' ? connect.none : connect.noneFound(this.search)}</p>` : nothing}
      <ul class="services" part="services">
        ${found.map(
          (service) => html`<li>
            <button part="service" @click=${() => this.#choose(service)}>
              ${this.#logo(service)}<span>${service.name}</span>${icon('chevron')}
            </button>
          </li>`,
        )}
      </ul>`
  }

  #logo = ({ logo, name }: Pick<Service, 'logo' | 'name'>) =>
    logo
      ? html`<img src=${this.picture(logo)} alt="" width="28" height="28" />`
      : html`<span class="letter" aria-hidden="true">${name.charAt(0)}</span>`

  #form(service: Service, byKeys: boolean): TemplateResult {
    const { connect } = this.words
    const errors = this.failure instanceof Refusal ? this.failure.errors : {}
    const again = this.integration !== null
    const settings = service.settings_schema as FormSchema
    const credentials = service.credentials_schema as FormSchema | null
    const { optional, choose } = this.words
    const part = (name: 'settings' | 'credentials', schema: FormSchema) =>
      schemaForm(schema, {
        prefix: `${name}.`,
        values: this.values[name],
        errors,
        secret: name === 'credentials',
        words: { optional, choose },
        onChange: (values) => {
          this.values = { ...this.values, [name]: values }
        },
      })
    const label = byKeys ? connect.submit : connect.byBrowser(service.name)
    return html`<div class="row head">
        ${this.#logo(service)}
        <h2>${again ? connect.reconnectTitle(this.values.shop) : service.name}</h2>
      </div>
      <form class="stack" @submit=${this.#submit} novalidate>
        ${again ? nothing : html`${this.#text('name', connect.name, connect.nameHelp, errors['name']?.[0])}${this.#text('shop', connect.shop, connect.shopHelp, errors['shop']?.[0])}`}
        ${!again && fieldNames(settings).length > 0 ? part('settings', settings) : nothing}
        ${byKeys && credentials ? part('credentials', credentials) : nothing}
        ${this.#otherErrors(errors)}
        <div class="row">
          <button class="primary" part="submit" ?disabled=${this.busy}>${this.busy ? connect.checking : label}</button>
          ${this.service || again ? nothing : html`<button type="button" class="quiet" @click=${this.#pickAgain}>${this.words.back}</button>`}
          ${this.#otherWay(service, byKeys)}
        </div>
      </form>`
  }

  #pickAgain = () => {
    this.failure = null
    this.step = { kind: 'picking' }
  }

  /** What the service complains about and no field shows. */
  #otherErrors(errors: Readonly<Record<string, readonly string[]>>) {
    const shown = /^(name|shop|settings\..+|credentials\..+)$/
    const others = Object.entries(errors).filter(([field]) => !shown.test(field))
    return others.map(([, [text = '']]) => html`<p class="field-error" role="alert">${text}</p>`)
  }

  #otherWay(service: Service, byKeys: boolean) {
    if (service.installed_by.length < 2) return nothing
    const { connect } = this.words
    const change = () => {
      this.failure = null
      this.step = { kind: 'form', service, byKeys: !byKeys }
    }
    return html`<button type="button" class="quiet" @click=${change}>${byKeys ? connect.useBrowser(service.name) : connect.useKeys}</button>`
  }

  #text(name: 'name' | 'shop', label: string, help: string, error: string | undefined): TemplateResult {
    return html`<div class="field">
      <label for=${name}>${label}${name === 'name' ? html` <span class="muted">(${this.words.optional})</span>` : nothing}</label>
      <input id=${name} name=${name} .value=${this.values[name]} ?required=${name === 'shop'} autocomplete="off"
        aria-invalid=${error ? 'true' : 'false'} aria-describedby="${name}-help ${name}-error"
        @input=${(event: Event) => {
          this.values = { ...this.values, [name]: (event.target as HTMLInputElement).value }
        }} />
      <span class="field-help" id="${name}-help">${help}</span>
      <span class="field-error" id="${name}-error">${error ?? nothing}</span>
    </div>`
  }

  #waiting({ service, blocked }: Extract<Step, { kind: 'waiting' }>): TemplateResult {
    const { connect } = this.words
    return html`<div class="card stack" role="status">
      <h2>${connect.waiting(service.name)}</h2>
      <p class="muted">${blocked ? connect.blocked : connect.waitingHelp}</p>
      <div class="row">
        <button @click=${this.#openAgain}>${icon('external')}${connect.openAgain}</button>
        <button class="quiet" @click=${() => this.#failed(service, connect.closed)}>${this.words.cancel}</button>
      </div>
    </div>`
  }

  #finished(shop: string): TemplateResult {
    const { connect } = this.words
    return html`<div class="card stack" role="status" part="done">
      <h2 class="row"><span class="ok">${icon('check', 20)}</span>${connect.done(shop)}</h2>
      <p class="muted">${connect.doneHelp}</p>
      ${this.integration ? nothing : html`<div class="row"><button @click=${() => void this.begin()}>${icon('plus')}${connect.another}</button></div>`}
    </div>`
  }

  static override styles = [
    ...Embedded.styles,
    css`
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
    `,
  ]
}
define('entrepot-connect', Connect)
