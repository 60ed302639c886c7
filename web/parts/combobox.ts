import { css, html, nothing, type TemplateResult } from 'lit'
import { buttons, fields } from '../design/tokens.ts'
import { questions } from '../lib/overlaps.ts'
import { define, Element, emit } from './element.ts'
import { icon } from './icons.ts'

export interface Option {
  value: string
  text: string
  /** What tells two of the same name apart. */
  more?: string
}

/** So long nothing is asked while somebody types. */
const restMs = 150

/**
 * One of any number of things: what is typed is looked for where they all are. Arrows only walk through what was found;
 * nothing happens before Enter or a click, which emits `pick` with the value.
 */
class Combobox extends Element {
  static override properties = {
    label: {},
    value: {},
    shown: {},
    search: { attribute: false },
    found: { state: true },
    walked: { state: true },
    said: { state: true },
  }
  declare label: string
  declare value: string
  /** How the one that is chosen is called. */
  declare shown: string
  declare search: (text: string) => Promise<readonly Option[]>
  declare found: readonly Option[] | null
  declare walked: number
  declare said: string
  readonly #questions = questions()
  #rest: ReturnType<typeof setTimeout> | undefined
  /** Enter was pressed before there was an answer to what is typed. */
  #picksOnly = false

  constructor() {
    super()
    this.label = ''
    this.value = ''
    this.shown = ''
    this.search = async () => []
    this.found = null
    this.walked = -1
    this.said = ''
  }

  get #input(): HTMLInputElement | null {
    return this.renderRoot.querySelector('input')
  }

  async #look(text: string, counts: () => boolean) {
    try {
      const found = await this.search(text)
      if (!counts()) return
      this.found = found
      this.said = found.length === 0 ? 'Nothing is called that.' : ''
    } catch (error) {
      if (!counts()) return
      this.found = []
      this.said = error instanceof Error ? error.message : String(error)
    }
    this.walked = -1
    if (this.#picksOnly && this.found.length === 1) this.#pick(this.found[0])
    this.#picksOnly = false
  }

  #open = () => {
    if (this.found !== null) return
    this.#input?.select()
    void this.#look('', this.#questions.ask())
  }

  #type = () => {
    clearTimeout(this.#rest)
    // From now on, and not only once it is sent: what is found is not for what is typed.
    const counts = this.#questions.ask()
    this.#picksOnly = false
    this.walked = -1
    this.#rest = setTimeout(() => void this.#look(this.#input?.value.trim() ?? '', counts), restMs)
  }

  #close = () => {
    clearTimeout(this.#rest)
    this.#questions.drop()
    this.#picksOnly = false
    this.found = null
    this.walked = -1
    if (this.#input) this.#input.value = this.shown
  }

  #pick(option: Option | undefined) {
    this.#close()
    if (option && option.value !== this.value) emit(this, 'pick', option.value)
  }

  #key = (event: KeyboardEvent) => {
    const found = this.found ?? []
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      if (this.found === null) return this.#open()
      const step = event.key === 'ArrowDown' ? 1 : -1
      this.walked = (this.walked + step + found.length) % Math.max(found.length, 1)
    } else if (event.key === 'Enter' && this.found !== null) {
      event.preventDefault()
      // Whoever is quicker than the answer means what is typed, not what was found for the text before.
      if (this.#questions.waits && this.walked < 0) this.#picksOnly = true
      else this.#pick(found[this.walked] ?? (found.length === 1 ? found[0] : undefined))
    } else if (event.key === 'Escape' && this.found !== null) {
      event.preventDefault()
      event.stopPropagation()
      this.#close()
    }
  }

  override updated() {
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }

  override render(): TemplateResult {
    const { found, walked } = this
    return html`<label for="input">${this.label}</label>
      <div class="around">
        <input id="input" role="combobox" autocomplete="off" spellcheck="false" aria-autocomplete="list" aria-controls="list"
          aria-expanded=${found !== null} aria-activedescendant=${walked >= 0 ? `option-${walked}` : nothing}
          .value=${this.shown} @click=${this.#open} @input=${this.#type} @keydown=${this.#key} @blur=${this.#close} />
        ${icon('down', 14)}
        <ul id="list" role="listbox" aria-label=${this.label} ?hidden=${found === null || found.length === 0}>
          ${(found ?? []).map(
            (option, n) => html`<li id="option-${n}" role="option" aria-selected=${n === walked}
              @mousedown=${(event: Event) => event.preventDefault()} @click=${() => this.#pick(option)}>
              ${option.text}${option.more ? html` <span class="muted">${option.more}</span>` : nothing}
            </li>`,
          )}
        </ul>
        <p role="status" class=${this.said === '' || found === null ? 'visually-hidden' : 'said'}>${found === null ? '' : this.said || `${found.length} found`}</p>
      </div>`
  }

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        min-width: 0;
      }
      .around {
        position: relative;
        flex: 1 1 220px;
        min-width: 0;
        max-width: 420px;
      }
      .around > input {
        padding-inline-end: 32px;
        text-overflow: ellipsis;
      }
      .around > svg {
        position: absolute;
        inset-block-start: calc(var(--_control) / 2 - 7px);
        inset-inline-end: 9px;
        color: var(--_muted);
        pointer-events: none;
      }
      ul,
      .said {
        position: absolute;
        inset-block-start: calc(100% + 4px);
        inset-inline: 0;
        z-index: 15;
        max-height: 320px;
        margin: 0;
        padding: 4px;
        overflow-y: auto;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
        background: var(--_surface);
        box-shadow: var(--_shadow);
        list-style: none;
      }
      .said {
        padding: 8px 12px;
      }
      li {
        padding: 5px 8px;
        border-radius: var(--_radius);
        overflow-wrap: anywhere;
        cursor: pointer;
      }
      li:hover {
        background: var(--_hover);
      }
      li[aria-selected='true'] {
        background: var(--_accent-soft);
        color: var(--_accent);
      }
      @media (max-width: 720px) {
        :host {
          display: grid;
          gap: 4px;
          width: 100%;
        }
        .around {
          max-width: none;
        }
      }
    `,
  ]
}
define('ep-combobox', Combobox)
