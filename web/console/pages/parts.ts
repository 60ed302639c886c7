import { css, html, type TemplateResult } from 'lit'
import { gauges } from '../../design/tokens.ts'
import { Refusal } from '../../lib/ask.ts'
import '../../parts/chart.ts'
import '../../parts/combobox.ts'
import { copy } from '../../parts/copy.ts'
import '../../parts/dialog.ts'
import { define } from '../../parts/element.ts'
import { icon } from '../../parts/icons.ts'
import '../../parts/menu.ts'
import { problem } from '../../parts/problem.ts'
import { badge, type Tone } from '../../parts/status.ts'
import { empty, pager, table } from '../../parts/table.ts'
import { time } from '../../parts/time.ts'
import { timeline, timelines } from '../../parts/timeline.ts'
import { toast } from '../../parts/toast.ts'
import { Page } from '../page.ts'

/** Every part there is, in light and dark beside each other: for whoever builds pages, and in no program that is shipped. */

const colours = [
  'accent',
  'positive',
  'notice',
  'critical',
  'info',
  'text',
  'muted',
  'line',
  'surface',
  'sunken',
  'hover',
]
const tones: readonly Tone[] = ['positive', 'notice', 'critical', 'info', 'neutral']
const sizes = ['12px / 16px', '13px / 20px', '14px / 22px', '16px / 24px', '20px / 28px', '28px / 36px']
const rows = [
  { id: 1, name: 'Order 1001', state: 'PENDING', total: 2512 },
  { id: 2, name: 'Order 1002, whose name is so long that it needs more than one line', state: 'SHIPPED', total: 99 },
]
const days = Array.from({ length: 7 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString())

class Parts extends Page<{ open: boolean }> {
  static override properties = { ...Page.properties, asking: { state: true }, chosen: { state: true } }
  declare asking: boolean
  declare chosen: ReadonlySet<number>

  constructor() {
    super()
    this.asking = false
    this.chosen = new Set([1])
  }

  override async load() {
    return { open: true }
  }

  override show(): TemplateResult {
    return html`<h1>Parts</h1>
      <p class="muted">What pages and elements are built of. The page is there in development only.</p>
      <div class="schemes">${['light', 'dark'].map((scheme) => html`<section class="scheme ${scheme} stack" aria-label=${scheme}>${this.#all(scheme)}</section>`)}</div>
      <ep-dialog heading="Disconnect the shop?" ?open=${this.asking} @close=${() => {
        this.asking = false
      }}><p>Nothing more is fetched from it.</p><button slot="actions" class="critical">Disconnect shop</button></ep-dialog>`
  }

  #all(scheme: string): TemplateResult {
    return html`<h2>Colours</h2>
      <ul class="colours">${colours.map((name) => html`<li class="small"><span class="swatch ${name}"></span>${name}</li>`)}</ul>
      <h2>Type</h2>
      ${sizes.map((size, n) => html`<p class="size-${n}">${size}: 12,480 orders</p>`)}
      <h2>Buttons</h2>
      <div class="row"><button class="primary">Connect shop</button><button>${icon('refresh')}Try again</button><button class="quiet">Clear</button><button class="critical">Disconnect</button><button disabled>Nothing to do</button>
        <button @click=${() => toast('Saved.')}>Toast</button><button @click=${() => {
          this.asking = true
        }}>Dialog</button>
        <ep-menu label="Menu" icon="grid"><label class="row"><input type="checkbox" checked />Number</label><label class="row"><input type="checkbox" />Shop</label></ep-menu></div>
      <h2>States</h2>
      <div class="row">${tones.map((tone) => badge(tone, tone))}</div>
      <p class="notice">${icon('clock')}<span>The shop does not answer; it is asked again in a minute.</span></p>
      <p class="notice failed">${icon('warning')}<span>The shop has rejected the keys.</span></p>
      <h2>Fields</h2>
      <div class="field"><label for="name-${scheme}">Name</label><input id="name-${scheme}" value="Alder" /><span class="field-help">Shown to merchants.</span></div>
      <div class="field"><label for="wrong-${scheme}">Address</label><input id="wrong-${scheme}" aria-invalid="true" value="nowhere" /><span class="field-error">This is no address.</span></div>
      <label class="row">State<select><option>All</option><option>Pending</option></select></label>
      <ep-combobox label="Shop" value="" .shown=${'All shops'} .search=${async () => [{ value: '1', text: 'Alder', more: 'alder.example.com' }]}></ep-combobox>
      <h2>Table</h2>
      ${table({
        caption: `Orders, ${scheme}`,
        rows,
        link: () => '#',
        empty: empty('No orders', 'They come with the first sync.'),
        select: {
          able: () => true,
          chosen: ({ id }) => this.chosen.has(id),
          label: ({ name }) => `Select ${name}`,
          toggle: (some, on) => {
            const ids = some.map(({ id }) => id)
            this.chosen = new Set(on ? [...this.chosen, ...ids] : [...this.chosen].filter((id) => !ids.includes(id)))
          },
        },
        columns: [
          { head: 'Number', cell: ({ name }) => name },
          { head: 'State', cell: ({ state }) => badge(state === 'SHIPPED' ? 'positive' : 'notice', state) },
          { head: 'Total', cell: ({ total }) => total.toLocaleString('en'), number: true },
          { head: 'Placed', cell: () => time('2026-01-02T03:04:05Z'), wide: true },
        ],
      })}
      ${pager({ current_page: 2, last_page: 5, from: 21, to: 40, total: 93 }, () => undefined)}
      <h2>Nothing, and what went wrong</h2>
      ${empty('No webhooks yet', 'A webhook tells your software what happens.', html`<button class="primary">Add a webhook</button>`)}
      ${problem(
        new Refusal(
          503,
          { message: 'The service is busy. Try again in a moment.' },
          new Headers({ 'x-request-id': 'b7c1' }),
        ),
      )}
      <h2>Progress</h2>
      <progress max="100" value="40" aria-label="Progress, ${scheme}"></progress>
      <p>${copy('gid://shop/Order/1001')}</p>
      <ep-chart .heading=${'Orders'} .steps=${days} .step=${'day'} .unit=${'orders'} .series=${[{ name: 'Orders', colour: '--_accent', values: [3, 5, 2, 8, 13, 1, 4] }]}></ep-chart>
      ${timeline(
        [
          { at: '2026-01-02T03:04:05Z', title: 'Order received', status: 'done', event: 'order.received' },
          { at: '2026-01-02T03:04:06Z', title: 'Webhook failed', status: 'failed', event: 'delivery.failed' },
        ] as never,
        { label: `Steps, ${scheme}`, language: 'en', took: (text: string) => `took ${text}` },
      )}`
  }

  static override styles = [
    ...Page.styles,
    gauges,
    timelines,
    css`
      .schemes {
        display: grid;
        grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr));
        gap: 16px;
      }
      .scheme {
        padding: 16px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius-card);
        background: var(--_surface);
        color: var(--_text);
      }
      .light {
        color-scheme: light;
      }
      .dark {
        color-scheme: dark;
      }
      .colours {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(96px, 1fr));
        gap: 8px;
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .swatch {
        display: block;
        height: 24px;
        border: 1px solid var(--_line);
        border-radius: var(--_radius);
      }
      .swatch.accent { background: var(--_accent); }
      .swatch.positive { background: var(--_positive); }
      .swatch.notice { background: var(--_notice); }
      .swatch.critical { background: var(--_critical); }
      .swatch.info { background: var(--_info); }
      .swatch.text { background: var(--_text); }
      .swatch.muted { background: var(--_muted); }
      .swatch.line { background: var(--_line); }
      .swatch.surface { background: var(--_surface); }
      .swatch.sunken { background: var(--_sunken); }
      .swatch.hover { background: var(--_hover); }
      .size-0 { font: 400 12px / 16px var(--_font); }
      .size-1 { font: 400 13px / 20px var(--_font); }
      .size-2 { font: 400 14px / 22px var(--_font); }
      .size-3 { font: 400 16px / 24px var(--_font); }
      .size-4 { font: 600 20px / 28px var(--_font); }
      .size-5 { font: 600 28px / 36px var(--_font); }
    `,
  ]
}
define('ep-page-parts', Parts)
