import { html, nothing, type TemplateResult } from 'lit'
import '../parts/dialog.ts'
import type { Article } from './stock-articles.ts'
import type { Words } from './words/index.ts'

/** A count that somebody is about to save. */
export interface Count {
  /** Sent again after an answer that was lost, it is the same count. */
  key: string
  article: Article
  quantity: string
  place: string
  note: string
  busy: boolean
  refusal: string | null
}

export const newCount = (article: Article): Count => ({
  key: Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join(''),
  article,
  ...{ quantity: '', place: '', note: '', busy: false, refusal: null },
})

export function countDialog(
  { article, quantity, place, note, busy, refusal }: Count,
  {
    words: { stock: words, cancel, close, optional },
    places,
    onChange,
    onSave,
    onClose,
  }: {
    words: Words
    places: readonly string[]
    onChange: (changes: Partial<Pick<Count, 'quantity' | 'place' | 'note'>>) => void
    onSave: () => void
    onClose: () => void
  },
): TemplateResult {
  const textIn = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSave()
  }
  const where =
    places.length > 1
      ? html`<div class="field"><label for="place">${words.place}</label>
          <select id="place" @change=${(event: Event) => onChange({ place: textIn(event) })}>
            ${places.map((name) => html`<option value=${name} .selected=${name === place}>${name}</option>`)}
          </select></div>`
      : nothing
  return html`<ep-dialog heading=${words.countTitle(article.name ?? article.sku)} .closeLabel=${close} open @close=${onClose}>
    <form id="count" class="stack" @submit=${submit}>
      <div class="field">
        <label for="counted">${words.counted}</label>
        <input id="counted" inputmode="numeric" autocomplete="off" .value=${quantity} aria-invalid=${refusal !== null}
          aria-describedby="counted-help" @input=${(event: Event) => onChange({ quantity: textIn(event).trim() })} />
        <p class=${refusal === null ? 'field-help' : 'field-error'} id="counted-help" role=${refusal === null ? nothing : 'alert'}>${refusal ?? words.countHelp}</p>
      </div>
      ${where}
      <div class="field"><label for="note">${words.note} <span class="muted small">${optional}</span></label>
        <input id="note" maxlength="200" .value=${note} @input=${(event: Event) => onChange({ note: textIn(event) })} /></div>
    </form>
    <button slot="actions" @click=${onClose}>${cancel}</button>
    <button slot="actions" class="primary" form="count" ?disabled=${busy}>${words.save}</button>
  </ep-dialog>`
}
