import { css, html, nothing, type TemplateResult } from 'lit'
import { buttons, fields } from '../../design/tokens.ts'
import { questions } from '../../lib/overlaps.ts'
import { define, Element } from '../../parts/element.ts'
import { type IconName, icon } from '../../parts/icons.ts'
import { type Found, searchApp } from '../search.ts'
import { entriesOf, requestOf, soughtIn } from './found.ts'

/** One thing that can be gone to, or done. */
export interface Entry {
  kind: string
  icon: IconName
  text: string
  more?: string
  /** Further words by which it is found. */
  words?: string
  /** Of what the app holds: the text that it was found for. */
  foundFor?: string
  go: () => void
}

/** So long nothing is asked while somebody types. */
const restMs = 150
const minLetters = 2

/**
 * Finds anything: pages and actions by their names, and whatever the app holds by numbers, addresses and names. Opened by
 * Ctrl-K or ⌘-K; arrows walk, Enter goes there, Escape leaves.
 */
class Palette extends Element {
  static override properties = {
    app: { attribute: false },
    entries: { attribute: false },
    readFurther: { attribute: false },
    further: { state: true },
    open: { type: Boolean },
    text: { state: true },
    found: { state: true },
    asked: { state: true },
    said: { state: true },
    walked: { state: true },
  }
  declare app: string | null
  /** Pages and actions of whoever is signed in. */
  declare entries: readonly Entry[]
  /** What has to be asked for: it is, when somebody opens the palette, and found once something is typed. */
  declare readFurther: (() => Promise<Entry[]>) | null
  declare further: readonly Entry[]
  declare open: boolean
  declare text: string
  declare found: Found | null
  /** What `found` is the answer to. */
  declare asked: string
  declare said: string
  declare walked: number
  readonly #questions = questions()
  #rest: ReturnType<typeof setTimeout> | undefined
  /** Enter was pressed before there was an answer to what is typed. */
  #picksFirst = false

  constructor() {
    super()
    this.app = null
    this.entries = []
    this.readFurther = null
    this.further = []
    this.open = false
    this.text = ''
    this.found = null
    this.asked = ''
    this.said = ''
    this.walked = 0
  }

  override connectedCallback() {
    super.connectedCallback()
    addEventListener('keydown', this.#shortcut)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    removeEventListener('keydown', this.#shortcut)
    clearTimeout(this.#rest)
  }

  #shortcut = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
    event.preventDefault()
    this.open = !this.open
  }

  override updated(changed: Map<PropertyKey, unknown>) {
    const dialog = this.renderRoot.querySelector('dialog')
    if (changed.has('open') && dialog) {
      if (this.open && !dialog.open) {
        dialog.showModal()
        this.renderRoot.querySelector('input')?.select()
        void this.#lookFurther()
      }
      if (!this.open && dialog.open) dialog.close()
    }
    this.renderRoot.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }

  /** What could not be read is not offered; its page says why. */
  async #lookFurther() {
    this.further = (await this.readFurther?.().catch(() => [])) ?? []
  }

  #type = (event: InputEvent) => {
    this.text = (event.target as HTMLInputElement).value.trim()
    this.walked = 0
    this.#picksFirst = false
    clearTimeout(this.#rest)
    this.#questions.drop()
    if (this.app === null || soughtIn(this.text).sought.length < minLetters) {
      this.found = null
      this.said = ''
      return
    }
    this.#rest = setTimeout(() => void this.#look(this.text), restMs)
  }

  async #look(text: string) {
    const counts = this.#questions.ask()
    try {
      const found = await searchApp(this.app ?? '', soughtIn(text).sought)
      if (!counts()) return
      this.found = found
      this.asked = text
      this.said = ''
      if (this.#picksFirst) this.#enter(this.#shown[0])
    } catch (error) {
      if (!counts()) return
      this.found = null
      this.said = error instanceof Error ? error.message : String(error)
    }
  }

  get #shown(): readonly Entry[] {
    const wanted = this.text.toLowerCase().split(/\s+/)
    const named = (entries: readonly Entry[]) =>
      entries.filter(({ text, words = '' }) => {
        const name = `${text} ${words}`.toLowerCase()
        return wanted.every((word) => name.includes(word))
      })
    if (this.text === '') return named(this.entries)
    const { app, found, asked, text } = this
    const sought = app !== null && found !== null ? entriesOf({ app, found, asked, text }) : []
    // What needs no answer of the service stands first: nothing moves away under whoever is about to choose it.
    return [...requestOf(text, app), ...sought, ...named([...this.entries, ...this.further])]
  }

  #pick(entry: Entry | undefined) {
    if (!entry) return
    this.open = false
    entry.go()
  }

  /** Whoever is quicker than the answer means what is typed, not what was found for the text before. */
  #enter(entry: Entry | undefined) {
    this.#picksFirst = this.open && entry?.foundFor !== undefined && entry.foundFor !== this.text
    if (this.open && !this.#picksFirst) this.#pick(entry)
  }

  #key = (event: KeyboardEvent) => {
    const shown = this.#shown
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0) {
      event.preventDefault()
      this.walked = (this.walked + step + shown.length) % Math.max(shown.length, 1)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      this.#enter(shown[this.walked])
    }
  }

  #closed = () => {
    this.open = false
    this.#picksFirst = false
  }

  /** Beside what it shows. */
  #outside = (event: MouseEvent) => {
    if (event.target === event.currentTarget) this.open = false
  }

  override render(): TemplateResult {
    const shown = this.open ? this.#shown : []
    const kinds = [...Map.groupBy(shown, ({ kind }) => kind)]
    const waits =
      this.app !== null &&
      soughtIn(this.text).sought.length >= minLetters &&
      this.asked !== this.text &&
      this.said === ''
    return html`<dialog aria-label="Find anything" @close=${this.#closed} @click=${this.#outside}>
      <div class="inside">
        <div class="line">
          ${icon('search')}
          <input role="combobox" aria-label="Find anything" aria-autocomplete="list" aria-controls="list" aria-expanded=${shown.length > 0}
            aria-activedescendant=${shown.length > 0 ? `entry-${this.walked}` : nothing} autocomplete="off" spellcheck="false"
            placeholder="Order number, email, tracking number, SKU, shop, page …" @input=${this.#type} @keydown=${this.#key} />
          <button class="quiet" @click=${this.#closed}>Close</button>
        </div>
        <div id="list" role="listbox" aria-label="Found" ?hidden=${shown.length === 0}>
          ${kinds.map(
            ([kind, entries]) => html`<div role="group" aria-label=${kind}>
              <p class="kind" aria-hidden="true">${kind}</p>
              ${entries.map((entry) => this.#option(entry, shown.indexOf(entry)))}
            </div>`,
          )}
        </div>
        <p class="said" role="status">${this.said || (waits ? 'Looking …' : shown.length === 0 ? 'Nothing fits. Numbers and SKUs are looked for as a whole.' : '')}</p>
      </div>
    </dialog>`
  }

  #option(entry: Entry, n: number): TemplateResult {
    return html`<div id="entry-${n}" class="entry" role="option" aria-selected=${n === this.walked} @click=${() => this.#pick(entry)}>
      ${icon(entry.icon)}<span>${entry.text}${entry.more ? html` <span class="muted small">${entry.more}</span>` : nothing}</span>
    </div>`
  }

  static override styles = [
    ...Element.styles,
    buttons,
    fields,
    css`
      /* No place of its own among the side bar and the page, whether it is open or not. */
      :host {
        display: contents;
      }
      dialog {
        width: min(640px, calc(100vw - 24px));
        max-height: min(560px, calc(100dvh - 24px));
        margin-block-start: min(12dvh, 96px);
        padding: 0;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
        color: var(--_text);
        box-shadow: var(--_shadow);
        overflow: hidden;
      }
      dialog::backdrop {
        background: #0c0d1099;
      }
      .inside {
        display: flex;
        flex-direction: column;
        max-height: min(558px, calc(100dvh - 26px));
      }
      .line {
        display: flex;
        align-items: center;
        gap: 8px;
        padding: 8px 8px 8px 16px;
        border-bottom: 1px solid var(--_line);
      }
      .line > svg {
        flex: none;
        color: var(--_muted);
      }
      input {
        border: 0;
        background: none;
        font-size: 16px;
      }
      #list {
        padding: 4px 8px;
        overflow-y: auto;
      }
      .kind {
        margin: 8px 8px 2px;
        color: var(--_muted);
        font: 500 12px / 16px var(--_font);
      }
      .entry {
        display: flex;
        align-items: center;
        gap: 10px;
        min-height: 36px;
        padding: 4px 8px;
        border-radius: var(--_radius);
        cursor: pointer;
      }
      .entry > svg {
        flex: none;
        color: var(--_muted);
      }
      .entry span {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .entry:hover {
        background: var(--_hover);
      }
      .entry[aria-selected='true'] {
        background: var(--_accent-soft);
        color: var(--_accent);
      }
      .entry[aria-selected='true'] .muted,
      .entry[aria-selected='true'] svg {
        color: inherit;
      }
      .said {
        margin: 0;
        padding: 8px 16px;
        color: var(--_muted);
      }
      .said:empty {
        padding: 0 0 4px;
      }
      @media (pointer: coarse) {
        .entry {
          min-height: 44px;
        }
      }
    `,
  ]
}
define('ep-palette', Palette)
