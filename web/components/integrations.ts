import { css, html, nothing, type TemplateResult } from 'lit'
import { ask } from '../lib/ask.ts'
import '../parts/dialog.ts'
import { define, tell } from '../parts/element.ts'
import { icon } from '../parts/icons.ts'
import { problem } from '../parts/problem.ts'
import { badge, integrationTone } from '../parts/status.ts'
import { empty, tables } from '../parts/table.ts'
import { time } from '../parts/time.ts'
import { toast } from '../parts/toast.ts'
import './connect.ts'
import { Embedded } from './embedded.ts'

type Integration = Awaited<ReturnType<Integrations['read']>>[number]

interface Completeness {
  proven_at: string
  compared: number
  healed: number
}

/**
 * `<entrepot-integrations>`: the shops of the account, how each one is, and what can be done about it.
 *
 * Tells the page: `entrepot-changed` and `entrepot-uninstalled` with `{ integration_id }`.
 */
class Integrations extends Embedded {
  static override properties = {
    ...Embedded.properties,
    list: { state: true },
    failure: { state: true },
    asking: { state: true },
    reconnecting: { state: true },
    busy: { state: true },
  }
  declare list: readonly Integration[] | null
  declare failure: unknown
  declare asking: Integration | null
  declare reconnecting: Integration | null
  declare busy: number | null
  #timer: ReturnType<typeof setInterval> | undefined

  constructor() {
    super()
    this.list = null
    this.failure = null
    this.asking = null
    this.reconnecting = null
    this.busy = null
  }

  async read() {
    const query = { per_page: 100, sort: '-id', include: 'service' } as const
    const { data } = await ask(this.client.GET('/api/2.0/webcomponent/integrations', { params: { query } }))
    return data
  }

  override async begin(): Promise<void> {
    try {
      this.list = await this.read()
      this.failure = null
    } catch (error) {
      this.failure = error
    }
  }

  override connectedCallback() {
    super.connectedCallback()
    this.#timer = setInterval(() => {
      if (document.visibilityState === 'visible' && this.list && !this.asking) void this.begin()
    }, 10_000)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    clearInterval(this.#timer)
  }

  /** Does one thing to one shop, and shows how it is afterwards. */
  async #act(integration: Integration, work: () => Promise<unknown>, said?: string): Promise<boolean> {
    this.busy = integration.id
    this.failure = null
    try {
      await work()
      if (said) toast(said)
      tell(this, 'entrepot-changed', { integration_id: integration.id })
    } catch (error) {
      this.failure = error
    }
    this.busy = null
    if (this.failure) return false
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
    if (done) tell(this, 'entrepot-uninstalled', { integration_id: integration.id })
  }

  #upload = (integration: Integration, event: Event) => {
    const [file] = (event.target as HTMLInputElement).files ?? []
    if (!file) return
    const form = new FormData()
    form.set('logo', file)
    void this.#act(
      integration,
      () =>
        ask(
          this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/logo', {
            params: this.#params(integration),
            // A form is a body of its own kind, which the types of JSON bodies do not know.
            body: form as never,
            bodySerializer: (body: unknown) => body as FormData,
          }),
        ),
      this.words.integrations.logoSaved,
    )
  }

  override render(): TemplateResult {
    const { words } = this
    const failed = this.failure
      ? problem(this.failure, { retry: () => void this.begin(), words: { retry: words.retry, request: words.request } })
      : nothing
    if (!this.list) {
      const waiting = this.mayAsk ? words.loading : words.needsToken
      return html`<div class="stack">${failed}${this.failure ? nothing : html`<p class="muted" role="status">${waiting}</p>`}</div>`
    }
    const list =
      this.list.length === 0
        ? empty(words.integrations.none, words.integrations.noneHelp)
        : html`<ul class="stack">${this.list.map((integration) => this.#card(integration))}</ul>`
    return html`<section class="stack" part="integrations" aria-label=${words.integrations.title}>${failed}${list}</section>
      ${this.#question()}${this.#reconnection()}`
  }

  #card(integration: Integration): TemplateResult {
    const { integrations } = this.words
    const { id, name, shop, service } = integration
    // Switched off by its owner: connected, but nothing runs.
    const paused = integration.status === 'INACTIVE' || (integration.status === 'ACTIVE' && !integration.active)
    const status = paused ? 'INACTIVE' : integration.status
    const reason = paused ? 'paused' : integration.status_reason
    const logo = integration.logo ?? service?.logo
    const gone = status === 'UNINSTALLED'
    const broken = status === 'ERROR' || status === 'PENDING' || gone
    return html`<li class="card" part="integration" aria-busy=${this.busy === id}>
      <div class="row head">
        ${logo ? html`<img src=${this.picture(logo)} alt="" width="36" height="36" />` : html`<span class="letter" aria-hidden="true">${name.charAt(0)}</span>`}
        <div class="name">
          <h2 class="title">${name}</h2>
          <p class="muted small">${service?.name ?? integration.type} · ${shop}</p>
        </div>
        ${badge(integrationTone(status), integrations.statuses[status] ?? status)}
      </div>
      ${reason && status !== 'ACTIVE' ? html`<p class="reason small">${integrations.reasons[reason] ?? reason}</p>` : nothing}
      <dl class="small">
        <dt>${integrations.lastSync}</dt>
        <dd>${integration.last_run_at ? time(integration.last_run_at, { language: this.language }) : integrations.never}</dd>
        <dt>${integrations.completeness}</dt>
        <dd>${this.#completeness(integration.completeness as Completeness | null)}</dd>
      </dl>
      <div class="row actions">
        ${broken ? html`<button class="primary" @click=${() => this.#reconnect(integration)}>${icon('plug')}${integrations.reconnect}</button>` : nothing}
        ${status === 'ACTIVE' ? html`<button ?disabled=${this.busy === id} @click=${() => this.#sync(integration)}>${icon('refresh')}${integrations.sync}</button>` : nothing}
        ${
          status === 'ACTIVE' || paused
            ? html`<button ?disabled=${this.busy === id} @click=${() => this.#setActive(integration, paused)}>
                ${icon(paused ? 'play' : 'pause')}${paused ? integrations.resume : integrations.pause}
              </button>`
            : nothing
        }
        <label class="button">
          ${icon('upload')}${integrations.logo}
          <input class="visually-hidden" type="file" accept="image/png,image/jpeg,image/webp"
            @change=${(event: Event) => this.#upload(integration, event)} />
        </label>
        ${gone ? nothing : html`<button class="critical" @click=${() => this.#ask(integration)}>${integrations.uninstall}</button>`}
      </div>
    </li>`
  }

  #ask = (integration: Integration) => {
    this.asking = integration
  }

  #reconnect = (integration: Integration) => {
    this.reconnecting = integration
  }

  #completeness(proof: Completeness | null) {
    const { integrations } = this.words
    if (!proof) return integrations.notProven
    const figure = (n: number) => n.toLocaleString(this.language)
    return html`${integrations.proven(figure(proof.compared), figure(proof.healed))}, ${time(proof.proven_at, { language: this.language })}`
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

  static override styles = [
    ...Embedded.styles,
    tables,
    css`
      ul {
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li.card {
        display: grid;
        gap: 12px;
      }
      .head {
        flex-wrap: nowrap;
        align-items: flex-start;
        gap: 12px;
      }
      .head img,
      .letter {
        flex: none;
        width: 36px;
        height: 36px;
        border-radius: var(--_radius);
        object-fit: contain;
      }
      .letter {
        display: grid;
        place-items: center;
        background: var(--_accent-soft);
        color: var(--_accent);
        font-weight: 600;
      }
      .name {
        flex: 1;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .reason {
        color: var(--_text);
      }
      dl {
        display: grid;
        grid-template-columns: max-content 1fr;
        gap: 2px 16px;
        margin: 0;
      }
      dt {
        color: var(--_muted);
      }
      dd {
        margin: 0;
      }
      label.button {
        position: relative;
      }
      label.button:focus-within {
        outline: 2px solid var(--_accent);
        outline-offset: 2px;
      }
    `,
  ]
}
define('entrepot-integrations', Integrations)
