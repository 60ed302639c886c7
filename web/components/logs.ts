import { css, html, nothing, type TemplateResult } from 'lit'
import { gauges } from '../design/tokens.ts'
import { Refusal } from '../lib/ask.ts'
import { questions } from '../lib/overlaps.ts'
import { define } from '../parts/element.ts'
import { problem } from '../parts/problem.ts'
import { settled } from '../parts/settled.ts'
import { empty, tables } from '../parts/table.ts'
import { Embedded, waitsFor } from './embedded.ts'
import { type Entry, entryStyles, logEntry, type Run, readEntries, readRun, runHead } from './log-entries.ts'

/** Nobody is let in any longer: asking again by itself would not help. */
const isOut = (failure: unknown) => failure instanceof Refusal && failure.status === 401

const levels = ['info', 'warning', 'error']

/** `<entrepot-logs integration="12">`: what has happened, newest first, live; by level, by words, or one run alone. */
class Logs extends Embedded {
  static override properties = {
    ...Embedded.properties,
    integration: {},
    entries: { state: true },
    more: { state: true },
    failure: { state: true },
    refused: { state: true },
    level: { state: true },
    text: { state: true },
    run: { state: true },
    live: { state: true },
  }
  declare integration: string
  declare entries: readonly Entry[] | null
  declare more: boolean
  declare failure: unknown
  /** What somebody asked for and did not get: said until the next thing is asked for, however often the newest is read meanwhile. */
  declare refused: { error: unknown; again: () => void } | null
  declare level: string
  declare text: string
  declare run: Run | null
  declare live: boolean
  #page = 1
  /** About whatever is listed: of filters, runs and pages that somebody goes through quickly the last one counts. */
  #questions = questions()
  #timer: ReturnType<typeof setInterval> | undefined
  #typing: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.integration = ''
    this.entries = null
    this.more = false
    this.failure = null
    this.refused = null
    this.level = ''
    this.text = ''
    this.run = null
    this.live = true
  }

  #read(page: number) {
    const filter = { level: this.level, text: this.text, runId: this.run?.id ?? null }
    return readEntries(this.client, this.integration, filter, page)
  }

  override async begin(): Promise<void> {
    if (!this.integration) return
    const counts = this.#questions.ask()
    try {
      const { data, meta } = await this.#read(1)
      const run = this.run && (await readRun(this.client, this.integration, this.run.id))
      if (!counts()) return
      this.#page = 1
      this.entries = data
      this.more = meta.last_page > 1
      this.run = run
      this.failure = null
    } catch (error) {
      if (counts()) this.failure = error
    }
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    super.updated(changed)
    if (!changed.has('integration') || changed.get('integration') === undefined) return
    // Nothing of one shop is left in sight as if it were of another.
    this.#questions.drop()
    this.entries = null
    this.run = null
    this.failure = null
    this.refused = null
    if (this.mayAsk) void this.begin()
  }

  override connectedCallback() {
    super.connectedCallback()
    // Only while the newest page is all that is shown: nothing moves under the eyes of who reads older ones.
    this.#timer = setInterval(() => {
      if (
        this.live &&
        this.#page === 1 &&
        this.entries &&
        document.visibilityState === 'visible' &&
        !isOut(this.failure) &&
        !this.#questions.waits
      ) {
        void this.begin()
      }
    }, 3000)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#questions.drop()
    clearInterval(this.#timer)
    clearTimeout(this.#typing)
  }

  #older = async () => {
    const counts = this.#questions.ask()
    this.refused = null
    try {
      const { data, meta } = await this.#read(this.#page + 1)
      if (!counts()) return
      this.#page++
      const known = new Set(this.entries?.map(({ id }) => id))
      this.entries = [...(this.entries ?? []), ...data.filter(({ id }) => !known.has(id))]
      this.more = meta.last_page > this.#page
    } catch (error) {
      if (counts()) this.refused = { error, again: () => void this.#older() }
    }
  }

  #search = (event: Event) => {
    this.refused = null
    this.text = (event.target as HTMLInputElement).value
    clearTimeout(this.#typing)
    this.#typing = setTimeout(() => void this.begin(), 250)
  }

  #setLevel = (level: string) => {
    this.refused = null
    this.level = level
    void this.begin()
  }

  #openRun = async (id: number | null) => {
    const counts = this.#questions.ask()
    this.refused = null
    try {
      const run = id === null ? null : await readRun(this.client, this.integration, id)
      if (!counts()) return
      this.run = run
      await this.begin()
    } catch (error) {
      if (counts()) this.refused = { error, again: () => void this.#openRun(id) }
    }
  }

  override render(): TemplateResult {
    const { words, language } = this
    const { logs } = words
    const presentation = { words, language }
    const onRun = this.run ? null : (id: number) => void this.#openRun(id)
    const failed = [
      this.refused ? problem(this.refused.error, { retry: this.refused.again, words }) : nothing,
      this.failure ? problem(this.failure, { retry: () => void this.begin(), words }) : nothing,
    ]
    const isFiltered = this.level !== '' || this.text !== '' || this.run !== null
    const list = !this.entries
      ? html`<p class="muted" role="status">${waitsFor(this, words)}</p>`
      : this.entries.length === 0
        ? isFiltered
          ? html`<p class="muted">${logs.noneFound}</p>`
          : empty(logs.none, logs.noneHelp)
        : html`<ol part="entries">${this.entries.map((entry) => logEntry(entry, presentation, onRun))}</ol>`
    return html`<section class="stack" part="logs" aria-label=${logs.title}>
      <div class="row tools">
        <input type="search" aria-label=${logs.search} placeholder=${logs.search} .value=${this.text} @input=${this.#search} />
        <select aria-label=${logs.level} ${settled(this.#setLevel)}>
          <option value="">${logs.all}</option>
          ${levels.map((level) => html`<option value=${level} .selected=${level === this.level}>${logs.levels[level]}</option>`)}
        </select>
        <label class="row live"><input type="checkbox" .checked=${this.live} @change=${this.#setLive} />${logs.live}</label>
      </div>
      ${this.run ? runHead(this.run, presentation, () => void this.#openRun(null)) : nothing}${failed}${list}
      ${this.more && this.entries ? html`<div><button @click=${this.#older}>${logs.older}</button></div>` : nothing}
    </section>`
  }

  #setLive = (event: Event) => {
    this.live = (event.target as HTMLInputElement).checked
  }

  static override styles = [
    ...Embedded.styles,
    tables,
    gauges,
    entryStyles,
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
    `,
  ]
}
define('entrepot-logs', Logs)
