import { css, html, nothing, svg, type TemplateResult } from 'lit'
import type { Words } from './words/index.ts'

/**
 * Where merchants find the keys that a platform asks for. Names of menus and buttons are the platform's own, as its English
 * pages have them; everything else is said in the language of the element.
 */
interface Place {
  /** What the merchant signs in to. */
  site: string
  /** The way through its menus. */
  path: readonly string[]
  /** What is pressed there; absent where the keys are there already. */
  press?: string
  /** What is allowed, in the platform's words. */
  allow?: string
  copy: readonly string[]
  /** Shown once, and never again. */
  once?: true
}

const places: Readonly<Record<string, Place>> = {
  amazon: {
    ...{ site: 'Seller Central', path: ['Apps & Services', 'Develop Apps'], press: 'Authorize' },
    copy: ['LWA client ID', 'LWA client secret', 'Refresh token'],
  },
  bigcommerce: {
    ...{ site: 'BigCommerce', path: ['Settings', 'API', 'Store-level API accounts'], press: 'Create API account' },
    ...{ allow: 'Orders: modify, Products: modify, Customers: read-only', copy: ['Access token'], once: true },
  },
  magento: {
    ...{ site: 'Magento', path: ['System', 'Extensions', 'Integrations'], press: 'Add New Integration' },
    allow: 'Sales, Catalog, Stores → Inventory',
    copy: ['Consumer key', 'Consumer secret', 'Access token', 'Access token secret'],
  },
  medusa: {
    ...{ site: 'Medusa Admin', path: ['Settings', 'Secret API Keys'], press: 'Create' },
    ...{ copy: ['Secret API key'], once: true },
  },
  prestashop: {
    ...{ site: 'PrestaShop', path: ['Advanced Parameters', 'Webservice'], press: 'Add new webservice key' },
    ...{ allow: 'orders, products, stock_availables, order_histories …', copy: ['Webservice key'] },
  },
  shopify: {
    ...{ site: 'Shopify', path: ['Dev Dashboard', 'Apps'], press: 'Create app' },
    ...{ allow: 'orders, products, inventory, fulfillments', copy: ['Client ID', 'Client secret'] },
  },
  squarespace: {
    ...{ site: 'Squarespace', path: ['Settings', 'Developer Tools', 'Developer API Keys'], press: 'Generate Key' },
    ...{
      allow: 'Orders: Read and Write, Inventory: Read and Write, Products: Read and Write',
      copy: ['API key'],
      once: true,
    },
  },
  tiktok_shop: {
    ...{ site: 'TikTok Shop Partner Center', path: ['App & Service', 'Manage'], press: 'Authorize' },
    ...{ allow: 'Order, Product, Fulfillment, Logistics, Return & Refund' },
    copy: ['App key', 'App secret', 'Refresh token'],
  },
  vendure: {
    ...{ site: 'Vendure', path: ['Settings', 'API keys'], press: 'Create' },
    ...{ copy: ['API key'], once: true },
  },
  walmart: {
    ...{ site: 'Seller Center', path: ['API Integration', 'API Key Management'] },
    copy: ['Client ID', 'Client secret'],
  },
  wix: {
    ...{ site: 'Wix', path: ['Account Settings', 'API Keys'], press: 'Generate API Key' },
    ...{ allow: 'Wix Stores, Wix eCommerce', copy: ['API key'], once: true },
  },
  woocommerce: {
    ...{ site: 'WordPress', path: ['WooCommerce', 'Settings', 'Advanced', 'REST API'], press: 'Add key' },
    ...{ allow: 'Read/Write', copy: ['Consumer key', 'Consumer secret'], once: true },
  },
}

/** The types of services for which there is help. */
export const explained: readonly string[] = Object.keys(places)

/** Nothing for a service of which we do not know. */
export function whereToFind(type: string, { where }: Words): TemplateResult | typeof nothing {
  const place = places[type]
  if (!place) return nothing
  const { site, path, press, allow, copy, once } = place
  return html`<details class="where" part="where">
    <summary>${where.title}</summary>
    ${picture(path, copy)}
    <ol>
      <li>${where.signIn(site)}</li>
      <li>${where.open(path.join(' → '))}</li>
      ${press ? html`<li>${where.press(press)}</li>` : nothing}
      ${allow ? html`<li>${where.allow(allow)}</li>` : nothing}
      <li>${where.copy(copy.join(', '))}${once ? html` ${where.once}` : nothing}</li>
    </ol>
  </details>`
}

/** The page as it looks from afar: the menu on the left, the keys on the right. It says nothing that the steps do not say. */
function picture(path: readonly string[], copy: readonly string[]): TemplateResult {
  const shown = path.slice(-3)
  return html`<svg class="sketch" viewBox="0 0 400 150" role="presentation" aria-hidden="true">
    <rect class="page" x="1" y="1" width="398" height="148" rx="8" />
    <path class="line" d="M1 24h398M130 24v125" />
    <circle class="dot" cx="14" cy="12.5" r="3" /><circle class="dot" cx="25" cy="12.5" r="3" /><circle class="dot" cx="36" cy="12.5" r="3" />
    ${shown.map(
      (name, n) => svg`<svg x="10" y=${36 + n * 30} width="114" height="24" viewBox="0 0 114 24">
        <rect class=${n === shown.length - 1 ? 'here' : 'item'} x="0.5" y="0.5" width="113" height="23" rx="5" />
        <text class=${n === shown.length - 1 ? 'on' : ''} x=${8 + n * 6} y="16" textLength=${name.length > 14 ? 92 - n * 6 : nothing} lengthAdjust="spacingAndGlyphs">${name}</text>
      </svg>`,
    )}
    ${copy.slice(0, 3).map(
      (name, n) => svg`<svg x="146" y=${36 + n * 34} width="240" height="30" viewBox="0 0 240 30">
        <text class="label" x="0" y="19">${name}</text>
        <rect class="item" x="118.5" y="3.5" width="92" height="23" rx="5" />
        <path class="secret" d="M128 15h72" />
        <rect class="copy" x="219" y="7" width="11" height="13" rx="2" /><rect class="copy" x="223" y="11" width="11" height="13" rx="2" />
      </svg>`,
    )}
  </svg>`
}

export const whereStyles = css`
  .where summary {
    color: var(--_accent);
  }
  .where ol {
    display: grid;
    gap: 4px;
    margin: 8px 0 0;
    padding-inline-start: 24px;
  }
  .sketch {
    display: block;
    width: 100%;
    max-width: 400px;
    margin-top: 8px;
    font: 500 11px / 16px var(--_font);
    direction: ltr;
  }
  .sketch text {
    fill: var(--_muted);
  }
  .sketch text.on {
    fill: var(--_accent);
  }
  .sketch text.label {
    fill: var(--_text);
  }
  .sketch .page {
    fill: var(--_surface);
    stroke: var(--_line);
  }
  .sketch .line {
    fill: none;
    stroke: var(--_line);
  }
  .sketch .dot,
  .sketch .item {
    fill: var(--_sunken);
    stroke: var(--_line);
  }
  .sketch .here {
    fill: var(--_accent-soft);
    stroke: var(--_accent);
  }
  .sketch .secret {
    fill: none;
    stroke: var(--_muted);
    stroke-width: 4;
    stroke-dasharray: 4 4;
    stroke-linecap: round;
  }
  .sketch .copy {
    fill: var(--_surface);
    stroke: var(--_accent);
  }
`
