import { css, html, nothing, type TemplateResult } from 'lit'
import { buttons } from '../design/tokens.ts'
import { define, Element, emit } from './element.ts'
import { icon } from './icons.ts'

/**
 * A question in front of the page, on the browser's own dialog: the focus stays inside and comes back, Escape closes.
 * `<ep-dialog heading="…" ?open=${…} @close=${…}>` with content, and buttons in the slot `actions`. One that is `firm` is closed by
 * such a button alone: what it shows cannot be had again.
 */
export class Dialog extends Element {
  static override properties = { open: { type: Boolean }, heading: {}, closeLabel: {}, firm: { type: Boolean } }
  declare open: boolean
  declare heading: string
  declare closeLabel: string
  declare firm: boolean
  /** Which time it is that it is asked: what was sent the last time is not sent again by a second press. */
  asked = 0

  static override styles = [
    ...Element.styles,
    buttons,
    css`
      dialog {
        width: min(560px, calc(100vw - 24px));
        max-height: calc(100dvh - 24px);
        padding: 0;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
        color: var(--_text);
        box-shadow: var(--_shadow);
      }
      dialog[open] {
        display: flex;
        flex-direction: column;
      }
      dialog::backdrop {
        background: #0c0d1099;
      }
      header {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: 12px;
        padding-block: 12px;
        padding-inline: 20px 12px;
        border-bottom: 1px solid var(--_line);
      }
      header button {
        padding: 0 8px;
      }
      .content {
        flex: 1;
        min-height: 0;
        padding: 20px;
        overflow-y: auto;
        overflow-wrap: anywhere;
      }
      footer {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 8px;
        padding: 12px 20px;
        border-top: 1px solid var(--_line);
      }
    `,
  ]

  constructor() {
    super()
    this.open = false
    this.heading = ''
    this.closeLabel = 'Close'
    this.firm = false
  }

  override updated() {
    const dialog = this.renderRoot.querySelector('dialog')
    if (!dialog) return
    if (this.open && !dialog.open) {
      this.asked++
      dialog.showModal()
      // What is asked for comes first, not the way out; where nothing is, whoever asks says what Enter does.
      this.querySelector<HTMLElement>('input, select, textarea, button[autofocus]')?.focus()
    }
    if (!this.open && dialog.open) dialog.close()
  }

  #closed = () => {
    if (!this.open) return
    this.open = false
    emit(this, 'close', null)
  }

  #cancel = (event: Event) => {
    if (this.firm) event.preventDefault()
  }

  /** Browsers let a second Escape through. */
  #key = (event: KeyboardEvent) => {
    if (this.firm && event.key === 'Escape') event.preventDefault()
  }

  override render(): TemplateResult {
    return html`<dialog part="dialog" aria-labelledby="heading" @close=${this.#closed} @cancel=${this.#cancel} @keydown=${this.#key}>
      <header>
        <h2 id="heading">${this.heading}</h2>
        ${this.firm ? nothing : html`<button class="quiet" aria-label=${this.closeLabel} @click=${this.#closed}>${icon('cross')}</button>`}
      </header>
      <div class="content"><slot></slot></div>
      <footer><slot name="actions"></slot></footer>
    </dialog>`
  }
}
define('ep-dialog', Dialog)
