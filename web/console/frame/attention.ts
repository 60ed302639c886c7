import { css, html, nothing, type TemplateResult } from 'lit'
import type { paths } from '../../lib/api-types.gen.ts'
import { icon } from '../../parts/icons.ts'
import { time } from '../../parts/time.ts'
import { href } from '../router.ts'

/** What needs somebody: one sentence, and one way to where it is dealt with. */

type Overview =
  paths['/api/2.0/user/apps/{appId}/overview']['get']['responses'][200]['content']['application/json']['data']
export type Attention = Overview['attention'][number]

interface Way {
  action: string
  path: string
}

/** Where it is dealt with. */
export function wayTo(
  app: number,
  {
    kind,
    integration,
    webhook,
    run_id: run,
  }: Pick<Attention, 'kind' | 'webhook' | 'run_id'> & { integration: { id: number } | null },
): Way {
  const shop = `/apps/${app}/integrations/${integration?.id ?? ''}`
  const ofShop = `?integration=${integration?.id ?? ''}`
  switch (kind) {
    case 'webhook_disabled':
    case 'webhook_failing':
    case 'deliveries_late':
      return { action: 'Open the webhook', path: `/apps/${app}/webhooks/${webhook?.id ?? ''}` }
    case 'orders_due':
    case 'acknowledgements_due':
      return { action: 'See the orders', path: `/apps/${app}/orders${ofShop}` }
    case 'shop_unavailable':
    case 'run_failed':
      return { action: 'See the run', path: run === null ? shop : `${shop}/runs/${run}` }
    case 'messages_failed':
    case 'messages_waiting':
      return { action: 'See the messages', path: `/apps/${app}/undelivered${ofShop}` }
    case 'sign_in_failures':
    case 'second_factor_removed':
    case 'admin_added':
      return { action: 'See the audit trail', path: '/audit' }
    default:
      return { action: 'Open the shop', path: shop }
  }
}

export function attentionList(app: number, items: readonly Attention[], total: number): TemplateResult {
  if (items.length === 0) {
    return html`<p class="calm">${icon('check', 16)} Nothing needs attention.</p>`
  }
  return html`<ul class="attention">
      ${items.map((item) => {
        const { action, path } = wayTo(app, item)
        return html`<li class=${item.severity === 'critical' ? 'critical' : 'notice'}>
          ${icon('warning', 16)}
          <span class="what"><strong>${item.integration?.name ?? item.webhook?.url ?? ''}</strong> ${item.summary}
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
