import { html, nothing, type TemplateResult } from 'lit'
import { badge } from '../../../parts/status.ts'
import { table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, ask } from '../../api.ts'

/** What was published of a service: who, when, what differs, and the way back. */

export type Version = Awaited<ReturnType<typeof readVersions>>[number]
export type WholeVersion = Awaited<ReturnType<typeof readVersion>>

export const readVersions = async (ownService: string) => {
  const params = { path: { ownService }, query: { per_page: 20 } }
  return (await ask(api.GET('/api/2.0/user/services/{ownService}/versions', { params }))).data
}

const at = (ownService: string, version: number) => ({ params: { path: { ownService, version: String(version) } } })

export const readVersion = async (ownService: string, version: number) =>
  (await ask(api.GET('/api/2.0/user/services/{ownService}/versions/{version}', at(ownService, version)))).data

export const restoreVersion = async (ownService: string, version: number) =>
  (await ask(api.POST('/api/2.0/user/services/{ownService}/versions/{version}/restore', at(ownService, version)))).data

interface Doing {
  look(version: Version): void
  edit(version: WholeVersion): void
  restore(version: WholeVersion): void
}

export const versionsCard = (
  versions: readonly Version[],
  shown: WholeVersion | null,
  doing: Doing,
): TemplateResult | typeof nothing => {
  if (versions.length === 0) return nothing
  return html`<div class="card stack"><h2>Versions</h2>
    ${table({
      caption: 'Versions',
      rows: versions,
      empty: html``,
      columns: [
        { head: 'Version', number: true, cell: ({ number }) => number },
        { head: 'Published', cell: ({ published_at: moment }) => time(moment) },
        { head: 'By', wide: true, cell: ({ published_by: by }) => by?.name ?? 'unknown' },
        { head: 'State', cell: stateOf },
        {
          head: 'Differences',
          cell: (version) =>
            html`<button type="button" aria-label="Compare version ${version.number} with what is published" @click=${() => doing.look(version)}>Compare</button>`,
        },
      ],
    })}
    ${shown ? comparison(shown, doing) : nothing}
  </div>`
}

const stateOf = ({ present, restored_from: from }: Version) =>
  html`${present ? badge('positive', 'Published') : nothing}${from === null ? nothing : html` <span class="muted">as version ${from}</span>`}`

function comparison(version: WholeVersion, { edit, restore }: Doing): TemplateResult {
  const { number, differences, present } = version
  return html`<div class="stack" role="status"><h3>Version ${number}, beside what is published</h3>
    ${differences.length === 0 ? html`<p class="muted">Nothing differs.</p>` : nothing}
    <ul class="differences">${differences.map(
      ({ at: place, before, after }) =>
        html`<li><code>${place.replace('definition.', '')}</code><span>${shownValue(before)}<span class="muted"> now </span>${shownValue(after)}</span></li>`,
    )}</ul>
    <div class="row">
      <button type="button" @click=${() => edit(version)}>Edit it as a draft</button>
      ${present || differences.length === 0 ? nothing : html`<button type="button" class="primary" @click=${() => restore(version)}>Publish version ${number} again</button>`}
    </div></div>`
}

const shownValue = (value: unknown) =>
  value === null ? html`<span class="muted">nothing</span>` : html`<code>${JSON.stringify(value).slice(0, 200)}</code>`
