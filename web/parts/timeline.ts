import { css, html, nothing, type TemplateResult } from 'lit'
import { type IconName, icon } from './icons.ts'
import { exactTime } from './time.ts'

export type PassportSteps = readonly {
  at: string
  kind: string
  title: string
  status: string
  duration_ms: number | null
  details: unknown
  references?: Readonly<Record<string, number | null>>
}[]

const icons: Readonly<Record<string, IconName>> = { done: 'check', waiting: 'clock', failed: 'warning' }

interface Options {
  language: string
  label: string
  took: (text: string) => string
  /** In another language than the service's own. */
  said?: {
    title: (step: PassportSteps[number]) => string
    name: (detail: string) => string
    value: (detail: string, text: string) => string
    /** What the service says of itself, by its code. */
    reason?: ((reason: unknown) => string | null) | undefined
  }
  /** Where what a step refers to is shown. */
  links?: (references: Readonly<Record<string, number | null>>) => readonly { text: string; href: string }[]
}

/** Steps one below the other, each with its moment and how long it took to get there, if it took any time. */
export const timeline = (steps: PassportSteps, options: Options): TemplateResult =>
  html`<ol class="timeline" part="timeline" aria-label=${options.label}>
    ${steps.map(
      (step) => html`<li class=${step.status} part="step">
        <span class="dot">${icon(icons[step.status] ?? 'check', 12)}</span>
        <div>
          <p>${options.said?.title(step) ?? step.title}</p>
          <p class="small muted">
            <time datetime=${step.at}>${exactTime(new Date(step.at), options.language)}</time>
            ${step.duration_ms ? html` · ${options.took(duration(step.duration_ms, options.language))}` : nothing}
          </p>
          ${detailsOf(step.details, options)}
          ${linksOf(step, options)}
        </div>
      </li>`,
    )}
  </ol>`

function linksOf({ references }: PassportSteps[number], { links }: Options) {
  const found = references && links ? links(references) : []
  if (found.length === 0) return nothing
  return html`<p class="small">${found.map(({ text, href }) => html`<a href=${href}>${text}</a> `)}</p>`
}

function detailsOf(details: unknown, { said: words, language }: Options) {
  const entries = typeof details === 'object' && details !== null ? Object.entries(details) : []
  const { reason } = Object(details) as { reason?: unknown }
  const filled = entries.filter(([name, value]) => name !== 'reason' && value !== null && value !== '')
  if (filled.length === 0) return nothing
  return html`<dl class="small">${filled.map(
    ([name, value]) =>
      html`<div><dt>${words?.name(name) ?? name.replaceAll('_', ' ')}</dt><dd>${said(words ? inOtherWords(name, value, reason, words) : value, language)}</dd></div>`,
  )}</dl>`
}

/** Actions are codes with sentences of their own; an error and a note of ours are said by what they follow from. */
function inOtherWords(name: string, value: unknown, reason: unknown, words: NonNullable<Options['said']>): unknown {
  if (typeof value === 'boolean') return words.value(name, String(value))
  if (typeof value !== 'string') return value
  if (name === 'error' || name === 'note') return words.reason?.(reason) ?? value
  if (name === 'change' || name === 'resource') return words.reason?.({ code: `action_${value}` }) ?? value
  return words.value(name, value)
}

function said(value: unknown, language: string) {
  if (Array.isArray(value)) return value.map(lineOf).join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  const text = String(value)
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text)
  return isMoment ? html`<time datetime=${text}>${exactTime(new Date(text), language)}</time>` : text
}

/** So many of a line of the order, by whatever it is called. */
function lineOf(line: unknown): string {
  const { quantity, sku, order_line_remote_id: id } = Object(line) as Readonly<Record<string, unknown>>
  return quantity === undefined ? JSON.stringify(line) : `${quantity} × ${sku ?? id ?? '?'}`
}

const units: readonly [number, string][] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1000, 'second'],
  [1, 'millisecond'],
]

/** "1.4 seconds", "3 days": in the largest unit that fits. */
export function duration(ms: number, language: string): string {
  const [size, unit] = units.find(([each]) => ms >= each) ?? [1, 'millisecond']
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: ms >= 1000 ? 1 : 0 } as const
  return new Intl.NumberFormat(language, format).format(ms / size)
}

export const timelines = css`
  .timeline {
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .timeline li {
    position: relative;
    display: grid;
    grid-template-columns: 24px minmax(0, 1fr);
    gap: 12px;
    padding-block-end: 16px;
  }
  .timeline li:not(:last-child)::before {
    content: '';
    position: absolute;
    inset-block: 24px 0;
    inset-inline-start: 11px;
    width: 2px;
    background: var(--_line);
  }
  .timeline .dot {
    display: grid;
    place-items: center;
    width: 24px;
    height: 24px;
    border-radius: 99px;
    background: var(--_positive-soft);
    color: var(--_positive);
  }
  .timeline .waiting .dot {
    background: var(--_notice-soft);
    color: var(--_notice);
  }
  .timeline .failed .dot {
    background: var(--_critical-soft);
    color: var(--_critical);
  }
  .timeline dl {
    display: flex;
    flex-wrap: wrap;
    gap: 0 16px;
    margin: 2px 0 0;
  }
  .timeline dl div {
    display: flex;
    gap: 6px;
    min-width: 0;
  }
  .timeline dt {
    color: var(--_muted);
  }
  .timeline dd {
    margin: 0;
    overflow-wrap: anywhere;
  }
`
