import { html, nothing, type TemplateResult } from 'lit'
import '../parts/dialog.ts'
import { problem } from '../parts/problem.ts'
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
  /** What was typed is no count. */
  wrong: boolean
  /** Why it was not saved. */
  refusal: unknown
}

const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

export const newCount = (article: Article): Count => ({
  key: newKey(),
  article,
  ...{ quantity: '', place: '', note: '', busy: false, wrong: false, refusal: null },
})

/** What was sent may have been booked without our hearing of it: something else is another count. */
export const changed = (count: Count, changes: Partial<Count>): Count => ({
  ...count,
  ...changes,
  wrong: false,
  ...(count.refusal !== null && { key: newKey(), refusal: null }),
})

export function countDialog(
  { article, quantity, place, note, busy, wrong, refusal }: Count,
  {
    words: all,
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
  const { stock: words, cancel, close, optional } = all
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
      ${refusal === null ? nothing : problem(refusal, { words: all })}
      <div class="field">
        <label for="counted">${words.counted}</label>
        <input id="counted" inputmode="numeric" autocomplete="off" .value=${quantity} aria-invalid=${wrong}
          aria-describedby="counted-help" @input=${(event: Event) => onChange({ quantity: textIn(event).trim() })} />
        <p class=${wrong ? 'field-error' : 'field-help'} id="counted-help" role=${wrong ? 'alert' : nothing}>${wrong ? words.wrong : words.countHelp}</p>
      </div>
      ${where}
      <div class="field"><label for="note">${words.note} <span class="muted small">${optional}</span></label>
        <input id="note" maxlength="200" .value=${note} @input=${(event: Event) => onChange({ note: textIn(event) })} /></div>
    </form>
    <button slot="actions" @click=${onClose}>${cancel}</button>
    <button slot="actions" class="primary" form="count" ?disabled=${busy}>${words.save}</button>
  </ep-dialog>`
}
