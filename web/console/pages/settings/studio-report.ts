import { html, nothing, type TemplateResult } from 'lit'
import type { paths } from '../../../lib/api-types.gen.ts'
import { badge } from '../../../parts/status.ts'
import { api, ask } from '../../api.ts'
import { lineOf } from './draft.ts'

/** What a trial of a description said, and how it is shown. */

export type Report = Awaited<ReturnType<typeof tryDraft>>['data']
export type Sample = Report['samples'][number]
export type Suggested = Report['suggestions'][number]

type TrialBody = paths['/api/2.0/user/services/try']['post']['requestBody']['content']['application/json']

export const tryDraft = (body: TrialBody) => ask(api.POST('/api/2.0/user/services/try', { body }))

/** What was reported of the shop stays, until the shop is asked again: what was tried, its other samples, what they told. */
export function after(before: Report | null, now: Report): Report {
  // Nobody has fetched anything: only the mistakes are worth a look.
  if (!before || before.samples.length === 0) return { ...now, samples: [], suggestions: [] }
  const isNew = (one: Suggested) => !before.suggestions.some(({ at }) => at === one.at)
  return {
    ...now,
    ...{ steps: before.steps, requests: before.requests },
    samples: before.samples.map((sample) => now.samples.find(({ part }) => part === sample.part) ?? sample),
    suggestions: [...before.suggestions, ...now.suggestions.filter(isNew)],
  }
}

export function suggestionsCard(
  open: readonly Suggested[],
  { use, useAll }: { use(one: Suggested): void; useAll(): void },
): TemplateResult | typeof nothing {
  if (open.length === 0) return nothing
  return html`<section class="card stack" aria-labelledby="suggestions">
    <div class="bar"><h2 id="suggestions">It could be that</h2><button type="button" @click=${useAll}>Use all ${open.length}</button></div>
    <ul class="suggestions">${open.map(
      (one) => html`<li><span><strong>${one.at.replace(/\.fields\b/g, '')}</strong> is <code>${one.place}</code></span>
        <span class="muted">${one.example}</span><button type="button" aria-label="Use ${one.place} for ${one.at}" @click=${() => use(one)}>Use</button></li>`,
    )}</ul></section>`
}

const tones = { ok: 'positive', failed: 'critical', skipped: 'neutral' } as const

export function stepsCard({ steps, requests }: Report): TemplateResult | typeof nothing {
  if (steps.length < 2) return nothing
  return html`<section class="card stack" aria-labelledby="report"><h2 id="report">Report</h2>
    <ol class="steps">${steps.map(
      ({ name, part, state, words }) =>
        html`<li>${badge(tones[state], state)}<span><strong>${part ? `${part}: ` : ''}${name}</strong> ${words}</span></li>`,
    )}</ol>
    <p class="muted">${requests.length} requests. Nothing was stored, and nothing changed in the shop.</p></section>`
}

/** Each at its place, which is one click away; where the text is no JSON, only that. */
export function mistakesList(
  mistakes: Report['mistakes'],
  { wrong, text, goTo }: { wrong: string | null; text: string; goTo(at: string): void },
): TemplateResult {
  if (wrong) return html`<p id="mistakes" class="field-error" role="status">${wrong}</p>`
  const one = ({ at, messages }: Report['mistakes'][number]) =>
    html`<li><button type="button" class="link" @click=${() => goTo(at)}>Line ${lineOf(text, at)}</button>
      <code>${at.replace('definition.', '')}</code><span>${messages.join(' ').replaceAll('definition.', '')}</span></li>`
  return html`<div id="mistakes" role="status">${mistakes.length === 0 ? nothing : html`<ul class="mistakes">${mistakes.map(one)}</ul>`}</div>`
}
