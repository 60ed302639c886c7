import { css, html, nothing, type PropertyValues, unsafeCSS } from 'lit'
import uPlot from 'uplot'
import ownSheet from 'uplot/dist/uPlot.min.css?inline'
import { buttons } from '../design/tokens.ts'
import { define, Element } from './element.ts'

export interface Series {
  name: string
  /** One of the tokens, such as `--_accent`. */
  colour: string
  /** One for each step; null where there is nothing to show. */
  values: readonly (number | null)[]
}

const height = 140

/**
 * Something counted or measured, minute by minute, hour by hour or day by day. Bars stand upon each other, lines do not.
 * What holds until it changes is drawn in stairs (`stairs`). Drawing over a part of it with the pointer enlarges that part. The picture is for the eyes; the same figures stand in a
 * table for everybody else.
 */
class Chart extends Element {
  static override properties = {
    heading: {},
    steps: { attribute: false },
    unit: {},
    step: {},
    series: { attribute: false },
    lines: { type: Boolean },
    stairs: { type: Boolean },
    over: { state: true },
    zoomed: { state: true },
  }
  declare heading: string
  /** When each step begins, oldest first. */
  declare steps: readonly string[]
  /** What is counted, such as `orders`. */
  declare unit: string
  declare step: 'minute' | 'hour' | 'day'
  declare series: readonly Series[]
  declare lines: boolean
  declare stairs: boolean
  /** The step under the pointer. */
  declare over: number | null
  declare zoomed: boolean

  #plot: uPlot | null = null
  #shape = ''
  readonly #resized = new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0)
    if (width > 0) this.#plot?.setSize({ width, height })
  })
  readonly #scheme = matchMedia('(prefers-color-scheme: dark)')
  readonly #redraw = () => void this.#plot?.redraw()

  constructor() {
    super()
    this.heading = ''
    this.steps = []
    this.unit = ''
    this.step = 'hour'
    this.series = []
    this.lines = false
    this.stairs = false
    this.over = null
    this.zoomed = false
  }

  override connectedCallback() {
    super.connectedCallback()
    this.#scheme.addEventListener('change', this.#redraw)
  }

  override disconnectedCallback() {
    super.disconnectedCallback()
    this.#scheme.removeEventListener('change', this.#redraw)
    this.#resized.disconnect()
    this.#plot?.destroy()
    this.#plot = null
    this.#shape = ''
  }

  override updated(changed: PropertyValues) {
    if (!(changed.has('steps') || changed.has('series'))) return
    const holder = this.renderRoot.querySelector<HTMLElement>('.plot')
    if (!holder) return
    const shape = [this.lines, this.step, ...this.series.map(({ name }) => name)].join()
    if (this.#plot && this.#shape === shape) {
      this.#plot.setData(this.#data(), !this.zoomed)
      return
    }
    this.#plot?.destroy()
    this.#shape = shape
    this.#plot = new uPlot(this.#options(holder.clientWidth || 400), this.#data(), holder)
    this.#resized.observe(holder)
  }

  override render() {
    const { over } = this
    return html`<figure>
      <figcaption>
        <h2>${this.heading}</h2>
        ${this.zoomed ? html`<button class="quiet small" @click=${this.#whole}>Show the whole range</button>` : nothing}
        <ul>${this.series.map(
          ({ name, colour, values }) => html`<li class="small">
            <svg width="10" height="10" aria-hidden="true"><rect width="10" height="10" rx="2" fill="var(${colour})"></rect></svg>
            ${name}${over === null ? nothing : html` <strong>${this.#said(values[over])}</strong>`}
          </li>`,
        )}
        ${over === null ? nothing : html`<li class="small when">${this.#label(over)}</li>`}</ul>
      </figcaption>
      <div class="plot" aria-hidden="true"></div>
      <div class="visually-hidden"><table>
        <caption>${this.heading}</caption>
        <thead><tr><th scope="col">From</th>${this.series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
        <tbody>
          ${this.steps.map((_, n) => html`<tr><th scope="row">${this.#label(n)}</th>${this.series.map(({ values }) => html`<td>${this.#said(values[n])}</td>`)}</tr>`)}
        </tbody>
      </table></div>
    </figure>`
  }

  readonly #whole = () => {
    this.zoomed = false
    this.#plot?.setData(this.#data(), true)
  }

  #said(value: number | null | undefined): string {
    return value === null || value === undefined ? '–' : `${value.toLocaleString('en')} ${this.unit}`
  }

  #label(n: number): string {
    const at = this.steps[n]
    if (at === undefined) return ''
    const date = { weekday: 'short', day: 'numeric', month: 'short' } as const
    const options = this.step === 'day' ? date : ({ ...date, hour: '2-digit', minute: '2-digit' } as const)
    return new Intl.DateTimeFormat('en-GB', options).format(new Date(at))
  }

  /** Bars upon each other: each series is drawn up to the sum of those below it, the highest first. */
  #data(): uPlot.AlignedData {
    const times = this.steps.map((at) => Date.parse(at) / 1000)
    if (this.lines) return [times, ...this.series.map(({ values }) => [...values])]
    const sums = this.steps.map(() => 0)
    const stacked = this.series.map(({ values }) =>
      values.map((value, n) => {
        const sum = (sums[n] ?? 0) + (value ?? 0)
        sums[n] = sum
        return sum
      }),
    )
    return [times, ...stacked.reverse()]
  }

  /** What stands at the side: counts speak for themselves, times do not. */
  #mark(value: number): string {
    if (this.unit !== 'ms') return value.toLocaleString('en')
    return value < 1000 ? `${value} ms` : `${value / 1000} s`
  }

  #options(width: number): uPlot.Options {
    const axis = {
      stroke: () => this.#colour('--_muted'),
      grid: { stroke: () => this.#colour('--_line'), width: 1 },
      ticks: { show: false },
      font: `12px ${getComputedStyle(this).fontFamily}`,
    }
    const drawn = this.lines ? this.series : this.series.toReversed()
    const line = this.stairs ? uPlot.paths.stepped?.({ align: 1 }) : uPlot.paths.linear?.()
    const paths = this.lines ? line : uPlot.paths.bars?.({ size: [0.8, 40], align: 1, radius: 0.15 })
    const day = { hour: '2-digit', minute: '2-digit' } as const
    const short = new Intl.DateTimeFormat('en-GB', day)
    const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
    return {
      width,
      height,
      // The last word below stands in the middle of its mark.
      padding: [8, 20, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: this.lines }, drag: { x: true, y: false, setScale: true } },
      scales: {
        x: { range: (_, min, max) => [min, this.lines ? max : max + this.#stepSeconds()] },
        y: { range: (_, __, max) => [0, niceTop(max)] },
      },
      axes: [
        {
          ...axis,
          size: 26,
          grid: { show: false },
          values: (_, splits) =>
            splits.map((at) => {
              const moment = new Date(at * 1000)
              const isMidnight = moment.getHours() === 0 && moment.getMinutes() === 0
              return this.step === 'day' || isMidnight ? date.format(moment) : short.format(moment)
            }),
        },
        {
          ...axis,
          size: 52,
          splits: (plot) => [0, (plot.scales['y']?.max ?? 0) / 2, plot.scales['y']?.max ?? 0],
          values: (_, splits) => splits.map((value) => this.#mark(value)),
        },
      ],
      series: [
        {},
        ...drawn.map(({ colour }) => ({
          ...(this.lines
            ? { stroke: () => this.#colour(colour), width: 2, spanGaps: true, points: { size: 4 } }
            : { fill: () => this.#colour(colour), width: 0, points: { show: false } }),
          ...(paths ? { paths } : {}),
        })),
      ],
      hooks: {
        setCursor: [
          (plot) => {
            this.over = plot.cursor.idx ?? null
          },
        ],
        setSelect: [
          (plot) => {
            if (plot.select.width > 0) this.zoomed = true
          },
        ],
      },
    }
  }

  #stepSeconds(): number {
    return { minute: 60, hour: 3600, day: 86_400 }[this.step]
  }

  /** A canvas knows nothing of the page's tokens. */
  #colour(token: string): string {
    const probe = this.renderRoot.querySelector<HTMLElement>('figure')
    if (!probe) return ''
    probe.style.setProperty('accent-color', `var(${token})`)
    const { accentColor } = getComputedStyle(probe)
    probe.style.removeProperty('accent-color')
    return accentColor
  }

  static override styles = [
    ...Element.styles,
    buttons,
    unsafeCSS(ownSheet),
    css`
      :host {
        display: block;
        min-width: 0;
      }
      figure {
        margin: 0;
        min-width: 0;
      }
      figcaption {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: 4px 16px;
        min-height: 44px;
        margin-bottom: 8px;
      }
      h2 {
        font: 600 14px / 22px var(--_font);
      }
      ul {
        display: flex;
        flex-wrap: wrap;
        gap: 4px 12px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        align-items: center;
        gap: 6px;
        color: var(--_muted);
        font-variant-numeric: tabular-nums;
      }
      strong {
        color: var(--_text);
        font-weight: 500;
      }
      .plot {
        height: ${height}px;
        direction: ltr;
      }
      .u-select {
        background: color-mix(in oklab, var(--_accent) 15%, transparent);
      }
      .u-hz .u-cursor-x,
      .u-vt .u-cursor-y {
        border-color: var(--_line-strong);
      }
    `,
  ]
}
define('ep-chart', Chart)

/** 2, 4 or 10 with zeros: a whole number, and half of it too. */
export function niceTop(value: number): number {
  if (!(value > 2)) return 2
  const power = 10 ** Math.floor(Math.log10(value))
  return [2, 4, 10, 20].map((each) => each * power).find((top) => top >= value) ?? 20 * power
}
