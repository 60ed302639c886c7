import { html, type TemplateResult } from 'lit'
import type { Column } from '../../parts/table.ts'
import '../../parts/menu.ts'

/** Which columns of a list somebody wants to see: kept in this browser, for each person and list. The first is always there. */

const keyOf = (person: number, list: string) => `entrepot.columns.${person}.${list}`

/** By their heads; null is as many as the list shows by itself. */
export function readColumns(person: number, list: string): readonly string[] | null {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(person, list)) ?? 'null')
    return Array.isArray(kept) ? kept.map(String) : null
  } catch {
    return null
  }
}

export function keepColumns(person: number, list: string, columns: readonly string[] | null): void {
  if (columns === null) localStorage.removeItem(keyOf(person, list))
  else localStorage.setItem(keyOf(person, list), JSON.stringify(columns))
}

/** Those that were chosen, also where there is little room: what somebody asked for is left out nowhere. */
export function chosenOf<Of extends Column<never>>(columns: readonly Of[], chosen: readonly string[] | null): Of[] {
  if (chosen === null) return [...columns]
  return columns.filter(({ head }, n) => n === 0 || chosen.includes(head)).map((column) => ({ ...column, wide: false }))
}

export function columnMenu(options: {
  columns: readonly { head: string }[]
  chosen: readonly string[] | null
  onChange: (chosen: readonly string[] | null) => void
}): TemplateResult {
  const { columns, chosen, onChange } = options
  const [, ...optional] = columns.map(({ head }) => head)
  const shown = (head: string) => chosen === null || chosen.includes(head)
  const toggle = (head: string) =>
    onChange([columns[0]?.head ?? '', ...optional.filter((one) => (one === head ? !shown(one) : shown(one)))])
  return html`<ep-menu label="Columns" icon="grid">
    ${optional.map(
      (head) =>
        html`<label class="row"><input type="checkbox" .checked=${shown(head)} @change=${() => toggle(head)} />${head}</label>`,
    )}
    <button ?disabled=${chosen === null} @click=${() => onChange(null)}>Show the usual ones</button>
  </ep-menu>`
}
