import { css, html, nothing, type TemplateResult } from 'lit'
import { copy } from '../../../parts/copy.ts'
import { icon } from '../../../parts/icons.ts'
import { badge, type Tone } from '../../../parts/status.ts'
import { empty, type Selection, table } from '../../../parts/table.ts'
import { time } from '../../../parts/time.ts'
import { api, ask } from '../../api.ts'
import { withQuery } from '../../router.ts'
import { showAll } from '../../show-all.ts'

/** What a webhook was sent, and how that went, attempt by attempt. */

export type Data = Awaited<ReturnType<typeof read>>
export type Delivery = Data['deliveries']['data'][number]
export type Detail = NonNullable<Data['detail']>

export const states = ['pending', 'delivered', 'failed', 'held', 'cancelled']
const tones: Readonly<Record<string, Tone>> = {
  delivered: 'positive',
  pending: 'notice',
  failed: 'critical',
  held: 'neutral',
  cancelled: 'neutral',
}

export async function read({ app = '', webhook = '' }: Readonly<Record<string, string>>, query: URLSearchParams) {
  const path = { appId: app, webhook }
  const state = query.get('state')
  const delivery = query.get('delivery')
  const [found, deliveries, detail] = await Promise.all([
    ask(api.GET('/api/2.0/user/apps/{appId}/webhooks/{webhook}', { params: { path } })),
    ask(
      api.GET('/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries', {
        params: {
          path,
          query: {
            page: Number(query.get('page') ?? 1),
            per_page: 25,
            ...(state && { 'filter[state]': state }),
          } as never,
        },
      }),
    ),
    delivery
      ? ask(
          api.GET('/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries/{delivery}', {
            params: { path: { ...path, delivery } },
          }),
        )
      : null,
  ])
  return { webhook: found.data, deliveries, detail: detail?.data ?? null }
}

interface Options {
  filtered: boolean
  /** Both null for those who may not. */
  onReplay: ((delivery: number) => void) | null
  select: Selection<Delivery> | null
}

export const deliveryTable = (
  deliveries: readonly Delivery[],
  { filtered, onReplay, select }: Options,
): TemplateResult =>
  table({
    caption: 'Deliveries',
    rows: deliveries,
    ...(select && { select }),
    link: ({ id }) => withQuery({ delivery: String(id) }),
    empty: filtered
      ? empty('No deliveries in this state', 'Choose “All” to see the others.', showAll({ state: null, page: null }))
      : empty('Nothing has been sent yet', 'Send a test, or wait for the first event.'),
    columns: [
      { head: 'Event', cell: ({ type }) => type },
      { head: 'State', cell: ({ state }) => badge(tones[state] ?? 'neutral', state) },
      { head: 'Attempts', cell: ({ attempts }) => attempts, number: true, wide: true },
      {
        head: 'Answer',
        cell: ({ response_status: status, error }) => (status ? `status ${status}` : (error ?? '')),
        wide: true,
      },
      { head: 'When', cell: ({ created_at: at }) => time(at) },
      {
        head: 'Actions',
        actions: true,
        cell: ({ id }) =>
          onReplay
            ? html`<button class="quiet" @click=${() => onReplay(id)}>${icon('refresh')}Replay</button>`
            : nothing,
      },
    ],
  })

export const deliveryDetail = (detail: Detail): TemplateResult =>
  html`<div class="stack">
    <dl><dt>Id</dt><dd>${copy(detail.event_id)}</dd><dt>Event</dt><dd>${detail.type}</dd><dt>State</dt><dd>${badge(tones[detail.state] ?? 'neutral', detail.state)}</dd></dl>
    <h3>Attempts</h3>
    ${
      detail.attempt_log.length === 0
        ? html`<p class="muted">None yet.</p>`
        : html`<ol class="attempts">${detail.attempt_log.map(
            ({ at, duration_ms: took, response_status: status, error, response_body: body }) =>
              html`<li>${time(at)}: ${status === null ? (error ?? 'no answer') : `status ${status}`} after ${took.toLocaleString('en')} ms${body ? html`<pre>${body}</pre>` : nothing}</li>`,
          )}</ol>`
    }
    <h3>Content</h3>
    <pre>${JSON.stringify(detail.data, null, 2)}</pre>
  </div>`

export const deliveryStyles = css`
  .attempts {
    margin: 0;
    padding-inline-start: 20px;
  }
`
