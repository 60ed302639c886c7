import { css, html, nothing, type TemplateResult } from 'lit'
import { icon } from './icons.ts'

export interface Column<Row> {
  head: string
  cell: (row: Row) => unknown
  /** Figures stand under each other. */
  number?: boolean
  /** Left out on narrow screens. */
  wide?: boolean
  /** Holds buttons: on a phone they have a line of their own, and speak for themselves. */
  actions?: boolean
}

/** Rows that something can be done to, several at once. */
export interface Selection<Row> {
  able: (row: Row) => boolean
  chosen: (row: Row) => boolean
  toggle: (rows: readonly Row[], on: boolean) => void
  label: (row: Row) => string
}

const isOn = (event: Event): boolean => (event.target as HTMLInputElement).checked

function selectAll<Row>({ able, chosen, toggle }: Selection<Row>, rows: readonly Row[]): TemplateResult {
  const some = rows.filter(able)
  return html`<th scope="col" class="select" data-label="Select all"><input type="checkbox" aria-label="Select all" ?disabled=${some.length === 0}
    .checked=${some.length > 0 && some.every(chosen)} @change=${(event: Event) => toggle(some, isOn(event))} /></th>`
}

const selectOne = <Row>({ able, chosen, toggle, label }: Selection<Row>, row: Row): TemplateResult =>
  html`<td class="select">${
    able(row)
      ? html`<input type="checkbox" aria-label=${label(row)} .checked=${chosen(row)} @change=${(event: Event) => toggle([row], isOn(event))} />`
      : nothing
  }</td>`

/** A table whose first column leads to the row's own page, if `link` says where that is. */
export function table<Row>(options: {
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  link?: (row: Row) => string | null
  select?: Selection<Row>
  empty: TemplateResult
}): TemplateResult {
  const { columns, rows, link, select } = options
  if (rows.length === 0) return options.empty
  const classOf = ({ number, wide, actions }: Column<Row>) =>
    `${number ? 'number' : ''} ${wide ? 'wide' : ''} ${actions ? 'actions' : ''}`
  const first = (row: Row, cell: unknown) => {
    const address = link?.(row)
    return address ? html`<a href=${address}>${cell}</a>` : cell
  }
  return html`<div class="table" tabindex="0" role="region" aria-label=${options.caption}>
    <table>
      <caption class="visually-hidden">${options.caption}</caption>
      <thead>
        <tr>${select ? selectAll(select, rows) : nothing}${columns.map((column) => html`<th scope="col" class=${classOf(column)}>${column.head}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>${select ? selectOne(select, row) : nothing}${columns.map((column, n) => html`<td class=${classOf(column)} data-label=${column.head}>${n === 0 ? first(row, column.cell(row)) : column.cell(row)}</td>`)}</tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

/** What a list without entries says: what it is for, and what to do next. */
export const empty = (title: string, text: string, action: TemplateResult | typeof nothing = nothing) =>
  html`<div class="empty"><h2>${title}</h2><p class="muted">${text}</p>${action}</div>`

export interface Meta {
  current_page: number
  last_page: number
  from: number | null
  to: number | null
  total: number
  /** There are more than were counted. */
  total_exact?: false
}

/** "41–60 of 1,203", or "of more than 10,000", and the way to the pages beside. Where a page has several lists, each has a name. */
export function pager(meta: Meta, go: (page: number) => void, label = 'Pages'): TemplateResult | typeof nothing {
  if (meta.last_page <= 1) return nothing
  const figure = (n: number | null) => (n ?? 0).toLocaleString('en')
  const total = meta.total_exact === false ? `more than ${figure(meta.total - 1)}` : figure(meta.total)
  return html`<nav class="pager" aria-label=${label}>
    <span class="muted small">${figure(meta.from)}–${figure(meta.to)} of ${total}</span>
    <button ?disabled=${meta.current_page <= 1} @click=${() => go(meta.current_page - 1)}>${icon('back')}Previous</button>
    <button ?disabled=${meta.current_page >= meta.last_page} @click=${() => go(meta.current_page + 1)}>Next${icon('chevron')}</button>
  </nav>`
}

export const tables = css`
  .table {
    min-width: 0;
    overflow-x: auto;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-card);
    background: var(--_surface);
  }
  table {
    width: 100%;
    border-collapse: collapse;
    font-size: 13px;
    line-height: 20px;
  }
  th {
    padding: 8px 12px;
    color: var(--_muted);
    font-weight: 500;
    text-align: start;
    white-space: nowrap;
    background: var(--_sunken);
  }
  td {
    padding: 8px 12px;
    border-top: 1px solid var(--_line);
    vertical-align: middle;
    max-width: 420px;
    overflow-wrap: anywhere;
  }
  td:first-child:not(.select),
  .select + td {
    min-width: 120px;
  }
  .select {
    width: 1px;
  }
  th.number {
    text-align: end;
  }
  tbody tr:hover {
    background: var(--_hover);
  }
  td > a:first-child {
    font-weight: 500;
    color: var(--_text);
    text-decoration: none;
  }
  td > a:first-child:hover {
    text-decoration: underline;
  }
  .empty {
    display: grid;
    justify-items: center;
    gap: 8px;
    padding: 40px 20px;
    border: 1px dashed var(--_line-strong);
    border-radius: var(--_radius-card);
    text-align: center;
  }
  .empty p {
    max-width: 460px;
  }
  .pager {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: flex-end;
    gap: 8px;
  }
  /* On a phone each row is a card: what it is first, then a line for each thing that is known of it. */
  @media (max-width: 720px) {
    .table {
      border: 0;
      background: none;
    }
    .table table,
    .table tbody {
      display: grid;
      gap: 8px;
    }
    .table thead th:not(.select) {
      display: none;
    }
    .table thead tr {
      display: block;
    }
    .table thead th.select {
      display: flex;
      align-items: center;
      justify-content: flex-end;
      gap: 8px;
      width: auto;
      padding-block: 0;
      background: none;
    }
    .table thead th.select::before {
      content: attr(data-label);
    }
    .table tbody tr {
      position: relative;
      display: grid;
      padding: 6px 12px;
      border: 1px solid var(--_line);
      border-radius: var(--_radius-card);
      background: var(--_surface);
    }
    .table td {
      display: flow-root;
      max-width: none;
      padding: 3px 0;
      border: 0;
      text-align: end;
    }
    .table td::before {
      content: attr(data-label);
      float: inline-start;
      margin-inline-end: 16px;
      color: var(--_muted);
    }
    .table td:empty {
      display: none;
    }
    .table td:first-child::before,
    .table td.actions::before,
    .table td.select::before,
    .table td.select + td::before {
      content: none;
    }
    .table td.select + td {
      min-height: 28px;
    }
    .table td:first-child,
    .table td.select + td {
      padding-inline-end: 32px;
      font-size: 14px;
      text-align: start;
    }
    .table td.actions {
      padding-block: 6px;
      text-align: start;
    }
    .table td.select {
      position: absolute;
      inset-block-start: 8px;
      inset-inline-end: 12px;
      z-index: 1;
      width: auto;
      min-width: 0;
      padding: 0;
    }
    /* For fingers. */
    .table .select input {
      width: 24px;
      height: 24px;
    }
    .table td.wide {
      display: none;
    }
  }
`
