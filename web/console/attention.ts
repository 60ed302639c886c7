import { css, html, nothing, type TemplateResult } from 'lit'
import type { paths } from '../lib/api-types.gen.ts'
import { icon } from '../parts/icons.ts'
import { time } from '../parts/time.ts'
import { href } from './router.ts'
import { reasonName } from './shop-status.ts'

/** What needs somebody: one sentence, and one way to where it is dealt with. */

type Overview =
  paths['/api/2.0/user/apps/{appId}/overview']['get']['responses'][200]['content']['application/json']['data']
export type Attention = Overview['attention'][number]

interface Said {
  text: string
  action: string
  path: string
}

const count = (n: number | null, one: string, many = `${one}s`): string =>
  `${(n ?? 0).toLocaleString('en')} ${n === 1 ? one : many}`

/** To whoever runs the app, where a merchant is told something else. */
const reasons: Readonly<Record<string, string>> = {
  credentials_rejected: 'The shop rejected our credentials. The merchant has to connect it again.',
  missing_rights: 'The shop does not grant all the rights that are needed.',
  authorization_denied: 'The merchant denied access at the platform.',
  awaiting_installation: 'The merchant began to connect the shop and did not finish.',
  awaiting_authorization: 'The merchant has not yet allowed access at the platform.',
  awaiting_credentials: 'The merchant has not yet entered the keys of the shop.',
}

export function sayAttention(app: number, item: Attention): Said {
  const { integration, webhook, reason } = item
  const shop = `/apps/${app}/integrations/${integration?.id ?? ''}`
  const hook = `/apps/${app}/webhooks/${webhook?.id ?? ''}`
  const ofShop = `?integration=${integration?.id ?? ''}`
  const because = reason ? (reasons[reason] ?? reasonName(reason)) : ''
  switch (item.kind) {
    case 'integration_error':
      return { text: because || 'The integration is in an error state.', action: 'Open the shop', path: shop }
    case 'installation_unfinished':
      return { text: because || 'The shop is not connected yet.', action: 'Open the shop', path: shop }
    case 'webhook_disabled': {
      const why = reason === 'gone' ? 'its endpoint answered 410 Gone' : 'its endpoint failed for too long'
      const held = item.count ? ` ${count(item.count, 'delivery is', 'deliveries are')} held.` : ''
      return { text: `Disabled because ${why}.${held}`, action: 'Open the webhook', path: hook }
    }
    case 'webhook_failing':
      return {
        text: `The endpoint does not accept deliveries. ${count(item.count, 'delivery is', 'deliveries are')} waiting.`,
        action: 'Open the webhook',
        path: hook,
      }
    case 'deliveries_late':
      return {
        text: `${count(item.count, 'delivery is', 'deliveries are')} waiting, some for more than five minutes.`,
        action: 'Open the webhook',
        path: hook,
      }
    case 'orders_due':
      return {
        text: `${count(item.count, 'order has', 'orders have')} to ship within 12 hours or are overdue.`,
        action: 'See the orders',
        path: `/apps/${app}/orders${ofShop}`,
      }
    case 'shop_unavailable':
      return {
        text: 'The shop is unavailable. The run goes on as soon as it answers.',
        action: 'See the run',
        path: `${shop}/runs/${item.run_id ?? ''}`,
      }
    case 'run_failed':
      return {
        text: `A run failed: ${reason ?? 'see its log.'}`,
        action: 'See the run',
        path: `${shop}/runs/${item.run_id ?? ''}`,
      }
    case 'messages_failed':
      return {
        text: `${count(item.count, 'message')} of the shop could not be processed.`,
        action: 'See the messages',
        path: `/apps/${app}/undelivered${ofShop}`,
      }
    case 'records_quarantined':
      return {
        text: `${count(item.count, 'record')} failed validation and ${item.count === 1 ? 'was' : 'were'} quarantined.`,
        action: 'Open the shop',
        path: shop,
      }
    case 'messages_missing':
      return {
        text: 'The shop’s webhooks do not arrive. It is read every few minutes instead.',
        action: 'Open the shop',
        path: shop,
      }
    case 'consent_ends':
      return { text: 'The merchant’s consent ends soon and has to be renewed.', action: 'Open the shop', path: shop }
  }
}

const critical: ReadonlySet<string> = new Set(['integration_error', 'webhook_disabled', 'orders_due', 'run_failed'])

export function attentionList(app: number, items: readonly Attention[], total: number): TemplateResult {
  if (items.length === 0) {
    return html`<p class="calm">${icon('check', 16)} Nothing needs attention.</p>`
  }
  return html`<ul class="attention">
      ${items.map((item) => {
        const { text, action, path } = sayAttention(app, item)
        return html`<li class=${critical.has(item.kind) ? 'critical' : 'notice'}>
          ${icon('warning', 16)}
          <span class="what"><strong>${item.integration?.name ?? item.webhook?.url ?? ''}</strong> ${text}
            ${item.at ? html`<span class="muted small">${time(item.at)}</span>` : nothing}</span>
          <a class="button" href=${href(path)}>${action}</a>
        </li>`
      })}
    </ul>
    ${total > items.length ? html`<p class="muted small">And ${(total - items.length).toLocaleString('en')} more.</p>` : nothing}`
}

export const attentionStyles = css`
  .attention {
    display: grid;
    margin: 0;
    padding: 0;
    border: 1px solid var(--_line);
    border-radius: var(--_radius-card);
    background: var(--_surface);
    list-style: none;
  }
  .attention li {
    display: grid;
    grid-template-columns: auto 1fr auto;
    align-items: center;
    gap: 4px 12px;
    padding: 10px 12px;
  }
  .attention li + li {
    border-top: 1px solid var(--_line);
  }
  .attention .critical > svg {
    color: var(--_critical);
  }
  .attention .notice > svg {
    color: var(--_notice);
  }
  .attention .what {
    min-width: 0;
    overflow-wrap: anywhere;
  }
  @media (max-width: 560px) {
    .attention li {
      grid-template-columns: auto 1fr;
    }
    .attention .button {
      grid-column: 2;
      justify-self: start;
    }
  }
  .calm {
    display: flex;
    align-items: center;
    gap: 8px;
    color: var(--_muted);
  }
  .calm svg {
    color: var(--_positive);
  }
`
