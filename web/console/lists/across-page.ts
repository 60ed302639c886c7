import { css, html, nothing, type TemplateResult } from 'lit'
import '../../parts/combobox.ts'
import '../../parts/dialog.ts'
import { icon } from '../../parts/icons.ts'
import { problem } from '../../parts/problem.ts'
import { settled } from '../../parts/settled.ts'
import { type Column, table } from '../../parts/table.ts'
import { toast } from '../../parts/toast.ts'
import { Page } from '../page.ts'
import { changeQuery, withQuery } from '../router.ts'
import { type Choice, everyShop, readNamed } from '../shops/integration-picker.ts'
import { chosenOf, columnMenu, keepColumns, readColumns } from './columns.ts'
import { type CsvColumn, saveCsv } from './csv.ts'
import { ListViews } from './list-views.ts'
import { type Bulk, selectionBar, selectionStyles } from './selection.ts'
import type { View } from './views.ts'

export type { Bulk } from './selection.ts'

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

const perPage = 25
const perPiece = 200

/**
 * A list over all shops of an app, newest first. Filters and place are in the address, so that a search is worth a link, and can be
 * kept under a name together with the columns. What is shown can be saved as CSV, all of it or rows that were chosen, and where there
 * is something to do, it is done to several rows at once.
 */
export abstract class AcrossPage<Row extends Listed> extends Page<Shown<Row>> {
  static override properties = {
    ...Page.properties,
    chosen: { state: true },
    busy: { state: true },
    refusal: { state: true },
    shownColumns: { state: true },
  }
  declare chosen: ReadonlySet<string>
  /** By their heads; null is all of them. */
  declare shownColumns: readonly string[] | null
  /** What is going on, in words. */
  declare busy: string | null
  declare refusal: unknown
  #stop = new AbortController()
  #views = new ListViews(this)

  abstract heading: string
  /** What the list is called where it is kept: of the file, and of its views. */
  abstract file: View['list']
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
    this.shownColumns = null
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

  bulks(): readonly Bulk<Row>[] {
    return []
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#stop.abort()
  }

  get isFiltered(): boolean {
    return ['integration', ...this.filters].some((name) => this.query.get(name))
  }

  /** What the endpoint is asked for, by the address. */
  asked(): Record<string, string> {
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

  /** Those that somebody wants to see. */
  #columns(): ListColumn<Row>[] {
    return chosenOf<ListColumn<Row>>(this.columns(), this.shownColumns)
  }

  showColumns = (columns: readonly string[] | null) => {
    this.shownColumns = columns
    keepColumns(this.me.id, this.file, columns)
  }

  override willUpdate(changed: Map<PropertyKey, unknown>) {
    super.willUpdate(changed)
    if (changed.has('query')) this.chosen = new Set()
    if (!changed.has('params')) return
    this.shownColumns = readColumns(this.me.id, this.file)
    void this.#views.read()
  }

  /** What tells a row from the others of its shop. */
  nameOf(row: Row): string | number {
    return row.id ?? ''
  }

  #keyOf = (row: Row): string => `${row.integration.id} ${this.nameOf(row)}`

  /** All that fits the filters, or the rows that were chosen. */
  #save = async (rows: readonly Row[] | null) => {
    this.#stop = new AbortController()
    // Whoever looks for something else meanwhile still gets what was asked for.
    const asked = this.asked()
    this.refusal = null
    this.busy = 'Saving …'
    try {
      const lines = await saveCsv<Row>({
        name: `${this.file}-${new Date().toISOString().slice(0, 10)}`,
        columns: this.#columns(),
        stop: this.#stop.signal,
        read: async (after) => {
          if (rows) return { rows, next: null }
          const { data, meta } = await this.read({ ...asked, limit: perPiece, ...(after && { cursor: after }) })
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

  /** One after the other, until somebody stops it or leaves; the first that is refused is shown, and stays chosen with whatever comes after it. */
  #actOnChosen = async (bulk: Bulk<Row>, rows: readonly Row[]) => {
    this.#stop = new AbortController()
    const { signal } = this.#stop
    this.refusal = null
    let done = 0
    try {
      for (const row of rows) {
        if (signal.aborted) break
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

  override show({ data, meta, chosen }: Shown<Row>): TemplateResult {
    const columns = this.#columns()
    return html`<div class="bar"><h1>${this.heading}</h1><div>${this.actions()}</div></div>
      ${this.intro === nothing ? nothing : html`<p class="muted">${this.intro}</p>`}
      <div class="row filters">${everyShop(this.app, chosen)}${this.filterFields()}</div>
      <div class="row">
        ${this.#views.menu()}
        ${columnMenu({ columns: this.columns(), chosen: this.shownColumns, onChange: this.showColumns })}
        ${
          this.busy === null
            ? html`<button ?disabled=${data.length === 0} @click=${() => void this.#save(null)}>${icon('upload')}Save as CSV</button>`
            : html`<span role="status">${this.busy}</span><button @click=${() => this.#stop.abort()}>Stop</button>`
        }
      </div>
      ${this.#views.dialog()}
      ${this.refusal ? problem(this.refusal) : nothing}
      ${selectionBar<Row>({
        chosen: data.filter((row) => this.chosen.has(this.#keyOf(row))),
        bulks: this.bulks(),
        busy: this.busy !== null,
        onAct: (bulk, rows) => void this.#actOnChosen(bulk, rows),
        onSave: () => void this.#save(data.filter((row) => this.chosen.has(this.#keyOf(row)))),
        onClear: () => {
          this.chosen = new Set()
        },
      })}
      ${table<Row>({
        caption: this.heading,
        rows: data,
        link: (row) => this.link(row),
        empty: this.nothingHere(),
        columns,
        select: {
          able: () => true,
          chosen: (row) => this.chosen.has(this.#keyOf(row)),
          label: (row) => `Select ${String(columns[0]?.csv(row) ?? '')}`,
          toggle: this.#choose,
        },
      })}
      ${this.#pager(meta.next_cursor)}${this.#asking(data)}`
  }

  /** Chosen elsewhere, for whatever fits: asked once more, with what it will be done to in sight. */
  #asking(data: readonly Row[]): TemplateResult | typeof nothing {
    const bulk = this.bulks().find(({ name }) => name !== undefined && name === this.query.get('do'))
    const rows = bulk ? data.filter(bulk.able) : []
    if (!bulk || rows.length === 0) return nothing
    const end = () => changeQuery({ do: null }, { replace: true })
    return html`<ep-dialog heading=${bulk.question?.(rows.length) ?? bulk.label} open @close=${end}>
      <p>${rows.length === data.length ? 'All that is on this page.' : `${rows.length} of the ${data.length} on this page.`}</p>
      <button slot="actions" class="primary" autofocus @click=${() => {
        end()
        void this.#actOnChosen(bulk, rows)
      }}>${bulk.label}</button>
    </ep-dialog>`
  }

  #choose = (rows: readonly Row[], on: boolean) => {
    const keys = rows.map(this.#keyOf)
    const others = [...this.chosen].filter((key) => !keys.includes(key))
    this.chosen = new Set(on ? [...others, ...keys] : others)
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
  select(label: string, name: string, options: readonly (readonly [string, string])[], all = 'All'): TemplateResult {
    const value = this.query.get(name) ?? ''
    return html`<label class="row">${label}
      <select ${settled((chosen) => changeQuery({ [name]: chosen, after: null }))}>
        <option value="" .selected=${value === ''}>${all}</option>
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
    selectionStyles,
    css`
      input[type='date'] {
        width: auto;
      }
      .view {
        justify-content: space-between;
        flex-wrap: nowrap;
      }
      .view a {
        flex: 1;
        overflow-wrap: anywhere;
      }
      .view a[aria-current] {
        font-weight: 600;
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
