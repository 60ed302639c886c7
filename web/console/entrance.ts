import { css, html, type TemplateResult } from 'lit'
import { buttons, fields } from '../design/tokens.ts'
import { Element } from '../parts/element.ts'
import { problems } from '../parts/problem.ts'
import iconUrl from './icon.svg'

/** What stands before the console: one card in the middle, for somebody who is not signed in. */
export abstract class Entrance extends Element {
  static override properties = { failure: { state: true }, busy: { state: true } }
  declare failure: unknown
  declare busy: boolean
  abstract readonly pageTitle: string

  constructor() {
    super()
    this.failure = null
    this.busy = false
  }

  abstract content(): TemplateResult

  override connectedCallback() {
    super.connectedCallback()
    document.title = `${this.pageTitle} · Entrepot`
  }

  /** One thing at a time; what goes wrong is shown. */
  protected async attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true
    this.failure = null
    try {
      await work()
    } catch (error) {
      this.failure = error
    }
    this.busy = false
  }

  override render(): TemplateResult {
    return html`<main><div class="card"><img src=${iconUrl} alt="" width="40" height="40" />${this.content()}</div></main>`
  }

  /** What was refused is shown at its field, and that is where the next try begins. */
  override updated(changed: Map<PropertyKey, unknown>) {
    if (changed.has('failure')) this.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    problems,
    css`
      /* Also in the frame of the console, whose first column is the bar at the side. */
      :host {
        grid-column: 1 / -1;
      }
      main {
        display: grid;
        place-items: center;
        min-height: 100dvh;
        padding: 16px;
      }
      .card,
      form {
        display: grid;
        gap: 16px;
      }
      .card {
        width: min(400px, 100%);
        padding: 28px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
        overflow-wrap: anywhere;
      }
      p {
        margin: 0;
      }
    `,
  ]
}
