import { html, nothing, type TemplateResult } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { icon } from '../../../parts/icons.ts'
import { withQuery } from '../../router.ts'

type Usage = paths['/api/2.0/app/requests/usage']['get']['responses'][200]['content']['application/json']['data']

export const ranges = ['1h', '6h', '24h'] as const
export type UsageRange = (typeof ranges)[number]
const rangeWords = { '1h': 'Last hour', '6h': 'Last 6 hours', '24h': 'Last 24 hours' } as const

const callers = { client: 'Clients', account: 'Merchants', user: 'Users' } as const
export type CallerKind = keyof typeof callers
export const isCallerKind = (text: string | null): text is CallerKind => text !== null && text in callers

/** How near the busiest caller came to the limit, minute by minute. */
export function usageCard(usage: Usage, { range, caller }: { range: UsageRange; caller: CallerKind }): TemplateResult {
  const own = usage.steps.filter((step) => step.caller === caller)
  const limit = own.at(-1)?.limit ?? null
  const byTime = new Map(own.map((step) => [Date.parse(step.at), step]))
  const steps = stepsOf(usage)
  const values = (read: (step: Usage['steps'][number]) => number) =>
    steps.map((at) => {
      const step = byTime.get(at)
      return step ? read(step) : 0
    })
  const series = [
    { name: 'Busiest caller', colour: '--_accent', values: values(({ most }) => most) },
    { name: 'Refused (429)', colour: '--_critical', values: values(({ limited }) => limited) },
    ...(limit === null ? [] : [{ name: 'Limit', colour: '--_notice', values: steps.map(() => limit) }]),
  ]
  const calls = own.reduce((sum, step) => sum + step.calls, 0)
  return html`<section class="card stack">
    <div class="bar">
      <nav class="row" aria-label="Whose calls">${Object.entries(callers).map(
        ([kind, words]) =>
          html`<a class="button ${kind === caller ? 'primary' : ''}" href=${withQuery({ caller: kind === 'client' ? null : kind })} aria-current=${kind === caller ? 'true' : 'false'}>${words}</a>`,
      )}</nav>
      <nav class="row" aria-label="Time range">${ranges.map(
        (one) =>
          html`<a class="button ${one === range ? 'primary' : ''}" href=${withQuery({ range: one === '1h' ? null : one })} aria-current=${one === range ? 'true' : 'false'}>${rangeWords[one]}</a>`,
      )}</nav>
    </div>
    <ep-chart .heading=${'Calls in a minute'} .steps=${steps.map((at) => new Date(at).toISOString())} .step=${'minute'} .unit=${'calls'} .series=${series} lines></ep-chart>
    <p class="muted small">${calls.toLocaleString('en')} calls in all${
      limit === null ? '' : `; each may make ${limit.toLocaleString('en')} in a minute`
    }.</p>
    ${
      usage.left_out > 0
        ? html`<p class="notice">${icon('warning')}<span>${usage.left_out.toLocaleString('en')} calls of this time are counted and not listed: there were too many in one second to keep them all.</span></p>`
        : nothing
    }
  </section>`
}

/** All of them, also those in which nobody called. */
function stepsOf({ range, step_minutes: minutes }: Usage): number[] {
  const length = minutes * 60_000
  const count = { '1h': 60, '6h': 360, '24h': 1440 }[range] / minutes
  const last = Math.floor(Date.now() / length) * length
  return Array.from({ length: count }, (_, n) => last - (count - 1 - n) * length)
}
