import { css, html, nothing, type TemplateResult } from 'lit'
import { ask } from '../lib/ask.ts'
import { icon } from '../parts/icons.ts'
import '../parts/shop-statuses.ts'
import { badge, integrationTone } from '../parts/status.ts'
import { time } from '../parts/time.ts'
import type { Client } from './embedded.ts'
import type { Words } from './words/index.ts'

/** One shop in `<entrepot-integrations>`: how it is, and what can be done about it. */

export type Integration = Awaited<ReturnType<typeof readIntegrations>>[number]

export async function readIntegrations(client: Client) {
  const query = { per_page: 100, sort: '-id', include: 'service' } as const
  const { data } = await ask(client.GET('/api/2.0/webcomponent/integrations', { params: { query } }))
  return data
}

/** How far a run has come that fetches what a new shop has. */
export interface Fetching {
  done: number
  total: number | null
}

const newMs = 2 * 60 * 60 * 1000
/** More new shops at once are not followed: each costs a request. */
const maxFollowed = 2

/** Of shops that have just been connected, by id: what is being fetched right now. */
export async function readFetching(client: Client, list: readonly Integration[]): Promise<Map<number, Fetching>> {
  const fresh = list.filter(
    ({ status, created_at: at }) => status === 'ACTIVE' && Date.now() - Date.parse(at ?? '') < newMs,
  )
  const found = await Promise.all(
    fresh.slice(0, maxFollowed).map(async ({ id }) => {
      const params = { path: { integrationId: String(id) }, query: { per_page: 10 } as never }
      const { data } = await ask(client.GET('/api/2.0/webcomponent/integrations/{integrationId}/runs', { params }))
      const running = data.find(({ status }) => status === 'running')
      return running ? [[id, running.progress] as const] : []
    }),
  )
  return new Map(found.flat())
}

interface Completeness {
  proven_at: string
  compared: number
  healed: number
}

interface Card {
  client: Client
  words: Words
  language: string
  picture: (address: string) => string
  busy: boolean
  /** Null where nothing is. */
  fetching: Fetching | null
  onReconnect: () => void
  onSync: () => void
  onActive: (active: boolean) => void
  onLogo: (event: Event) => void
  onUninstall: () => void
}

export function integrationCard(integration: Integration, card: Card): TemplateResult {
  const { busy } = card
  const { integrations } = card.words
  const { name, shop, service } = integration
  // Switched off by its owner: connected, but nothing runs.
  const paused = integration.status === 'INACTIVE' || (integration.status === 'ACTIVE' && !integration.active)
  const status = paused ? 'INACTIVE' : integration.status
  const reason = paused ? 'paused' : integration.status_reason
  const logo = integration.logo ?? service?.logo
  const gone = status === 'UNINSTALLED'
  const broken = status === 'ERROR' || status === 'PENDING' || gone
  return html`<li class="card" part="integration" aria-busy=${busy}>
    <div class="row head">
      ${logo ? html`<img src=${card.picture(logo)} alt="" width="36" height="36" />` : html`<span class="letter" aria-hidden="true">${name.charAt(0)}</span>`}
      <div class="name">
        <h2 class="title">${name}</h2>
        <p class="muted small">${service?.name ?? integration.type} · ${shop}</p>
      </div>
      ${badge(integrationTone(status), integrations.statuses[status] ?? status)}
    </div>
    ${reason && status !== 'ACTIVE' ? html`<p class="reason small">${integrations.reasons[reason] ?? reason}</p>` : nothing}
    ${card.fetching ? progress(card.fetching, card) : nothing}
    <dl class="small">
      <dt>${integrations.lastRun}</dt>
      <dd>${integration.last_run_at ? time(integration.last_run_at, { language: card.language }) : integrations.never}</dd>
      <dt>${integrations.nextRead}</dt>
      <dd>${nextRead(integration, card)}</dd>
      <dt>${integrations.completeness}</dt>
      <dd>${completeness(integration.completeness as Completeness | null, card)}</dd>
    </dl>
    ${
      status === 'ACTIVE' && service?.capabilities.actions.includes('get_order_statuses')
        ? html`<details part="statuses">
            <summary>${card.words.shopStatuses.title}</summary>
            <ep-shop-statuses .client=${card.client} .integration=${integration} .words=${card.words.shopStatuses} .manner=${card.words}></ep-shop-statuses>
          </details>`
        : nothing
    }
    <div class="row actions">
      ${broken ? html`<button class="primary" @click=${card.onReconnect}>${icon('plug')}${integrations.reconnect}</button>` : nothing}
      ${status === 'ACTIVE' ? html`<button ?disabled=${busy} @click=${card.onSync}>${icon('refresh')}${integrations.sync}</button>` : nothing}
      ${
        status === 'ACTIVE' || paused
          ? html`<button ?disabled=${busy} @click=${() => card.onActive(paused)}>
              ${icon(paused ? 'play' : 'pause')}${paused ? integrations.resume : integrations.pause}
            </button>`
          : nothing
      }
      <label class="button">
        ${icon('upload')}${integrations.logo}
        <input class="visually-hidden" type="file" accept="image/png,image/jpeg,image/webp" @change=${card.onLogo} />
      </label>
      ${gone ? nothing : html`<button class="critical" @click=${card.onUninstall}>${integrations.uninstall}</button>`}
    </div>
  </li>`
}

function progress({ done, total }: Fetching, { words: { integrations, logs }, language }: Card): TemplateResult {
  const figure = (n: number) => n.toLocaleString(language)
  const text = total === null ? logs.done(figure(done)) : integrations.syncing(figure(done), figure(total))
  return html`<div class="fetching small" part="progress">
    <progress aria-label=${text} .value=${total === null ? 0 : done} max=${Math.max(1, total ?? 1)}></progress>
    <span role="status">${text}</span>
  </div>`
}

function nextRead(
  { next_read_at: at, read_reason: reason }: Pick<Integration, 'next_read_at' | 'read_reason'>,
  { words: { integrations }, language }: Card,
) {
  if (at === null) return integrations.never
  return html`${time(at, { language })}, ${integrations.readReasons[reason] ?? reason}`
}

function completeness(proof: Completeness | null, { words: { integrations }, language }: Card) {
  if (!proof) return integrations.notProven
  const figure = (n: number) => n.toLocaleString(language)
  return html`${integrations.proven(figure(proof.compared), figure(proof.healed))}, ${time(proof.proven_at, { language })}`
}

export const cardStyles = css`
  .head {
    flex-wrap: nowrap;
    align-items: flex-start;
    gap: 12px;
  }
  .head img,
  .letter {
    flex: none;
    width: 36px;
    height: 36px;
    border-radius: var(--_radius);
    object-fit: contain;
  }
  .letter {
    display: grid;
    place-items: center;
    background: var(--_accent-soft);
    color: var(--_accent);
    font-weight: 600;
  }
  .name {
    flex: 1;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  @container (max-width: 440px) {
    .head {
      flex-wrap: wrap;
    }
    .name {
      flex-basis: calc(100% - 60px);
    }
  }
  .fetching {
    display: grid;
    gap: 4px;
  }
  .reason {
    color: var(--_text);
  }
  dl {
    display: grid;
    grid-template-columns: max-content 1fr;
    gap: 2px 16px;
    margin: 0;
  }
  dt {
    color: var(--_muted);
  }
  dd {
    margin: 0;
  }
  details ep-shop-statuses {
    margin-top: 12px;
  }
  summary {
    cursor: pointer;
    width: fit-content;
  }
  label.button {
    position: relative;
  }
  label.button:focus-within {
    outline: 2px solid var(--_accent);
    outline-offset: 2px;
  }
`
