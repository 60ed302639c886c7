import { css, html } from 'lit'
import { define, Element } from './element.ts'

const steps: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 minutes ago", in the given language; below a minute it is "now". */
export function relativeTime(at: number, now: number, language: string): string {
  const seconds = Math.round((at - now) / 1000)
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  if (unit === 'second') return format.format(0, 'second')
  return format.format(Math.round(seconds / size), unit)
}

/** English as the reader has it, not as it is in America: the same language in the browser's own form. */
export const formOf = (language: string): string =>
  navigator.languages.find((one) => one.split('-')[0] === language) ?? language

export const exactTime = (at: Date, language: string): string =>
  new Intl.DateTimeFormat(formOf(language), { dateStyle: 'medium', timeStyle: 'medium' }).format(at)

/** One clock for all times on the page: they change together, and only when a minute has passed. */
const shown = new Set<Time>()
let timer: ReturnType<typeof setInterval> | undefined

let allExact = false

/** Exact times everywhere, for whoever reads logs beside them. */
export function showExactTimes(exact: boolean): void {
  allExact = exact
  for (const time of shown) time.requestUpdate()
}

/** A moment as people say it; the exact one on hover, by a click or touch, and for screen readers. */
class Time extends Element {
  static override properties = { at: {}, language: {}, exact: { type: Boolean } }
  declare at: string | null
  declare language: string
  declare exact: boolean

  static override styles = [
    ...Element.styles,
    css`
      :host {
        font: inherit;
        color: inherit;
      }
      time {
        white-space: nowrap;
      }
    `,
  ]

  constructor() {
    super()
    this.at = null
    this.language = ''
    this.exact = false
  }

  override connectedCallback() {
    super.connectedCallback()
    shown.add(this)
    timer ??= setInterval(() => {
      for (const time of shown) time.requestUpdate()
    }, 30_000)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    shown.delete(this)
    if (shown.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  override render() {
    if (!this.at)
      return html`<span aria-hidden="true">–</span><span class="visually-hidden">${never(this.language)}</span>`
    const at = new Date(this.at)
    const language = this.language || document.documentElement.lang || 'en'
    const exact = exactTime(at, language)
    const relative = relativeTime(at.getTime(), Date.now(), language)
    if (this.exact || allExact)
      return html`<time datetime=${this.at} title=${relative} @click=${this.#turn}>${exact}</time>`
    return html`<time datetime=${this.at} title=${exact} @click=${this.#turn}>${relative}<span class="visually-hidden">, ${exact}</span></time>`
  }

  #turn = () => {
    this.exact = !this.exact
  }
}
define('ep-time', Time)

const nevers: Readonly<Record<string, string>> = {
  de: 'nie',
  es: 'nunca',
  fr: 'jamais',
  it: 'mai',
  nl: 'nooit',
  pl: 'nigdy',
}
const never = (language: string) => nevers[language.slice(0, 2)] ?? 'never'

export const time = (at: string | null | undefined, options: { language?: string; exact?: boolean } = {}) =>
  html`<ep-time .at=${at ?? null} .language=${options.language ?? ''} .exact=${options.exact ?? false}></ep-time>`
