import { html, type TemplateResult } from 'lit'
import { ask } from '../lib/ask.ts'
import { settled } from '../parts/settled.ts'
import { empty, table } from '../parts/table.ts'
import { time } from '../parts/time.ts'
import type { Client } from './embedded.ts'
import type { Words } from './words/index.ts'

/** The orders of one shop that changed last, by the shop's own word for how they stand. */

export type RecentOrders = Awaited<ReturnType<typeof readRecent>>

export async function readRecent(client: Client, integration: string, status: string) {
  const query = {
    ...{ integration_id: Number(integration), per_page: 20, sort: '-updated_at' },
    ...(status && { 'filter[remote_status]': status }),
  }
  const { data } = await ask(
    client.GET('/api/2.0/webcomponent/orders', {
      params: {
        query: query as never,
      },
    }),
  )
  return data
}

export function recentOrders(
  orders: RecentOrders,
  {
    words: { order: words },
    language,
    status,
    known,
    state,
    onStatus,
    onOrder,
  }: {
    words: Words
    language: string
    /** The shop's word that was chosen; '' is any. */
    status: string
    /** All words that have been in sight: a shop may have made up any number of its own. */
    known: readonly string[]
    /** What a state is called. */
    state: (code: string) => string
    onStatus: (status: string) => void
    onOrder: (number: string) => void
  },
): TemplateResult {
  const none =
    status === ''
      ? empty(words.recentNone, words.recentNoneHelp)
      : empty(words.recentNone, words.recentNoneFound(status))
  return html`<label class="row">${words.inShop}
      <select ${settled(onStatus)}>
        <option value="">${words.all}</option>
        ${known.map((one) => html`<option value=${one} .selected=${one === status}>${one}</option>`)}
      </select>
    </label>
    ${table({
      caption: words.recent,
      rows: orders,
      empty: none,
      columns: [
        {
          head: words.number,
          cell: ({ number, remote_id: id }) =>
            html`<button class="quiet" @click=${() => onOrder(number ?? id)}>${number ?? id}</button>`,
        },
        { head: words.status, cell: ({ status: one }) => state(one), wide: true },
        { head: words.inShop, cell: ({ remote_status: word }) => word ?? '' },
        { head: words.changed, cell: ({ updated_at: at }) => time(at, { language }), wide: true },
      ],
    })}`
}
