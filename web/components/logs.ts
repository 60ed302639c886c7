import { css, html, nothing, type TemplateResult } from 'lit'
import { ask } from '../lib/ask.ts'
import { define } from '../parts/element.ts'
import { icon } from '../parts/icons.ts'
import { problem } from '../parts/problem.ts'
import { badge, levelTone, runTone } from '../parts/status.ts'
import { empty, tables } from '../parts/table.ts'
import { time } from '../parts/time.ts'
import { Embedded } from './embedded.ts'

type Entry = Awaited<ReturnType<Logs['read']>>['data'][number]
type Run = Awaited<ReturnType<Logs['readRun']>>

const levels = ['info', 'warning', 'error']

/** `<entrepot-logs integration="12">`: what has happened, newest first, live; by level, by words, or one run alone. */
class Logs extends Embedded {
  static override properties = {
    ...Embedded.properties,
    integration: {},
    entries: { state: true },
    more: { state: true },
    failure: { state: true },
    level: { state: true },
    text: { state: true },
    run: { state: true },
    live: { state: true },
  }
  declare integration: string
  declare entries: readonly Entry[] | null
  declare more: boolean
  declare failure: unknown
  declare level: string
  declare text: string
  declare run: Run | null
  declare live: boolean
  #page = 1
  #timer: ReturnType<typeof setInterval> | undefined
  #typing: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.integration = ''
    this.entries = null
    this.more = false
    this.failure = null
    this.level = ''
    this.text = ''
    this.run = null
    this.live = true
  }

  async read(page: number) {
    const query = {
      page,
      per_page: 50,
      ...(this.level && { 'filter[level]': this.level }),
      ...(this.text && { 'filter[q]': this.text }),
      ...(this.run && { 'filter[run_id]': String(this.run.id) }),
    }
    return await ask(
      this.client.GET('/api/2.0/webcomponent/integrations/{integrationId}/logs', {
        params: { path: { integrationId: this.integration }, query: query as never },
      }),
    )
  }

  async readRun(id: number) {
    const path = { integrationId: this.integration, run: String(id) }
    const { data } = await ask(
      this.client.GET('/api/2.0/webcomponent/integrations/{integrationId}/runs/{run}', { params: { path } }),
    )
    return data
  }

  override async begin(): Promise<void> {
    if (!this.integration) return
    try {
      const { data, meta } = await this.read(1)
      this.#page = 1
      this.entries = data
      this.more = meta.last_page > 1
      if (this.run) this.run = await this.readRun(this.run.id)
      this.failure = null
    } catch (error) {
      this.failure = error
    }
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    super.updated(changed)
    if (changed.has('integration') && changed.get('integration')) void this.begin()
  }

  override connectedCallback() {
    super.connectedCallback()
    // Only while the newest page is all that is shown: nothing moves under the eyes of who reads older ones.
    this.#timer = setInterval(() => {
      if (this.live && this.#page === 1 && this.entries && document.visibilityState === 'visible') void this.begin()
    }, 3000)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    clearInterval(this.#timer)
    clearTimeout(this.#typing)
  }

  #older = async () => {
    try {
      const { data, meta } = await this.read(this.#page + 1)
      this.#page++
      const known = new Set(this.entries?.map(({ id }) => id))
      this.entries = [...(this.entries ?? []), ...data.filter(({ id }) => !known.has(id))]
      this.more = meta.last_page > this.#page
    } catch (error) {
      this.failure = error
    }
  }

  #search = (event: Event) => {
    this.text = (event.target as HTMLInputElement).value
    clearTimeout(this.#typing)
    this.#typing = setTimeout(() => void this.begin(), 250)
  }

  #setLevel = (event: Event) => {
    this.level = (event.target as HTMLSelectElement).value
    void this.begin()
  }

  #openRun = async (id: number | null) => {
    try {
      this.run = id === null ? null : await this.readRun(id)
      await this.begin()
    } catch (error) {
      this.failure = error
    }
  }

  override render(): TemplateResult {
    const { logs, retry, request, loading, needsToken } = this.words
    const failed = this.failure
      ? problem(this.failure, { retry: () => void this.begin(), words: { retry, request } })
      : nothing
    const isFiltered = this.level !== '' || this.text !== '' || this.run !== null
    const list = !this.entries
      ? html`<p class="muted" role="status">${this.mayAsk ? loading : needsToken}</p>`
      : this.entries.length === 0
        ? isFiltered
          ? html`<p class="muted">${logs.noneFound}</p>`
          : empty(logs.none, logs.noneHelp)
        : html`<ol part="entries">${this.entries.map((entry) => this.#entry(entry))}</ol>`
    return html`<section class="stack" part="logs" aria-label=${logs.title}>
      <div class="row tools">
        <input type="search" aria-label=${logs.search} placeholder=${logs.search} .value=${this.text} @input=${this.#search} />
        <select aria-label=${logs.level} @change=${this.#setLevel}>
          <option value="">${logs.all}</option>
          ${levels.map((level) => html`<option value=${level} ?selected=${level === this.level}>${logs.levels[level]}</option>`)}
        </select>
        <label class="row live"><input type="checkbox" .checked=${this.live} @change=${this.#setLive} />${logs.live}</label>
      </div>
      ${this.run ? this.#runHead(this.run) : nothing}${failed}${list}
      ${this.more && this.entries ? html`<div><button @click=${this.#older}>${logs.older}</button></div>` : nothing}
    </section>`
  }

  #setLive = (event: Event) => {
    this.live = (event.target as HTMLInputElement).checked
  }

  #runHead(run: Run): TemplateResult {
    const { logs, schedules } = this.words
    const { done, total } = run.progress
    const figure = (n: number) => n.toLocaleString(this.language)
    return html`<div class="card run">
      <div class="row">
        <h2 class="title">${logs.run(run.id)}: ${schedules.actions[run.resource] ?? run.resource}</h2>
        ${badge(runTone(run.status), logs.statuses[run.status] ?? run.status)}
        <button class="quiet" @click=${() => void this.#openRun(null)}>${icon('cross')}${logs.allRuns}</button>
      </div>
      ${total ? html`<progress max=${total} value=${done} aria-label=${logs.progress(figure(done), figure(total))}></progress>` : nothing}
      <p class="small muted">${total ? logs.progress(figure(done), figure(total)) : figure(done)} · ${time(run.started_at ?? run.created_at, { language: this.language })}</p>
      ${run.error ? html`<p class="small">${run.error}</p>` : nothing}
    </div>`
  }

  #entry(entry: Entry): TemplateResult {
    const { logs } = this.words
    const { run_id: runId } = entry
    return html`<li part="entry">
      <span class="when small">${time(entry.created_at, { language: this.language })}</span>
      ${badge(levelTone(entry.level), logs.levels[entry.level] ?? entry.level)}
      <div class="what">
        <p>${entry.message}</p>
        <p class="small muted"><code>${entry.event}</code>
          ${runId !== null && !this.run ? html`<button class="quiet link" @click=${() => void this.#openRun(runId)}>${logs.run(runId)}</button>` : nothing}
        </p>
        ${entry.context ? html`<details><summary class="small">${logs.details}</summary><pre>${JSON.stringify(entry.context, null, 2)}</pre></details>` : nothing}
      </div>
    </li>`
  }

  static override styles = [
    ...Embedded.styles,
    tables,
    css`
      .tools input[type='search'] {
        flex: 1 1 200px;
        width: auto;
      }
      .tools select {
        width: auto;
      }
      .live {
        font-weight: 400;
      }
      ol {
        margin: 0;
        padding: 0;
        list-style: none;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
      }
      li {
        display: grid;
        grid-template-columns: 110px 108px minmax(0, 1fr);
        align-items: start;
        gap: 4px 12px;
        padding: 8px 12px;
      }
      li + li {
        border-top: 1px solid var(--_line);
      }
      li .badge {
        justify-self: start;
      }
      .when {
        color: var(--_muted);
      }
      .what {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .link {
        min-height: 24px;
        padding: 0 6px;
        color: var(--_accent);
        font-size: 13px;
      }
      pre {
        margin: 4px 0 0;
        padding: 8px;
        border-radius: var(--_radius);
        background: var(--_sunken);
        font: 400 12px / 18px var(--_mono);
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
      .run {
        display: grid;
        gap: 8px;
      }
      progress {
        width: 100%;
        height: 6px;
        accent-color: var(--_accent);
      }
      @container (max-width: 560px) {
        li {
          grid-template-columns: 1fr auto;
        }
        .what {
          grid-column: 1 / -1;
        }
      }
    `,
  ]
}
define('entrepot-logs', Logs)
