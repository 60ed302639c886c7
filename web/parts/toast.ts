import { css, html, type TemplateResult } from 'lit'
import { define, Element } from './element.ts'
import { icon } from './icons.ts'
import type { Tone } from './status.ts'

interface Toast {
  id: number
  text: string
  tone: Tone
}

const maxShown = 3

/** What has just happened, said once in the corner and to screen readers. Anything to act on belongs on the page. */
class Toasts extends Element {
  static override properties = { toasts: { state: true } }
  declare toasts: readonly Toast[]
  #next = 0

  constructor() {
    super()
    this.toasts = []
  }

  say(text: string, tone: Tone = 'positive'): void {
    const id = ++this.#next
    // The same again takes the place of what was said, and nobody reads more than a few.
    const others = this.toasts.filter((toast) => toast.text !== text)
    this.toasts = [...others, { id, text, tone }].slice(-maxShown)
    setTimeout(() => {
      this.toasts = this.toasts.filter((toast) => toast.id !== id)
    }, 6000)
  }

  override render(): TemplateResult {
    return html`<div role="status" aria-live="polite">
      ${this.toasts.map(({ text, tone }) => html`<p class=${tone}>${icon(tone === 'critical' ? 'warning' : 'check')}${text}</p>`)}
    </div>`
  }

  static override styles = [
    ...Element.styles,
    css`
      div {
        position: fixed;
        inset-block-end: 16px;
        inset-inline-end: 16px;
        display: grid;
        gap: 8px;
        z-index: 20;
        max-width: min(420px, calc(100vw - 32px));
      }
      p {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 10px 14px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
        background: var(--_surface);
        box-shadow: var(--_shadow);
      }
      .positive svg {
        color: var(--_positive);
      }
      .critical svg {
        color: var(--_critical);
      }
    `,
  ]
}
define('ep-toasts', Toasts)

/** From anywhere on the page. */
export function toast(text: string, tone: Tone = 'positive'): void {
  const existing = document.querySelector('ep-toasts')
  const toasts = existing ?? document.body.appendChild(document.createElement('ep-toasts'))
  ;(toasts as Toasts).say(text, tone)
}
