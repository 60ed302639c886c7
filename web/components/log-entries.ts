import { css, html, nothing, type TemplateResult } from 'lit'
import { ask } from '../lib/ask.ts'
import { icon } from '../parts/icons.ts'
import { badge, levelTone, runTone } from '../parts/status.ts'
import { time } from '../parts/time.ts'
import type { Client } from './embedded.ts'
import type { Words } from './words/index.ts'

/** What `<entrepot-logs>` lists: entries, and the run that some of them belong to. */

export type Entry = Awaited<ReturnType<typeof readEntries>>['data'][number]
export type Run = Awaited<ReturnType<typeof readRun>>

export interface Filter {
  level: string
  text: string
  runId: number | null
}

export async function readEntries(client: Client, integrationId: string, filter: Filter, page: number) {
  const query = {
    page,
    per_page: 50,
    ...(filter.level && { 'filter[level]': filter.level }),
    ...(filter.text && { 'filter[q]': filter.text }),
    ...(filter.runId !== null && { 'filter[run_id]': String(filter.runId) }),
  }
  const params = { path: { integrationId }, query: query as never }
  return await ask(client.GET('/api/2.0/webcomponent/integrations/{integrationId}/logs', { params }))
}

export async function readRun(client: Client, integrationId: string, id: number) {
  const path = { integrationId, run: String(id) }
  const { data } = await ask(
    client.GET('/api/2.0/webcomponent/integrations/{integrationId}/runs/{run}', { params: { path } }),
  )
  return data
}

interface Manner {
  words: Words
  language: string
}

/** `onRun` leads to the run of an entry; absent where it is the run that is shown. */
export function logEntry(entry: Entry, { words, language }: Manner, onRun: ((id: number) => void) | null) {
  const { logs } = words
  const { run_id: runId } = entry
  return html`<li part="entry">
    <span class="when small">${time(entry.created_at, { language })}</span>
    ${badge(levelTone(entry.level), logs.levels[entry.level] ?? entry.level)}
    <div class="what">
      <p>${words.reasons?.(entry) ?? entry.message}</p>
      <p class="small muted"><code>${entry.event}</code>
        ${runId !== null && onRun ? html`<button class="quiet link" @click=${() => onRun(runId)}>${logs.run(runId)}</button>` : nothing}
      </p>
      ${entry.context ? html`<details><summary class="small">${logs.details}</summary><pre>${JSON.stringify(entry.context, null, 2)}</pre></details>` : nothing}
    </div>
  </li>`
}

/** The run whose entries alone are shown, and the way back to all. */
export function runHead(run: Run, { words, language }: Manner, onAll: () => void): TemplateResult {
  const { logs, schedules } = words
  const { done, total } = run.progress
  const figure = (n: number) => n.toLocaleString(language)
  const progressText = total ? logs.progress(figure(done), figure(total)) : logs.done(figure(done))
  return html`<div class="card run">
    <div class="row">
      <h2 class="title">${logs.run(run.id)}: ${schedules.actions[run.resource] ?? run.resource}</h2>
      ${badge(runTone(run.status), logs.statuses[run.status] ?? run.status)}
      <button class="quiet" @click=${onAll}>${icon('cross')}${logs.allRuns}</button>
    </div>
    ${total ? html`<progress max=${total} value=${done} aria-label=${progressText}></progress>` : nothing}
    <p class="small muted">${progressText} · ${time(run.started_at ?? run.created_at, { language })}</p>
    ${run.error ? html`<p class="small">${words.reasons?.(run.reason) ?? run.error}</p>` : nothing}
  </div>`
}

export const entryStyles = css`
  ol {
    margin: 0;
    padding: 0;
    list-style: none;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-card);
    background: var(--_surface);
  }
  li {
    display: grid;
    grid-template-columns: minmax(110px, max-content) 108px minmax(0, 1fr);
    align-items: start;
    gap: 4px 12px;
    padding: 8px 12px;
  }
  li + li {
    border-top: 1px solid var(--_line);
  }
  li .badge {
    justify-self: start;
  }
  .when {
    color: var(--_muted);
  }
  .what {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .link {
    min-height: 24px;
    padding: 0 6px;
    color: var(--_accent);
    font-size: 13px;
  }
  summary {
    min-height: 24px;
    line-height: 24px;
    cursor: pointer;
  }
  pre {
    margin: 4px 0 0;
    padding: 8px;
    border-radius: var(--_radius);
    background: var(--_sunken);
    font: 400 12px / 18px var(--_mono);
    white-space: pre-wrap;
    overflow-wrap: anywhere;
  }
  .run {
    display: grid;
    gap: 8px;
  }
  @container (max-width: 560px) {
    li {
      grid-template-columns: 1fr auto;
    }
    .what {
      grid-column: 1 / -1;
    }
  }
`
