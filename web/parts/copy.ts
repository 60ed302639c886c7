import { css, html, type TemplateResult } from 'lit'
import { buttons } from '../design/tokens.ts'
import { define, Element } from './element.ts'
import { icon } from './icons.ts'

/** Browsers give no clipboard to pages without TLS, but they still copy what is selected. */
export async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) return await navigator.clipboard.writeText(text)
  const area = document.body.appendChild(document.createElement('textarea'))
  area.value = text
  area.select()
  document.execCommand('copy')
  area.remove()
}

/** `<ep-copy text="…">`: a piece of text that is copied with a click. */
class Copy extends Element {
  static override properties = { text: {}, label: {}, copied: { state: true } }
  declare text: string
  declare label: string
  declare copied: boolean

  constructor() {
    super()
    this.text = ''
    this.label = 'Copy'
    this.copied = false
  }

  #copy = async () => {
    await copyText(this.text)
    this.copied = true
    setTimeout(() => {
      this.copied = false
    }, 1500)
  }

  override render(): TemplateResult {
    return html`<span><code>${this.text}</code>
      <button class="quiet" @click=${this.#copy} aria-label=${this.label}>${icon(this.copied ? 'check' : 'copy', 14)}</button>
      <span class="visually-hidden" role="status">${this.copied ? 'Copied' : ''}</span></span>`
  }

  static override styles = [
    ...Element.styles,
    buttons,
    css`
      span {
        display: inline-flex;
        align-items: center;
        gap: 4px;
        min-width: 0;
      }
      button {
        min-height: 24px;
        padding: 0 6px;
      }
    `,
  ]
}
define('ep-copy', Copy)

export const copy = (text: string, label = 'Copy') => html`<ep-copy .text=${text} .label=${label}></ep-copy>`
