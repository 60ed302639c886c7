import { css, html, nothing, type TemplateResult } from 'lit'
import { ask, Refusal } from '../lib/ask.ts'
import { badge } from '../parts/status.ts'
import type { Client } from './embedded.ts'
import { readIntegrations } from './integration-card.ts'
import type { Words } from './words/index.ts'

/** Articles of the stock that the shops of an account share. */

export type Article = Awaited<ReturnType<typeof readArticles>>['data'][number]
type Link = Article['links'][number]

export interface Shared {
  mode: 'dry' | 'on' | 'off'
  places: readonly string[]
  shopNames: ReadonlyMap<number, string>
}

/** Null where there is none. */
export async function readShared(client: Client): Promise<Shared | null> {
  try {
    const { data } = await ask(client.GET('/api/2.0/webcomponent/stock', {}))
    const shops = await readIntegrations(client)
    return {
      mode: data.mode,
      places: data.places.map(({ name }) => name),
      shopNames: new Map(shops.map(({ id, name, shop }) => [id, name ?? shop ?? String(id)])),
    }
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null
    throw error
  }
}

export async function readArticles(client: Client, text: string, page: number) {
  const query = { page, per_page: 25, sort: 'sku', ...(text.trim() && { 'filter[q]': text.trim() }) }
  return await ask(client.GET('/api/2.0/webcomponent/stock/articles', { params: { query: query as never } }))
}

interface Presentation {
  words: Words['stock']
  language: string
  shopNames: ReadonlyMap<number, string>
}

export function articleCard(
  article: Article,
  { words, language, shopNames }: Presentation,
  onCount: (() => void) | null,
): TemplateResult {
  const { sku, name, available, reserved, on_hand: onHand, links, parts } = article
  const figure = (n: number) => n.toLocaleString(language)
  const isBundle = parts.length > 0
  return html`<li class="card" part="article">
    <div class="row">
      <div class="what"><h2 class="title">${name ?? sku}</h2>${name ? html`<p class="muted small"><code>${sku}</code></p>` : nothing}</div>
      ${onCount && !isBundle ? html`<button aria-label=${`${words.count}: ${name ?? sku}`} @click=${onCount}>${words.count}</button>` : nothing}
    </div>
    <dl class="figures">
      <div><dt>${words.available}</dt><dd class="large">${figure(available)}</dd></div>
      <div><dt>${words.reserved}</dt><dd>${figure(reserved)}</dd></div>
      <div><dt>${words.onHand}</dt><dd>${figure(onHand)}</dd></div>
    </dl>
    ${available < 0 ? html`<div>${badge('critical', words.short(figure(-available)))}</div>` : nothing}
    ${isBundle ? html`<p class="muted small">${words.bundle}</p>` : nothing}
    ${
      links.length === 0
        ? html`<p class="muted small">${words.notLinked}</p>`
        : html`<div><h3>${words.shops}</h3>
          <ul class="shops">${links.map(
            (link) =>
              html`<li><span>${shopNames.get(link.integration_id) ?? link.integration_id}</span> ${shown(link, words, figure)}</li>`,
          )}</ul></div>`
    }
  </li>`
}

/** What a shop shows, and where that is not what it should, what it will. */
function shown(
  { wanted, shows, seen, error }: Link,
  words: Words['stock'],
  figure: (n: number) => string,
): TemplateResult {
  if (wanted === null) return html`<span class="muted">${words.notTold}</span>`
  if (error !== null) return badge('critical', words.refused(figure(wanted)))
  const now = seen ?? shows
  const said = html`<strong>${now === null ? words.unknown : figure(now)}</strong>`
  return now === wanted ? said : html`${said} <span class="muted">${words.becomes(figure(wanted))}</span>`
}

export const articleStyles = css`
  .what {
    flex: 1 1 160px;
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .figures {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 32px;
    margin: 0;
  }
  dt,
  h3 {
    color: var(--_muted);
    font: 400 13px / 20px var(--_font);
  }
  h3 {
    margin: 0;
  }
  dd {
    margin: 0;
    font: 500 14px / 28px var(--_font);
    font-variant-numeric: tabular-nums;
  }
  dd.large {
    font: 600 20px / 28px var(--_font);
  }
  .shops {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 24px;
    font-variant-numeric: tabular-nums;
  }
  .shops li {
    overflow-wrap: anywhere;
  }
`
