import { css, html, type TemplateResult } from 'lit'
import { buttons } from '../design/tokens.ts'
import { define, Element } from './element.ts'
import { type IconName, icon } from './icons.ts'

/**
 * A button with more behind it: choices, or ways to somewhere. `<ep-menu label="Columns" icon="grid">…</ep-menu>` shows its content
 * below the button; Escape, a click elsewhere and the focus leaving it close it.
 */
export class Menu extends Element {
  static override properties = { label: {}, icon: {}, open: { state: true } }
  declare label: string
  declare icon: IconName
  declare open: boolean

  constructor() {
    super()
    this.label = ''
    this.icon = 'menu'
    this.open = false
  }

  override connectedCallback() {
    super.connectedCallback()
    document.addEventListener('pointerdown', this.#elsewhere)
    this.addEventListener('focusout', this.#left)
    this.addEventListener('keydown', this.#key)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    document.removeEventListener('pointerdown', this.#elsewhere)
  }

  close(): void {
    this.open = false
  }

  #elsewhere = (event: Event) => {
    if (!event.composedPath().includes(this)) this.close()
  }

  #left = ({ relatedTarget: to }: FocusEvent) => {
    if (to instanceof Node && !this.contains(to) && !this.renderRoot.contains(to)) this.close()
  }

  #key = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !this.open) return
    event.stopPropagation()
    this.close()
    this.renderRoot.querySelector('button')?.focus()
  }

  override render(): TemplateResult {
    return html`<button aria-expanded=${this.open ? 'true' : 'false'} aria-controls="content" @click=${() => {
      this.open = !this.open
    }}>${icon(this.icon)}${this.label}${icon('down', 12)}</button>
      <div id="content" role="group" aria-label=${this.label} ?hidden=${!this.open}><slot></slot></div>`
  }

  static override styles = [
    ...Element.styles,
    buttons,
    css`
      :host {
        position: relative;
        display: inline-block;
      }
      #content:not([hidden]) {
        position: absolute;
        inset-block-start: calc(100% + 4px);
        inset-inline-start: 0;
        z-index: 15;
        display: grid;
        gap: 4px;
        min-width: 220px;
        max-width: min(360px, calc(100vw - 32px));
        max-height: min(420px, 70dvh);
        padding: 10px 12px;
        overflow-y: auto;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
        box-shadow: var(--_shadow);
      }
      @media (max-width: 720px) {
        :host {
          position: static;
        }
        #content:not([hidden]) {
          inset-block-start: auto;
          inset-inline: 16px;
          max-width: none;
        }
      }
    `,
  ]
}
define('ep-menu', Menu)
