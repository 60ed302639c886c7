import { html, nothing, type TemplateResult } from 'lit'
import { oneAtATime } from '../../../lib/overlaps.ts'
import { copy } from '../../../parts/copy.ts'
import '../../../parts/dialog.ts'
import { define } from '../../../parts/element.ts'
import { icon } from '../../../parts/icons.ts'
import { problem } from '../../../parts/problem.ts'
import { settled } from '../../../parts/settled.ts'
import { pager } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { toast } from '../../../parts/toast.ts'
import { api, ask } from '../../api.ts'
import { formDialog, secretDialog } from '../../ask-form.ts'
import { field, valuesOf } from '../../form.ts'
import { type Bulk, selectionBar, selectionStyles } from '../../lists/selection.ts'
import { Page } from '../../page.ts'
import { changeQuery, href, navigate } from '../../router.ts'
import { may } from '../../session.ts'
import {
  type Data,
  type Delivery,
  type Detail,
  deliveryDetail,
  deliveryStyles,
  deliveryTable,
  read,
  states,
} from './webhook-deliveries.ts'
import { webhookBadge } from './webhooks.ts'

interface EventType {
  type: string
  description: string
  example: unknown
}

/** One webhook: its deliveries with all attempts, and everything to make it work again. */
class WebhookPage extends Page<Data> {
  static override properties = {
    ...Page.properties,
    refusal: { state: true },
    secret: { state: true },
    rotating: { state: true },
    replaying: { state: true },
    asking: { state: true },
    testing: { state: true },
    chosen: { state: true },
    busy: { state: true },
  }
  /** Deliveries of the page in sight, to be sent again together. */
  declare chosen: ReadonlySet<number>
  declare busy: boolean
  declare refusal: unknown
  declare secret: string | null
  /** Whoever came to make a new secret is asked once more: they have not seen the page yet. */
  declare rotating: boolean
  declare replaying: boolean
  declare asking: boolean
  /** What can be sent, while somebody chooses. */
  declare testing: { types: readonly EventType[]; chosen: string } | null
  override refreshSeconds = 4

  constructor() {
    super()
    this.refusal = null
    this.secret = null
    this.rotating = false
    this.replaying = false
    this.asking = false
    this.testing = null
    this.chosen = new Set()
    this.busy = false
  }

  override willUpdate(changed: Map<PropertyKey, unknown>) {
    super.willUpdate(changed)
    if (!changed.has('query')) return
    this.chosen = new Set()
    if (this.query.get('do') !== 'secret') return
    this.rotating = may(this.me, 'manage-access', this.params['app'])
    queueMicrotask(() => changeQuery({ do: null }, { replace: true }))
  }

  override load() {
    return read(this.params, this.query)
  }

  get #path() {
    return { appId: this.params['app'] ?? '', webhook: this.params['webhook'] ?? '' }
  }

  async #act(work: () => Promise<unknown>, said: string) {
    this.refusal = null
    try {
      await work()
      toast(said)
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  #chooseTest = async () => {
    this.refusal = null
    try {
      const { appId } = this.#path
      const params = { path: { appId } }
      const { data } = await ask(api.GET('/api/2.0/user/apps/{appId}/webhooks/event-types', { params }))
      this.testing = { types: data, chosen: '' }
    } catch (error) {
      this.refusal = error
    }
  }

  #test = async (form: HTMLFormElement) => {
    const { type = '' } = valuesOf(form)
    // The service says what it knows: the list came from it.
    const body = type === '' ? {} : ({ type } as never)
    try {
      await ask(api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/test', { params: { path: this.#path }, body }))
      this.testing = null
      toast(type === '' ? 'A test message is on its way.' : `A sample of ${type} is on its way.`)
    } catch (error) {
      this.refusal = error
    }
    await this.reload()
  }

  #setActive = (active: boolean) =>
    this.#act(
      () =>
        ask(
          api.PUT('/api/2.0/user/apps/{appId}/webhooks/{webhook}', { params: { path: this.#path }, body: { active } }),
        ),
      active ? 'Switched on.' : 'Switched off.',
    )

  #sendAgain = (delivery: number) =>
    ask(
      api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries/{delivery}/replay', {
        params: { path: { ...this.#path, delivery: String(delivery) } },
      }),
    )

  #replay = (delivery: number) => this.#act(() => this.#sendAgain(delivery), 'It is being sent again.')

  /** One after the other; those behind one that is refused stay chosen. */
  #replayChosen = async ({ act, done: said }: Bulk<Delivery>, deliveries: readonly Delivery[]) => {
    this.busy = true
    await this.#act(async () => {
      for (const delivery of deliveries) {
        await act(delivery)
        this.chosen = new Set([...this.chosen].filter((id) => id !== delivery.id))
      }
    }, said(deliveries.length))
    this.busy = false
  }

  #choose = (deliveries: readonly Delivery[], on: boolean) => {
    const ids = deliveries.map(({ id }) => id)
    const others = [...this.chosen].filter((id) => !ids.includes(id))
    this.chosen = new Set(on ? [...others, ...ids] : others)
  }

  #selection(deliveries: readonly Delivery[]) {
    return selectionBar<Delivery>({
      chosen: deliveries.filter(({ id }) => this.chosen.has(id)),
      bulks: [
        {
          label: 'Send again',
          able: ({ state }) => state !== 'pending',
          act: ({ id }) => this.#sendAgain(id),
          done: (n) => (n === 1 ? 'It is being sent again.' : `${n} deliveries are being sent again.`),
        },
      ],
      busy: this.busy,
      onAct: (bulk, rows) => void this.#replayChosen(bulk, rows),
      onClear: () => this.#choose(deliveries, false),
    })
  }

  /** A second one at once would take the place of the secret that is in use. */
  #rotate = oneAtATime(async () => {
    this.rotating = false
    try {
      const { data } = await ask(
        api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/rotate-secret', { params: { path: this.#path } }),
      )
      this.secret = data.secret
    } catch (error) {
      this.refusal = error
    }
  })

  #replayRange = async (form: HTMLFormElement) => {
    const { since = '', until = '' } = valuesOf(form)
    const iso = (local: string) => new Date(local).toISOString()
    try {
      const { data } = await ask(
        api.POST('/api/2.0/user/apps/{appId}/webhooks/{webhook}/replay', {
          params: { path: this.#path },
          body: { since: iso(since), ...(until && { until: iso(until) }) },
        }),
      )
      this.replaying = false
      toast(`${data.replayed.toLocaleString('en')} deliveries are being sent again.`)
      await this.reload()
    } catch (error) {
      this.refusal = error
    }
  }

  #delete = async () => {
    this.asking = false
    try {
      await ask(api.DELETE('/api/2.0/user/apps/{appId}/webhooks/{webhook}', { params: { path: this.#path } }))
      toast('The webhook has been deleted.')
      navigate(`/apps/${this.params['app']}/webhooks`)
    } catch (error) {
      this.refusal = error
    }
  }

  override show({ webhook, deliveries, detail }: Data): TemplateResult {
    const app = this.params['app'] ?? ''
    const state = this.query.get('state') ?? ''
    const canReplay = may(this.me, 'update-integration', app)
    const off = !webhook.active || webhook.disabled_at !== null
    return html`<p><a href=${href(`/apps/${app}/webhooks`)}>Webhooks</a></p>
      <div class="bar">
        <div><h1>${webhook.url}</h1>${webhookBadge(webhook)}</div>
        <div>
          ${
            canReplay
              ? html`<button @click=${this.#chooseTest}>${icon('play')}Send a test</button>
                <button @click=${() => {
                  this.refusal = null
                  this.replaying = true
                }}>${icon('refresh')}Replay a time</button>`
              : nothing
          }
          ${
            may(this.me, 'manage-access', app)
              ? html`<button @click=${this.#rotate}>${icon('key')}New secret</button>
                <button @click=${() => this.#setActive(off)}>${off ? 'Switch on' : 'Switch off'}</button>
                <button class="critical" @click=${() => {
                  this.asking = true
                }}>Delete</button>`
              : nothing
          }
        </div>
      </div>
      ${this.refusal && !this.replaying && !this.testing ? problem(this.refusal) : nothing}
      ${webhook.disabled_reason ? html`<p>It was disabled ${time(webhook.disabled_at)}: ${webhook.disabled_reason === 'gone' ? 'the address answered that it is gone (410)' : 'every attempt failed for five days'}.</p>` : nothing}
      <p class="muted">${webhook.description ? html`${webhook.description.replace(/[.]?$/, '.')} ` : nothing}Receives ${webhook.events.includes('*') ? 'every event' : webhook.events.join(', ')}${webhook.integration_ids ? ` of ${webhook.integration_ids.length === 1 ? 'one shop' : `${webhook.integration_ids.length} shops`} (${webhook.integration_ids.join(', ')})` : ' of all shops'}${webhook.thin ? ', ids only' : ''}.</p>
      <div class="bar"><h2>Deliveries</h2>
        <label class="row">State
          <select ${settled((value) => changeQuery({ state: value, page: null }))}>
            <option value="">All</option>
            ${states.map((one) => html`<option value=${one} .selected=${one === state}>${one}</option>`)}
          </select>
        </label>
      </div>
      ${this.#selection(deliveries.data)}
      ${deliveryTable(deliveries.data, {
        filtered: state !== '',
        onReplay: canReplay ? (id) => void this.#replay(id) : null,
        select: canReplay
          ? {
              able: () => true,
              chosen: ({ id }) => this.chosen.has(id),
              label: ({ type, id }) => `Select ${type} ${id}`,
              toggle: this.#choose,
            }
          : null,
      })}
      ${pager(deliveries.meta, (page) => changeQuery({ page: String(page) }))}
      ${this.#dialogs(webhook.url, detail)}`
  }

  #dialogs(url: string, detail: Detail | null): TemplateResult {
    return html`<ep-dialog heading="Delivery" ?open=${detail !== null} @close=${() => changeQuery({ delivery: null })}>
        ${detail ? deliveryDetail(detail) : nothing}
      </ep-dialog>
      <ep-dialog heading="Delete this webhook?" ?open=${this.asking} @close=${() => {
        this.asking = false
      }}>
        <p>Nothing more is sent to ${url}, and what was on its way is dropped.</p>
        <button slot="actions" class="critical" @click=${this.#delete}>Delete the webhook</button>
      </ep-dialog>
      <ep-dialog heading="Create a new secret?" ?open=${this.rotating} @close=${() => {
        this.rotating = false
      }}>
        <p>Deliveries to ${url} are signed with both for 24 hours, then with the new one only.</p>
        <button slot="actions" class="primary" autofocus @click=${this.#rotate}>Create a new secret</button>
      </ep-dialog>
      ${formDialog({
        heading: 'Replay a time',
        open: this.replaying,
        failure: this.replaying ? this.refusal : null,
        action: 'Send again',
        onSubmit: (form) => this.#replayRange(form),
        onClose: () => {
          this.replaying = false
        },
        fields: html`<p class="muted">What failed in this time is sent again, oldest first.</p>
          ${field({ name: 'since', label: 'From', failure: this.refusal, type: 'datetime-local' })}
          ${field({ name: 'until', label: 'Until', required: false, failure: this.refusal, type: 'datetime-local' })}`,
      })}
      ${this.#testDialog()}
      ${secretDialog(
        'The new secret',
        html`<p>The previous secret stays valid for 24 hours.</p>${copy(this.secret ?? '')}`,
        this.secret !== null,
        () => {
          this.secret = null
        },
        this.secret,
      )}`
  }

  #testDialog(): TemplateResult {
    const { types = [], chosen = '' } = this.testing ?? {}
    const found = types.find(({ type }) => type === chosen)
    return formDialog({
      heading: 'Send a test',
      open: this.testing !== null,
      failure: this.testing ? this.refusal : null,
      action: 'Send',
      onSubmit: (form) => this.#test(form),
      onClose: () => {
        this.testing = null
      },
      fields: html`<label>Event
          <select name="type" @change=${(event: Event) => {
            this.testing = { types, chosen: (event.target as HTMLSelectElement).value }
          }}>
            <option value="">webhook.test</option>
            ${types.map(({ type }) => html`<option value=${type}>${type}</option>`)}
          </select>
        </label>
        <p class="muted small">${found ? `${found.description} The sample has sample: true in its data.` : 'A test message.'}</p>
        ${found ? html`<pre>${JSON.stringify(found.example, null, 2)}</pre>` : nothing}`,
    })
  }

  static override styles = [...Page.styles, selectionStyles, deliveryStyles]
}
define('ep-page-webhook', WebhookPage)
