import { css, html, nothing, type TemplateResult } from 'lit'
import { ask } from '../lib/ask.ts'
import { oneAtATime, questions } from '../lib/overlaps.ts'
import { cardLists } from '../parts/cards.ts'
import '../parts/dialog.ts'
import { define, emit } from '../parts/element.ts'
import { icon } from '../parts/icons.ts'
import { problem } from '../parts/problem.ts'
import { badge } from '../parts/status.ts'
import { empty, tables } from '../parts/table.ts'
import { time } from '../parts/time.ts'
import { toast } from '../parts/toast.ts'
import { cronOf, planInWords, planOf } from './cron.ts'
import { Embedded, waitsFor } from './embedded.ts'
import { type Draft, editorStyles, ownZone, scheduleEditor } from './schedule-editor.ts'

type Integration = Awaited<ReturnType<Schedules['read']>>
type Schedule = NonNullable<Integration['schedules']>[number]

/** `<entrepot-schedules integration="12">`: what runs by itself and when, said and chosen in words, kept as cron. */
class Schedules extends Embedded {
  static override properties = {
    ...Embedded.properties,
    integration: {},
    found: { state: true },
    failure: { state: true },
    draft: { state: true },
    refusal: { state: true },
    removing: { state: true },
  }
  declare integration: string
  declare found: Integration | null
  declare failure: unknown
  declare draft: Draft | null
  declare refusal: unknown
  declare removing: Schedule | null
  readonly #questions = questions()

  constructor() {
    super()
    this.integration = ''
    this.found = null
    this.failure = null
    this.draft = null
    this.refusal = null
    this.removing = null
  }

  async read() {
    const params = { path: { integrationId: this.integration }, query: { include: 'schedules,service' } }
    const { data } = await ask(
      this.client.GET('/api/2.0/webcomponent/integrations/{integrationId}', { params: params as never }),
    )
    return data
  }

  override async begin(): Promise<void> {
    if (!this.integration) return
    const counts = this.#questions.ask()
    try {
      const found = await this.read()
      if (!counts()) return
      this.found = found
      this.failure = null
    } catch (error) {
      if (counts()) this.failure = error
    }
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    super.updated(changed)
    if (!changed.has('integration') || changed.get('integration') === undefined) return
    // Nothing of one shop is left in sight as if it were of another, and nothing is saved there.
    this.#questions.drop()
    this.found = null
    this.draft = null
    this.removing = null
    this.failure = null
    if (this.mayAsk) void this.begin()
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#questions.drop()
  }

  get #actions(): string[] {
    const known = this.words.schedules.actions
    const can = this.found?.service?.capabilities.actions ?? []
    return Object.keys(known).filter((name) => can.includes(name))
  }

  #add = () => {
    this.refusal = null
    const resource = this.#actions[0] ?? 'sync_orders'
    this.draft = { id: null, resource, plan: { kind: 'minutes', every: 15 }, timezone: ownZone(), active: true }
  }

  #edit = ({ id, resource, cron, timezone, active }: Schedule) => {
    this.refusal = null
    this.draft = { id, resource, plan: planOf(cron), timezone, active }
  }

  #save = oneAtATime(async () => {
    if (!this.draft) return
    const { id, resource, plan, timezone, active } = this.draft
    const body = { resource, cron: cronOf(plan), timezone, active }
    const integrationId = this.integration
    try {
      await ask(
        id === null
          ? this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/schedule', {
              params: { path: { integrationId } },
              body,
            })
          : this.client.PUT('/api/2.0/webcomponent/integrations/{integrationId}/schedule/{scheduleId}', {
              params: { path: { integrationId, scheduleId: String(id) } },
              body,
            }),
      )
      this.draft = null
      this.refusal = null
      emit(this, 'entrepot-changed', { integration_id: Number(integrationId) })
      await this.begin()
    } catch (error) {
      this.refusal = error
    }
  })

  #remove = async () => {
    const schedule = this.removing
    this.removing = null
    if (!schedule) return
    try {
      const path = { integrationId: this.integration, scheduleId: String(schedule.id) }
      await ask(
        this.client.DELETE('/api/2.0/webcomponent/integrations/{integrationId}/schedule/{scheduleId}', {
          params: { path },
        }),
      )
      await this.begin()
    } catch (error) {
      this.failure = error
    }
  }

  #run = async ({ id }: Schedule) => {
    try {
      const path = { integrationId: this.integration, scheduleId: String(id) }
      await ask(
        this.client.POST('/api/2.0/webcomponent/integrations/{integrationId}/schedule/{scheduleId}/run', {
          params: { path },
        }),
      )
      toast(this.words.schedules.started)
      await this.begin()
    } catch (error) {
      this.failure = error
    }
  }

  override render(): TemplateResult {
    const { words } = this
    const { schedules } = words
    const failed = this.failure ? problem(this.failure, { retry: () => void this.begin(), words }) : nothing
    if (!this.found) {
      const waiting = waitsFor(this, words)
      return html`<div class="stack">${failed}${this.failure ? nothing : html`<p class="muted" role="status">${waiting}</p>`}</div>`
    }
    const list = this.found.schedules ?? []
    const add = html`<button class="primary" @click=${this.#add}>${icon('plus')}${schedules.add}</button>`
    return html`<section class="stack" part="schedules" aria-label=${schedules.title}>
        ${failed}
        ${list.length === 0 ? empty(schedules.none, schedules.noneHelp, add) : html`<ul class="stack">${list.map((one) => this.#item(one))}</ul><div>${add}</div>`}
      </section>
      ${this.#editor()}${this.#question()}`
  }

  #item(schedule: Schedule): TemplateResult {
    const { schedules } = this.words
    const description = planInWords(planOf(schedule.cron), this.words, this.language)
    return html`<li class="card" part="schedule">
      <div class="row">
        <div class="what">
          <h2 class="title">${schedules.actions[schedule.resource] ?? schedule.resource}</h2>
          <p>${description} <span class="muted small">${schedule.timezone}</span></p>
          <p class="small muted">${schedule.active && schedule.next_run_at ? html`${schedules.nextRun}: ${time(schedule.next_run_at, { language: this.language })}` : nothing}</p>
        </div>
        ${badge(schedule.active ? 'positive' : 'neutral', schedule.active ? schedules.active : schedules.paused)}
      </div>
      <div class="row">
        <button @click=${() => this.#run(schedule)}>${icon('play')}${schedules.runNow}</button>
        <button @click=${() => this.#edit(schedule)}>${schedules.edit}</button>
        <button class="critical" @click=${() => {
          this.removing = schedule
        }}>${schedules.remove}</button>
      </div>
    </li>`
  }

  #editor(): TemplateResult | typeof nothing {
    if (!this.draft) return nothing
    return scheduleEditor(this.draft, {
      words: this.words,
      language: this.language,
      actions: this.#actions,
      refusal: this.refusal,
      onChange: (draft) => {
        this.draft = draft
      },
      onSave: () => void this.#save(),
      onClose: () => {
        this.draft = null
      },
    })
  }

  #question(): TemplateResult {
    const { schedules, cancel, close } = this.words
    const no = () => {
      this.removing = null
    }
    return html`<ep-dialog heading=${schedules.removeTitle} .closeLabel=${close} ?open=${this.removing !== null} @close=${no}>
      <p>${schedules.removeHelp}</p>
      <button slot="actions" @click=${no}>${cancel}</button>
      <button slot="actions" class="critical" @click=${this.#remove}>${schedules.remove}</button>
    </ep-dialog>`
  }

  static override styles = [
    ...Embedded.styles,
    tables,
    editorStyles,
    cardLists,
    css`
      .what {
        flex: 1;
        min-width: 0;
      }
    `,
  ]
}
define('entrepot-schedules', Schedules)
