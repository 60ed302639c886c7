import { css, html, nothing, type TemplateResult } from 'lit'
import { type IconName, icon } from '../../parts/icons.ts'

/** What can be done to several rows at once. */
export interface Bulk<Row> {
  /** “Try again”. */
  label: string
  /** Where it can be asked for by the address, for all that are in sight: `?do=retry`. */
  name?: string
  /** “Try 10 messages again?” */
  question?: (n: number) => string
  icon?: IconName
  able: (row: Row) => boolean
  act: (row: Row) => Promise<unknown>
  /** “3 messages are processed again.” */
  done: (n: number) => string
}

/** Of what was chosen each action takes what it can be done to, and says so where that is not all. */
export function selectionBar<Row>(options: {
  chosen: readonly Row[]
  bulks: readonly Bulk<Row>[]
  busy: boolean
  onAct: (bulk: Bulk<Row>, rows: readonly Row[]) => void
  /** Where rows are worth a file. */
  onSave?: () => void
  onClear: () => void
}): TemplateResult | typeof nothing {
  const { chosen, bulks, busy, onAct, onSave, onClear } = options
  if (chosen.length === 0) return nothing
  const figure = (n: number) => n.toLocaleString('en')
  return html`<div class="row chosen" role="group" aria-label="Selected">
    <span role="status">${figure(chosen.length)} selected</span>
    ${bulks.map((bulk) => {
      const rows = chosen.filter(bulk.able)
      const some = rows.length < chosen.length ? ` (${figure(rows.length)} of ${figure(chosen.length)})` : ''
      return html`<button class="primary" ?disabled=${busy || rows.length === 0} @click=${() => onAct(bulk, rows)}>${icon(bulk.icon ?? 'refresh')}${bulk.label}${some}</button>`
    })}
    ${onSave ? html`<button ?disabled=${busy} @click=${onSave}>${icon('upload')}Save selected as CSV</button>` : nothing}
    <button @click=${onClear}>Clear</button>
  </div>`
}

export const selectionStyles = css`
  .chosen {
    padding: 8px 12px;
    border-radius: var(--_radius);
    background: var(--_accent-soft);
  }
`
