import { css, html, nothing, type TemplateResult } from 'lit'
import '../../parts/combobox.ts'
import { icon } from '../../parts/icons.ts'
import { problem } from '../../parts/problem.ts'
import { type Column, table } from '../../parts/table.ts'
import { toast } from '../../parts/toast.ts'
import { type Choice, everyShop, readNamed } from '../integration-picker.ts'
import { Page } from '../page.ts'
import { changeQuery, withQuery } from '../router.ts'
import { type CsvColumn, saveCsv } from './csv.ts'

export type ListColumn<Row> = Column<Row> & CsvColumn<Row>

export interface Listed {
  id?: number
  integration: { id: number; name: string; shop: string }
}

interface Answer<Row> {
  data: readonly Row[]
  meta: { next_cursor: string | null }
}

export interface Shown<Row> extends Answer<Row> {
  chosen: Choice | null
}

/** What can be done to several rows at once. */
export interface Bulk<Row> {
  /** “Try again”. */
  label: string
  able: (row: Row) => boolean
  act: (row: Row) => Promise<unknown>
  /** “3 messages are processed again.” */
  done: (n: number) => string
}

const perPage = 25
const perPiece = 200

/**
 * A list over all shops of an app, newest first. Filters and place are in the address, so that a search is worth a link;
 * what is shown can be saved as CSV, and where there is something to do, done to several rows at once.
 */
export abstract class AcrossPage<Row extends Listed> extends Page<Shown<Row>> {
  static override properties = {
    ...Page.properties,
    chosen: { state: true },
    busy: { state: true },
    refusal: { state: true },
  }
  declare chosen: ReadonlySet<string>
  /** What is going on, in words. */
  declare busy: string | null
  declare refusal: unknown
  #stop = new AbortController()

  abstract heading: string
  /** Of the file. */
  abstract file: string
  abstract columns(): readonly ListColumn<Row>[]
  abstract read(query: Readonly<Record<string, string | number>>): Promise<Answer<Row>>
  abstract link(row: Row): string | null
  abstract nothingHere(): TemplateResult
  /** Names of filters in the address; they are those of the endpoint. */
  filters: readonly string[] = []
  intro: TemplateResult | typeof nothing = nothing

  constructor() {
    super()
    this.chosen = new Set()
    this.busy = null
    this.refusal = null
  }

  get app(): string {
    return this.params['app'] ?? ''
  }

  /** Beside the heading. */
  actions(): TemplateResult | typeof nothing {
    return nothing
  }

  /** Behind the shop. */
  filterFields(): TemplateResult | typeof nothing {
    return nothing
  }

  bulk(): Bulk<Row> | null {
    return null
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#stop.abort()
  }

  get isFiltered(): boolean {
    return ['integration', ...this.filters].some((name) => this.query.get(name))
  }

  #asked(): Record<string, string> {
    const integration = this.query.get('integration')
    const given = this.filters.flatMap((name) => {
      const value = this.query.get(name)
      return value ? [[name, value] as const] : []
    })
    return { ...Object.fromEntries(given), ...(integration && { integration_id: integration }) }
  }

  override async load(): Promise<Shown<Row>> {
    const after = this.query.get('after')
    const [chosen, answer] = await Promise.all([
      readNamed(this.app, this.query),
      this.read({ ...this.asked(), limit: perPage, ...(after && { cursor: after }) }),
    ])
    return { ...answer, chosen }
  }

  /** What the endpoint is asked for, by the address. */
  asked(): Record<string, string> {
    return this.#asked()
  }

  override willUpdate(changed: Map<PropertyKey, unknown>) {
    super.willUpdate(changed)
    if (changed.has('query')) this.chosen = new Set()
  }

  #keyOf = (row: Row): string => `${row.integration.id} ${row.id ?? ''}`

  #save = async () => {
    this.#stop = new AbortController()
    this.refusal = null
    this.busy = 'Saving …'
    try {
      const lines = await saveCsv<Row>({
        name: `${this.file}-${new Date().toISOString().slice(0, 10)}`,
        columns: [...this.columns()],
        stop: this.#stop.signal,
        read: async (after) => {
          const { data, meta } = await this.read({ ...this.asked(), limit: perPiece, ...(after && { cursor: after }) })
          return { rows: data, next: meta.next_cursor }
        },
        progress: (n) => {
          this.busy = `${n.toLocaleString('en')} lines so far`
        },
      })
      toast(`${lines.toLocaleString('en')} lines have been saved.`)
    } catch (error) {
      this.refusal = error
    }
    this.busy = null
  }

  /** One after the other; the first that is refused is shown, and stays chosen with whatever comes after it. */
  #actOnChosen = async (bulk: Bulk<Row>, rows: readonly Row[]) => {
    this.refusal = null
    let done = 0
    try {
      for (const row of rows) {
        this.busy = `${bulk.label}: ${done + 1} of ${rows.length}`
        await bulk.act(row)
        done++
        const key = this.#keyOf(row)
        this.chosen = new Set([...this.chosen].filter((one) => one !== key))
      }
    } catch (error) {
      this.refusal = error
    }
    this.busy = null
    if (done > 0) toast(bulk.done(done))
    await this.reload()
  }

  #bar(bulk: Bulk<Row> | null, rows: readonly Row[]): TemplateResult | typeof nothing {
    if (!bulk) return nothing
    const chosen = rows.filter((row) => bulk.able(row) && this.chosen.has(this.#keyOf(row)))
    if (chosen.length === 0) return nothing
    return html`<div class="row chosen" role="group" aria-label="Selected">
      <span>${chosen.length.toLocaleString('en')} selected</span>
      <button class="primary" ?disabled=${this.busy !== null} @click=${() => void this.#actOnChosen(bulk, chosen)}>${icon('refresh')}${bulk.label}</button>
      <button @click=${() => {
        this.chosen = new Set()
      }}>Clear</button>
    </div>`
  }

  override show({ data, meta, chosen }: Shown<Row>): TemplateResult {
    const bulk = this.bulk()
    const columns: ListColumn<Row>[] = [...this.columns()]
    return html`<div class="bar"><h1>${this.heading}</h1><div>${this.actions()}</div></div>
      ${this.intro === nothing ? nothing : html`<p class="muted">${this.intro}</p>`}
      <div class="row filters">
        ${everyShop(this.app, chosen)}${this.filterFields()}
        ${
          this.busy === null
            ? html`<button ?disabled=${data.length === 0} @click=${this.#save}>${icon('upload')}Save as CSV</button>`
            : html`<span role="status">${this.busy}</span><button @click=${() => this.#stop.abort()}>Stop</button>`
        }
      </div>
      ${this.refusal ? problem(this.refusal) : nothing}
      ${this.#bar(bulk, data)}
      ${table<Row>({
        caption: this.heading,
        rows: data,
        link: (row) => this.link(row),
        empty: this.nothingHere(),
        columns,
        ...(bulk && {
          select: {
            able: bulk.able,
            chosen: (row: Row) => this.chosen.has(this.#keyOf(row)),
            label: (row: Row) => `Select ${String(columns[0]?.csv(row) ?? '')}`,
            toggle: (rows: readonly Row[], on: boolean) => {
              const keys = rows.map(this.#keyOf)
              const others = [...this.chosen].filter((key) => !keys.includes(key))
              this.chosen = new Set(on ? [...others, ...keys] : others)
            },
          },
        }),
      })}
      ${this.#pager(meta.next_cursor)}`
  }

  #pager(next: string | null): TemplateResult | typeof nothing {
    const after = this.query.get('after')
    if (!after && next === null) return nothing
    return html`<nav class="pager" aria-label="Pages">
      ${after ? html`<a class="button" href=${withQuery({ after: null })}>Newest</a>` : nothing}
      ${next === null ? nothing : html`<a class="button" href=${withQuery({ after: next })}>Older${icon('chevron')}</a>`}
    </nav>`
  }

  /** A choice of words that stands in the address. */
  select(label: string, name: string, options: readonly (readonly [string, string])[]): TemplateResult {
    const value = this.query.get(name) ?? ''
    return html`<label class="row">${label}
      <select @change=${(event: Event) => changeQuery({ [name]: (event.target as HTMLSelectElement).value, after: null })}>
        <option value="" .selected=${value === ''}>All</option>
        ${options.map(([one, text]) => html`<option value=${one} .selected=${one === value}>${text}</option>`)}
      </select>
    </label>`
  }

  /** A text that stands in the address once it is asked for. */
  sought(label: string, name: string): TemplateResult {
    const find = (event: SubmitEvent) => {
      event.preventDefault()
      changeQuery({ [name]: String(new FormData(event.target as HTMLFormElement).get(name)).trim(), after: null })
    }
    return html`<form class="row" role="search" @submit=${find}>
      <input name=${name} type="search" aria-label=${label} placeholder=${label} .value=${this.query.get(name) ?? ''} />
      <button>Find</button>
    </form>`
  }

  static override styles = [
    ...Page.styles,
    css`
      .chosen {
        padding: 8px 12px;
        border-radius: var(--_radius);
        background: var(--_accent-soft);
      }
      input[type='date'] {
        width: auto;
      }
    `,
  ]
}

/** The column that every such list has. */
export const shopColumn = <Row extends Listed>(): ListColumn<Row> => ({
  head: 'Shop',
  cell: ({ integration }) => integration.name,
  csv: ({ integration }) => integration.name,
})
