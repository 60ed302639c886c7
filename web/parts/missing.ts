import { html, type TemplateResult } from 'lit'
import type { Missing, MissingIn } from '../lib/missing.ts'
import { table } from './table.ts'
import { time } from './time.ts'

/** What is said in English; pages of other languages bring their own. */
export const missingWords = {
  /** What else the service says is shown as it says it. */
  reasons: {
    no_integration: 'No shop is connected yet, so there is nothing to search.',
    never_synced: 'The orders of this shop have not been synced yet.',
    not_in_shop: 'The shop had no such order when its orders were last synced.',
    not_received: 'None of the connected shops had such an order when its orders were last synced.',
  } as Record<string, string>,
  shop: 'Shop',
  lastSync: 'Last order sync',
  readUpTo: 'Shop read up to',
  found: 'What was found',
  notSynced: 'no sync has completed',
  nothing: 'no such order',
  setAside: (reason: string) => `quarantined: ${reason}`,
  lookedAt: 'What was looked at',
  more: (n: number) => `and ${n} more shops with the same result`,
}

/** More of them tell nothing more. */
const maxShown = 25

/** The reason, and each shop that was looked at. Those that hold the answer come first. */
export function missingOrder(
  { reason_code: code, reason, integrations }: Missing,
  options: {
    words?: typeof missingWords
    language?: string
    link?: (shop: MissingIn) => string
    /** What a code is in the language of the page; what has none is shown as the service says it. */
    say?: (reason: unknown) => string | null
  } = {},
): TemplateResult {
  const { words = missingWords, language = 'en', link, say = () => null } = options
  const weight = (one: MissingIn) => (one.set_aside ? 0 : one.last_completed_sync === null ? 1 : 2)
  const shown = integrations.toSorted((a, b) => weight(a) - weight(b)).slice(0, maxShown)
  const others = integrations.length - shown.length
  return html`<p>${words.reasons[code] ?? reason}</p>
    ${table({
      caption: words.lookedAt,
      rows: shown,
      empty: html``,
      ...(link && { link }),
      columns: [
        { head: words.shop, cell: ({ name, shop }) => (name === shop ? name : html`${name} (${shop})`) },
        {
          head: words.found,
          cell: ({ set_aside: aside, last_completed_sync: sync }) =>
            aside ? words.setAside(say(aside) ?? aside.reason) : sync ? words.nothing : words.notSynced,
        },
        { head: words.lastSync, cell: ({ last_completed_sync: sync }) => time(sync?.finished_at, { language }) },
        { head: words.readUpTo, cell: ({ watermark }) => time(watermark, { language }), wide: true },
      ],
    })}
    ${others > 0 ? html`<p class="muted small">${words.more(others)}</p>` : ''}`
}
