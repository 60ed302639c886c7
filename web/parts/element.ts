import { LitElement } from 'lit'
import { base, tokens } from '../design/tokens.ts'

/** What all elements of ours share: the tokens, and nothing of the page around them. */
export const sheet = [tokens, base]

/** A class once it is written, under its name; twice does no harm, as when a page loads the script twice. */
export function define(name: string, element: CustomElementConstructor): void {
  if (!customElements.get(name)) customElements.define(name, element)
}

/** For the host page: crosses the borders of shadow trees. */
export function emit(element: HTMLElement, type: string, detail: unknown): void {
  element.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }))
}

export class Element extends LitElement {
  static override styles = sheet
}
