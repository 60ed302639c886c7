import { html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { gauges } from '../design/tokens.ts'
import { ask } from '../lib/ask.ts'
import { logoUpload } from '../lib/logo-upload.ts'
import { questions } from '../lib/overlaps.ts'
import { cardLists } from '../parts/cards.ts'
import '../parts/dialog.ts'
import { define, emit } from '../parts/element.ts'
import { problem } from '../parts/problem.ts'
import { empty, tables } from '../parts/table.ts'
import { toast } from '../parts/toast.ts'
import './connect.ts'
import { Embedded } from './embedded.ts'
import {
  cardStyles,
  type Fetching,
  type Integration,
  integrationCard,
  readFetching,
  readIntegrations,
} from './integration-card.ts'

/**
 * `<entrepot-integrations>`: the shops of the account, how each one is, and what can be done about it.
 *
 * Emits: `entrepot-changed` and `entrepot-uninstalled` with `{ integration_id }`.
 */
class Integrations extends Embedded {
  static override properties = {
    ...Embedded.properties,
    list: { state: true },
    failure: { state: true },
    refused: { state: true },
    asking: { state: true },
    reconnecting: { state: true },
    busy: { state: true },
    fetching: { state: true },
  }
  declare list: readonly Integration[] | null
  declare failure: unknown
  /** Why something could not be done: said until somebody does the next thing, however often the list is read meanwhile. */
  declare refused: unknown
  declare asking: Integration | null
  declare reconnecting: Integration | null
  declare busy: number | null
  declare fetching: ReadonlyMap<number, Fetching>
  #timer: ReturnType<typeof setInterval> | undefined
  #looked = 0
  readonly #questions = questions()

  constructor() {
    super()
    this.list = null
    this.failure = null
    this.refused = null
    this.asking = null
    this.reconnecting = null
    this.busy = null
    this.fetching = new Map()
  }

  override async begin(): Promise<void> {
    const counts = this.#questions.ask()
    try {
      const list = await readIntegrations(this.client)
      if (!counts()) return
      this.list = list
      const fetching = await readFetching(this.client, list)
      if (!counts()) return
      this.fetching = fetching
      this.failure = null
    } catch (error) {
      if (counts()) this.failure = error
    }
  }

  override connectedCallback() {
    super.connectedCallback()
    this.#timer = setInterval(() => {
      // Somebody who watches a shop come in wants to see it move.
      const isDue = this.fetching.size > 0 || Date.now() - this.#looked >= 10_000
      const isFree = !this.asking && !this.#questions.waits
      if (document.visibilityState !== 'visible' || !this.list || !isFree || !isDue) return
      this.#looked = Date.now()
      void this.begin()
    }, 4_000)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#questions.drop()
    clearInterval(this.#timer)
  }

  /** Does one thing to one shop, and shows how it is afterwards. */
  async #act(integration: Integration, work: () => Promise<unknown>, said?: string): Promise<boolean> {
    this.busy = integration.id
    this.refused = null
    try {
      await work()
    } catch (error) {
      this.refused = error
      return false
    } finally {
      this.busy = null
    }
    if (said) toast(said)
    emit(this, 'entrepot-changed', { integration_id: integration.id })
    await this.begin()
    return true
  }

  #params = ({ id }: Integration) => ({ path: { integrationId: String(id) } })

  #setActive = (integration: Integration, active: boolean) =>
    this.#act(integration, () =>
      ask(
        this.client.PUT('/api/2.0/webcomponent/integrations/{integrationId}', {
          params: this.#params(integration),
          body: { active },
        }),
      ),
    )

  #sync = (integration: Integration) =>
    this.#act(
      integration,
      () =>
        ask(
          this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/actions', {
            params: this.#params(integration),
            body: { resource: 'sync_orders' },
          }),
        ),
      this.words.integrations.syncStarted,
    )

  #uninstall = async () => {
    const integration = this.asking
    if (!integration) return
    this.asking = null
    const done = await this.#act(integration, () =>
      ask(
        this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/uninstall', {
          params: this.#params(integration),
        }),
      ),
    )
    if (done) emit(this, 'entrepot-uninstalled', { integration_id: integration.id })
  }

  #upload = (integration: Integration, event: Event) => {
    const [file] = (event.target as HTMLInputElement).files ?? []
    if (!file) return
    void this.#act(
      integration,
      () =>
        ask(
          this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/logo', {
            params: this.#params(integration),
            ...logoUpload(file),
          }),
        ),
      this.words.integrations.logoSaved,
    )
  }

  override render(): TemplateResult {
    const { words } = this
    const failed = [
      this.refused ? problem(this.refused, { words }) : nothing,
      this.failure ? problem(this.failure, { retry: () => void this.begin(), words }) : nothing,
    ]
    if (!this.list) {
      const waiting = this.mayAsk ? words.loading : words.needsToken
      return html`<div class="stack">${failed}${this.failure ? nothing : html`<p class="muted" role="status">${waiting}</p>`}</div>`
    }
    const list =
      this.list.length === 0
        ? empty(words.integrations.none, words.integrations.noneHelp)
        : html`<ul class="stack">${repeat(
            this.list,
            ({ id }) => id,
            (integration) => this.#card(integration),
          )}</ul>`
    return html`<section class="stack" part="integrations" aria-label=${words.integrations.title}>${failed}${list}</section>
      ${this.#question()}${this.#reconnection()}`
  }

  #card(integration: Integration): TemplateResult {
    return integrationCard(integration, {
      client: this.client,
      words: this.words,
      language: this.language,
      picture: (address) => this.picture(address),
      busy: this.busy === integration.id,
      fetching: this.fetching.get(integration.id) ?? null,
      onReconnect: () => {
        this.reconnecting = integration
      },
      onSync: () => void this.#sync(integration),
      onActive: (active) => void this.#setActive(integration, active),
      onLogo: (event) => this.#upload(integration, event),
      onUninstall: () => {
        this.asking = integration
      },
    })
  }

  #question(): TemplateResult {
    const { integrations, cancel, close } = this.words
    return html`<ep-dialog heading=${integrations.uninstallTitle(this.asking?.shop ?? '')} .closeLabel=${close} ?open=${this.asking !== null}
      @close=${() => {
        this.asking = null
      }}>
      <p>${integrations.uninstallHelp}</p>
      <button slot="actions" @click=${() => {
        this.asking = null
      }}>${cancel}</button>
      <button slot="actions" class="critical" @click=${this.#uninstall}>${integrations.uninstallConfirm}</button>
    </ep-dialog>`
  }

  #reconnection(): TemplateResult | typeof nothing {
    if (!this.reconnecting) return nothing
    const { connect, close } = this.words
    const done = () => {
      this.reconnecting = null
      void this.begin()
    }
    return html`<ep-dialog open heading=${connect.reconnectTitle(this.reconnecting.shop)} .closeLabel=${close} @close=${done}>
      <entrepot-connect .baseUrl=${this.baseUrl} .token=${this.token}   .getToken=${this.getToken} .session=${this.session} .lang=${this.language}
        integration=${this.reconnecting.id} @entrepot-connected=${() => void this.begin()}></entrepot-connect>
      <button slot="actions" @click=${done}>${close}</button>
    </ep-dialog>`
  }

  static override styles = [...Embedded.styles, gauges, tables, cardLists, cardStyles]
}
define('entrepot-integrations', Integrations)
