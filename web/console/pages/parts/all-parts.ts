import { html, type TemplateResult } from 'lit'
import { Refusal } from '../../../lib/ask.ts'
import '../../../parts/chart.ts'
import '../../../parts/combobox.ts'
import { copy } from '../../../parts/copy.ts'
import '../../../parts/dialog.ts'
import { icon } from '../../../parts/icons.ts'
import '../../../parts/menu.ts'
import { problem } from '../../../parts/problem.ts'
import { schemaForm } from '../../../parts/schema-form.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty, pager, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { timeline } from '../../../parts/timeline.ts'
import { toast } from '../../../parts/toast.ts'
import type { PartName } from './part-names.ts'

/** What the page remembers while somebody tries a part. */
export interface Trying {
  /** Whose dialog is open. */
  asking: string | null
  chosen: ReadonlySet<number>
  change(state: { asking?: string | null; chosen?: ReadonlySet<number> }): void
}

type Show = (scheme: string, trying: Trying) => TemplateResult

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
  { id: 1, name: 'Order 1001', state: 'Pending', total: 2512 },
  { id: 2, name: 'Order 1002, whose name is so long that it needs more than one line', state: 'Shipped', total: 99 },
]
const days = Array.from({ length: 7 }, (_, n) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString())

const orders: Show = (scheme, { chosen, change }) =>
  table({
    caption: `Orders, ${scheme}`,
    rows,
    link: () => '#',
    empty: empty('No orders', 'They come with the first sync.'),
    select: {
      able: () => true,
      chosen: ({ id }) => chosen.has(id),
      label: ({ name }) => `Select ${name}`,
      toggle: (some, on) => {
        const ids = some.map(({ id }) => id)
        change({ chosen: new Set(on ? [...chosen, ...ids] : [...chosen].filter((id) => !ids.includes(id))) })
      },
    },
    columns: [
      { head: 'Number', cell: ({ name }) => name },
      { head: 'State', cell: ({ state }) => badge(state === 'Shipped' ? 'positive' : 'notice', state) },
      { head: 'Total', cell: ({ total }) => total.toLocaleString('en'), number: true },
      { head: 'Placed', cell: () => time('2026-01-02T03:04:05Z'), wide: true },
    ],
  })

const question: Show = (scheme, { asking, change }) =>
  html`<button @click=${() => change({ asking: scheme })}>Disconnect shop</button>
    <ep-dialog heading="Disconnect the shop?" ?open=${asking === scheme} @close=${() => change({ asking: null })}>
      <p>Nothing more is fetched from it. What was fetched stays for 30 days.</p>
      <button slot="actions" class="critical">Disconnect shop</button>
    </ep-dialog>`

const form: Show = (scheme) =>
  schemaForm(
    {
      properties: {
        api_key: { type: 'string', title: 'API key', description: 'Under Settings → API of the shop.' },
        region: { type: 'string', enum: ['eu', 'us'], 'x-labels': { eu: 'Europe', us: 'United States' } },
        page_size: { type: 'integer', minimum: 1, maximum: 250 },
      },
      required: ['api_key', 'region'],
    },
    {
      ...{ prefix: `${scheme}.`, values: { region: 'eu' }, secret: false, language: 'en' },
      errors: { [`${scheme}.api_key`]: ['The shop rejected the key.'] },
      onChange: () => undefined,
      words: { optional: 'optional', choose: 'Choose', more: 'More settings' },
    },
  )

/** How each looks; the name is what `web/DESIGN.md` calls it. */
export const allParts: Readonly<Record<PartName, Show>> = {
  colours: () =>
    html`<ul class="colours">${colours.map((name) => html`<li class="small"><span class="swatch of-${name}"></span>${name}</li>`)}</ul>`,
  type: () => html`${sizes.map((size, n) => html`<p class="size-${n}">${size}: 12,480 orders</p>`)}`,
  buttons: () =>
    html`<div class="row"><button class="primary">Connect shop</button><button>${icon('refresh')}Try again</button><button class="quiet">Clear</button><button class="critical">Disconnect</button><button disabled>Nothing to do</button></div>`,
  menu: () =>
    html`<ep-menu label="Columns" icon="grid"><label class="row"><input type="checkbox" checked />Number</label><label class="row"><input type="checkbox" />Shop</label></ep-menu>`,
  badge: () => html`<div class="row">${tones.map((tone) => badge(tone, tone))}</div>`,
  notice: () =>
    html`<p class="notice">${icon('clock')}<span>The shop does not answer; it is asked again in a minute.</span></p>
      <p class="notice failed">${icon('warning')}<span>The shop has rejected the keys.</span></p>`,
  fields: (scheme) =>
    html`<div class="field"><label for="name-${scheme}">Name</label><input id="name-${scheme}" value="Alder" /><span class="field-help">Shown to merchants.</span></div>
      <div class="field"><label for="wrong-${scheme}">Address</label><input id="wrong-${scheme}" aria-invalid="true" value="nowhere" /><span class="field-error">This is no address.</span></div>
      <label class="row">State<select><option>All</option><option>Pending</option></select></label>`,
  combobox: () =>
    html`<ep-combobox label="Shop" value="" .shown=${'All shops'} .search=${async () => [{ value: '1', text: 'Alder', more: 'alder.example.com' }]}></ep-combobox>`,
  'schema-form': form,
  table: orders,
  pager: () => html`${pager({ current_page: 2, last_page: 5, from: 21, to: 40, total: 93 }, () => undefined)}`,
  empty: () =>
    empty(
      'No webhooks yet',
      'A webhook tells your software what happens.',
      html`<button class="primary">Add a webhook</button>`,
    ),
  problem: () => {
    const body = { message: 'The service is busy. Try again in a moment.' }
    return problem(new Refusal(503, body, new Headers({ 'x-request-id': 'b7c1' })), { retry: () => undefined })
  },
  progress: (scheme) => html`<progress max="100" value="40" aria-label="Progress, ${scheme}"></progress>`,
  'time-and-copy': () => html`<p>Placed ${time('2026-01-02T03:04:05Z')}, ${copy('gid://shop/Order/1001')}</p>`,
  chart: () =>
    html`<ep-chart .heading=${'Orders'} .steps=${days} .step=${'day'} .unit=${'orders'} .series=${[{ name: 'Orders', colour: '--_accent', values: [3, 5, 2, 8, 13, 1, 4] }]}></ep-chart>`,
  timeline: (scheme) =>
    timeline(
      [
        { at: '2026-01-02T03:04:05Z', title: 'Order received', status: 'done', event: 'order.received' },
        { at: '2026-01-02T03:04:06Z', title: 'Webhook failed', status: 'failed', event: 'delivery.failed' },
      ] as never,
      { label: `Steps, ${scheme}`, language: 'en', took: (text: string) => `took ${text}` },
    ),
  dialog: question,
  toast: () => html`<button @click=${() => toast('The colour has been saved.')}>Save</button>`,
}
