import { html, type TemplateResult } from 'lit'

/** What somebody has written and not published stays in their browser. No key of a shop is part of a description. */

/** Several times what a description may have. */
const maxLength = 200_000

const keyOf = (person: number, service: string) => `entrepot.draft.${person}.${service}`

export function keptDraft(person: number, service: string): string | null {
  try {
    return localStorage.getItem(keyOf(person, service))
  } catch {
    return null
  }
}

/** Null forgets it. A browser that keeps nothing is no reason to stop. */
export function keepDraft(person: number, service: string, text: string | null): void {
  try {
    if (text === null || text.length > maxLength) localStorage.removeItem(keyOf(person, service))
    else localStorage.setItem(keyOf(person, service), text)
  } catch {
    return
  }
}

export const draftNotice = (discard: () => void): TemplateResult =>
  html`<div class="notice" role="status"><span>This is your draft, as you left it in this browser. It is not published.</span>
    <button type="button" @click=${discard}>Discard the draft</button></div>`
