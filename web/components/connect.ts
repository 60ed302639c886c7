import { html, nothing, type TemplateResult } from 'lit'
import { Refusal } from '../lib/ask.ts'
import { define, emit } from '../parts/element.ts'
import { icon } from '../parts/icons.ts'
import { problem } from '../parts/problem.ts'
import { errorsIn, failureText } from '../parts/refusal-words.ts'
import {
  authorizationUrl,
  claim,
  connectedAlready,
  install,
  installAgain,
  noValues,
  readIntegration,
  readServices,
  type Service,
  type Values,
} from './connect-calls.ts'
import {
  claimStep,
  doneStep,
  formStep,
  knownStep,
  pickingStep,
  type Step,
  stepStyles,
  waitingStep,
} from './connect-steps.ts'
import { Embedded } from './embedded.ts'
import { onArrival, openPopUp, type PopUp } from './pop-up.ts'

/**
 * `<entrepot-connect>`: pick a platform, say which shop, let us in, done. With `service` the first step is left out; with
 * `integration` a shop that is there already is connected again, and with `claim-code` one that was let in from the pages of its
 * platform, by the code that was shown there.
 *
 * Emits: `entrepot-connected` with `{ integration_id, type, shop }`, `entrepot-connect-failed` with `{ message }`.
 */
class Connect extends Embedded {
  static override properties = {
    ...Embedded.properties,
    service: {},
    integration: {},
    claimCode: { attribute: 'claim-code' },
    step: { state: true },
    failure: { state: true },
    busy: { state: true },
    search: { state: true },
    values: { state: true },
  }
  declare service: string | null
  declare integration: string | null
  declare claimCode: string | null
  declare step: Step
  declare failure: unknown
  declare busy: boolean
  declare search: string
  declare values: Values
  #services: readonly Service[] = []
  #window: PopUp | null = null
  /** Begun and not finished: whoever tries again goes on with it. */
  #begun: { id: number; type: string; shop: string } | null = null
  #stop: (() => void) | null = null

  constructor() {
    super()
    this.service = null
    this.integration = null
    this.claimCode = null
    this.step = { kind: 'loading' }
    this.failure = null
    this.busy = false
    this.search = ''
    this.values = noValues()
  }

  /** Whoever has gone on, before or while the answers were under way, is not taken back. */
  override async begin(): Promise<void> {
    const { step, integration } = this
    const isOpen = () => this.step === step && !['claim', 'form', 'known', 'waiting'].includes(step.kind)
    this.failure = null
    try {
      const services = await readServices(this.client)
      const known = integration ? await readIntegration(this.client, integration) : null
      this.#services = services
      if (isOpen()) this.#open(known)
    } catch (error) {
      if (isOpen()) this.failure = error
    }
  }

  #open(known: { type: string; name: string; shop: string } | null) {
    const chosen = this.#services.find(({ type }) => type === (known?.type ?? this.service))
    if (known) {
      if (!chosen) throw new Error(this.words.connect.none)
      this.values = { ...noValues(), name: known.name, shop: known.shop }
      return this.#choose(chosen)
    }
    if (this.claimCode) return this.#goTo({ kind: 'claim' })
    if (chosen) this.#choose(chosen)
    else this.step = { kind: 'picking' }
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#stop?.()
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    super.updated(changed)
    // What was refused is shown at its field, and that is where the next try begins.
    if (changed.has('failure')) this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (changed.has('integration') && changed.get('integration') !== undefined) this.#forget()
    const named = changed.has('service') && this.#services.find(({ type }) => type === this.service)
    if (named) this.#choose(named)
    if (changed.has('step') && this.step.kind === 'form' && this.#leads) {
      this.#leads = false
      this.renderRoot.querySelector<HTMLElement>('form input[required]')?.focus()
    }
  }

  /** Another shop: what was typed and begun belongs to the one before. */
  #forget() {
    this.#stop?.()
    this.#window?.close()
    this.#begun = null
    this.values = noValues()
    this.#goTo({ kind: 'loading' })
    if (this.mayAsk) void this.begin()
  }

  /** Whoever has just chosen goes on where there is something to fill in; a page that is merely opened keeps its focus. */
  #leads = false

  #choose = (service: Service, byHand = this.autofocus) => {
    this.#leads = byHand
    this.failure = null
    this.step = { kind: 'form', service, byKeys: !service.installed_by.includes('browser') }
  }

  /* Sending ------------------------------------------------------------------------------------------------------- */

  #submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (this.step.kind !== 'form') return
    const { service, byKeys } = this.step
    const { integration } = this
    await this.#send(byKeys, () =>
      integration ? this.#reconnect(service, integration, byKeys) : this.#install(service, byKeys),
    )
  }

  /** The window opens with the click: later the browser would block it. */
  async #send(byKeys: boolean, work: () => Promise<void>) {
    this.busy = true
    this.failure = null
    if (!byKeys) this.#window = openPopUp(this.language)
    try {
      await work()
    } catch (error) {
      this.#window?.close()
      this.failure = error
      emit(this, 'entrepot-connect-failed', { message: failureText(error, this.words) })
    }
    this.busy = false
  }

  #claim = async (event: SubmitEvent) => {
    event.preventDefault()
    await this.#send(true, async () => {
      const made = await claim(this.client, this.claimCode ?? '')
      this.claimCode = null
      this.#done(made)
    })
  }

  async #install(service: Service, byKeys: boolean, second = false) {
    const { shop } = this.values
    const begun = this.#begun
    if (begun && begun.type === service.type && begun.shop === shop && !byKeys) {
      return await this.#reconnect(service, String(begun.id), byKeys)
    }
    const [known] = shop === '' ? [] : await connectedAlready(this.client, service, shop)
    if (known && !second) {
      this.#window?.close()
      this.step = { kind: 'known', service, byKeys, known }
      return
    }
    const made = await install(this.client, service, this.values, byKeys)
    if (!made.authorization_url || byKeys) return this.#done(made)
    this.#begun = { id: made.id, type: service.type, shop }
    this.#wait(service, made.id, made.authorization_url)
  }

  async #reconnect(service: Service, id: string, byKeys: boolean) {
    if (byKeys) return this.#done(await installAgain(this.client, id, this.values.credentials))
    this.#wait(service, Number(id), await authorizationUrl(this.client, id))
  }

  #done({ id, shop, type }: { id: number; shop: string; type: string }) {
    this.#stop?.()
    this.#begun = null
    this.step = { kind: 'done', integrationId: id, shop }
    this.values = noValues()
    emit(this, 'entrepot-connected', { integration_id: id, shop, type })
  }

  /* Waiting for the window ---------------------------------------------------------------------------------------- */

  #wait(service: Service, integrationId: number, address: string) {
    this.#window?.go(address)
    this.step = { kind: 'waiting', service, integrationId, address, blocked: this.#window === null }
    this.#stop?.()
    const quiet = onArrival(new URL(this.baseUrl, location.href).origin, (arrived) => {
      if (arrived.connected) void this.#look()
      else this.#failed(service, this.words.reasons?.(arrived.reason) ?? arrived.message)
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
      const found = await readIntegration(this.client, String(integrationId))
      if (this.step.kind !== 'waiting') return
      if (found.status === 'ACTIVE') this.#done(found)
      else if (closed) this.#failed(service, this.words.connect.closed)
    } catch (error) {
      if (error instanceof Refusal && error.status < 500 && error.status !== 429)
        this.#failed(service, failureText(error, this.words))
    }
  }

  #failed(service: Service, message: string) {
    this.#stop?.()
    this.step = { kind: 'form', service, byKeys: false }
    this.failure = new Error(message)
    emit(this, 'entrepot-connect-failed', { message })
  }

  #openAgain = () => {
    if (this.step.kind !== 'waiting') return
    this.#window = openPopUp(this.language)
    this.#window?.go(this.step.address)
    this.step = { ...this.step, blocked: this.#window === null }
  }

  /* Showing ------------------------------------------------------------------------------------------------------- */

  override render(): TemplateResult {
    const isFieldError = this.failure instanceof Refusal && Object.keys(this.failure.errors).length > 0
    const failed = this.failure && !isFieldError ? problem(this.failure, { words: this.words }) : nothing
    return html`<section class="stack" part="connect" aria-label=${this.words.connect.title}>${failed}${this.#shown()}</section>`
  }

  #shown(): TemplateResult {
    const { step, words } = this
    const presentation = { words, language: this.language, picture: (address: string) => this.picture(address) }
    switch (step.kind) {
      case 'loading':
        return this.failure
          ? html`<div><button @click=${() => void this.begin()}>${icon('refresh')}${words.retry}</button></div>`
          : html`<p class="muted" role="status">${this.mayAsk ? words.loading : words.needsToken}</p>`
      case 'picking':
        return pickingStep(presentation, {
          services: this.#services,
          search: this.search,
          onSearch: (text) => {
            this.search = text
          },
          onChoose: (service) => this.#choose(service, true),
          onClaim: () => this.#goTo({ kind: 'claim' }),
        })
      case 'claim':
        return claimStep(presentation, {
          code: this.claimCode ?? '',
          error: errorsIn(this.failure, words)['code']?.[0],
          busy: this.busy,
          onChange: (code) => {
            this.claimCode = code
          },
          onSubmit: this.#claim,
          onBack: () => this.#goTo({ kind: 'picking' }),
        })
      case 'form':
        return formStep(presentation, {
          ...step,
          again: this.integration !== null,
          values: this.values,
          errors: errorsIn(this.failure, words),
          busy: this.busy,
          onChange: (values) => {
            this.values = values
          },
          onSubmit: this.#submit,
          onSwitch: () => this.#goTo({ ...step, byKeys: !step.byKeys }),
          onBack: this.service || this.integration ? null : () => this.#goTo({ kind: 'picking' }),
        })
      case 'known': {
        const { service, byKeys, known } = step
        const form: Step = { kind: 'form', service, byKeys }
        const send = (work: () => Promise<void>) => {
          // What is refused is shown at the form.
          this.step = form
          void this.#send(byKeys, work)
        }
        return knownStep(presentation, {
          ...{ known, busy: this.busy },
          onAgain: () => send(() => this.#reconnect(service, String(known.id), byKeys)),
          onSecond: () => send(() => this.#install(service, byKeys, true)),
          onBack: () => this.#goTo(form),
        })
      }
      case 'waiting':
        return waitingStep(presentation, {
          ...step,
          onOpen: this.#openAgain,
          onCancel: () => this.#failed(step.service, words.connect.closed),
        })
      case 'done':
        return doneStep(presentation, step.shop, this.integration ? null : () => void this.begin())
    }
  }

  #goTo(step: Step) {
    this.failure = null
    this.step = step
  }

  static override styles = [...Embedded.styles, stepStyles]
}
define('entrepot-connect', Connect)
