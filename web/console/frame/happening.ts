import { css, html, nothing, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import { icon } from '../../parts/icons.ts'
import { badge, runTone } from '../../parts/status.ts'
import { time } from '../../parts/time.ts'
import { actionName } from '../actions.ts'
import type { LiveOrder, LiveRun, LiveShop, News } from '../live.ts'
import { money } from '../money.ts'
import { inWords } from '../order-state.ts'
import { href } from '../router.ts'
import { statusName } from '../shops/shop-status.ts'

/** What happens in an app as it happens: the newest first, as many as one can follow. */

type Told = Exclude<News, { type: 'gap' | 'orders' }>

const most = 12

/** Of runs of one kind in a shop the latest counts: shops that are read every few seconds would leave room for nothing else. */
function keyOf({ type, data }: Told): string {
  const what = type === 'order' ? data.id : type === 'run' ? data.resource : ''
  return `${type} ${data.integration.id} ${what}`
}

/** The same again takes its place anew, at the top. */
export function withNews(told: readonly Told[], news: News): readonly Told[] {
  if (news.type === 'gap') return []
  // Said of orders that are here already, for whoever has one open.
  if (news.type === 'orders') return told
  const key = keyOf(news)
  return [news, ...told.filter((one) => keyOf(one) !== key)].slice(0, most)
}

const figure = (n: number) => n.toLocaleString('en')

function ofRun(app: number | string, run: LiveRun): TemplateResult {
  const { done, total } = run.progress
  const open = run.status === 'running' || run.status === 'queued'
  const records =
    done === 0 && !open
      ? ''
      : `${figure(done)}${total === null ? '' : ` of ${figure(total)}`} ${(total ?? done) === 1 ? 'record' : 'records'}`
  return html`${icon('refresh')}
    <span class="what"><a href=${href(`/apps/${app}/integrations/${run.integration.id}/runs/${run.id}`)}>${actionName(run.resource)}</a>
      <span class="muted">${run.integration.name}${records === '' ? '' : ` · ${records}`}</span>
      ${open && total ? html`<progress max=${total} value=${done} aria-label="Progress of ${actionName(run.resource)}, ${run.integration.name}"></progress>` : nothing}</span>
    ${badge(runTone(run.status), inWords(run.status))}
    ${time(run.finished_at ?? run.started_at ?? run.created_at)}`
}

const ofOrder = (app: number | string, order: LiveOrder): TemplateResult =>
  html`${icon('cart')}
    <span class="what"><a href=${href(`/apps/${app}/integrations/${order.integration.id}/orders/${order.id}`)}>Order ${order.number ?? order.remote_id}</a>
      <span class="muted">${order.integration.name} · ${money(order.total, order.currency)}</span></span>
    ${badge('info', 'Received')}
    ${time(order.created_at)}`

const ofShop = (app: number | string, { integration, status }: LiveShop): TemplateResult =>
  html`${icon('plug')}
    <span class="what"><a href=${href(`/apps/${app}/integrations/${integration.id}`)}>${integration.name}</a>
      <span class="muted">is now “${statusName(status)}”</span></span>
    ${badge(status === 'ACTIVE' ? 'positive' : status === 'ERROR' ? 'critical' : 'neutral', statusName(status))}<span></span>`

const line = (app: number | string, news: Told): TemplateResult =>
  news.type === 'run' ? ofRun(app, news.data) : news.type === 'order' ? ofOrder(app, news.data) : ofShop(app, news.data)

export const happening = (app: number | string, told: readonly Told[], isOpen: boolean): TemplateResult =>
  html`<section class="stack" aria-labelledby="now">
    <div class="bar"><h2 id="now">Happening now</h2>
      <span class="small muted heard" role="status">${isOpen ? html`<span class="dot"></span>Live` : 'Connecting …'}</span></div>
    ${
      told.length === 0
        ? html`<p class="muted">Nothing yet. Orders that come in, runs and shops that change show up here by themselves.</p>`
        : html`<ol class="happening card">${repeat(told, keyOf, (news) => html`<li>${line(app, news)}</li>`)}</ol>`
    }
  </section>`

export const happeningStyles = css`
  .happening {
    margin: 0;
    padding: 4px 16px;
    list-style: none;
  }
  .happening li {
    display: grid;
    grid-template-columns: 16px 1fr max-content 120px;
    align-items: center;
    gap: 4px 12px;
    padding: 8px 0;
    font-size: 13px;
    line-height: 20px;
    animation: arrive 150ms ease-out;
  }
  .happening li + li {
    border-top: 1px solid var(--_line);
  }
  .happening .what {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  .happening .what a {
    font-weight: 500;
    color: var(--_text);
    text-decoration: none;
  }
  .happening .what a:hover {
    text-decoration: underline;
  }
  .happening progress {
    display: block;
    width: 100%;
    max-width: 320px;
    margin-top: 4px;
  }
  .happening li > :last-child {
    color: var(--_muted);
    text-align: end;
  }
  .heard {
    display: inline-flex;
    align-items: center;
    gap: 6px;
  }
  .dot {
    width: 8px;
    height: 8px;
    border-radius: 50%;
    background: var(--_positive);
  }
  @keyframes arrive {
    from {
      opacity: 0;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    .happening li {
      animation: none;
    }
  }
  @media (max-width: 720px) {
    .happening li {
      grid-template-columns: 16px 1fr max-content;
    }
    .happening li > :last-child {
      grid-column: 2 / -1;
      text-align: start;
    }
  }
`
