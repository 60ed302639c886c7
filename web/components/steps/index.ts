/**
 * What the steps of a passport are called in languages other than English: the code of a step and its details decide, never its
 * English title. What has no words here is shown as the service says it.
 */
export interface StepWords {
  placed: string
  received: string
  receivedTopic: (topic: string) => string
  verified: string
  unverified: string
  /** What became of a message, by its outcome. */
  outcomes: Readonly<Record<'stored' | 'unchanged' | 'removed' | 'set_aside' | 'acted' | 'ignored' | 'failed', string>>
  run: string
  stored: (state: string) => string
  made: (state: string) => string
  /** Who changed it, by source. */
  changed: Readonly<Record<'api' | 'shop' | 'webhook' | 'shipment' | 'other', string>>
  became: (who: string, before: string, after: string) => string
  inShop: (who: string, word: string) => string
  acknowledged: string
  returnRequested: string
  refunded: (amount: string) => string
  /** What is written back, by the kind of change: the noun with its article, as an object. */
  changes: Readonly<Record<Change, string>>
  planned: (what: string) => string
  sent: (what: string) => string
  confirmed: (what: string) => string
  rejected: (what: string) => string
  shipment: string
  shipmentWith: (carrier: string) => string
  queued: (event: string) => string
  accepted: (event: string) => string
  refused: (event: string, attempt: string) => string
  /** States of orders. */
  states: Readonly<Record<State, string>>
  /** What else stands as a code among details. */
  values: Readonly<Record<Value, string>>
  /** Names of details. */
  details: Readonly<Record<Detail, string>>
}

export type Change =
  | 'create_shipment'
  | 'amend_shipment'
  | 'cancel_shipment'
  | 'cancel_order'
  | 'cancel_order_lines'
  | 'create_refund'
  | 'annotate_order'
  | 'hold_order'
  | 'release_order'
  | 'capture_payment'
  | 'acknowledge_orders'

export type State =
  | 'UNPAID'
  | 'ON_HOLD'
  | 'PENDING'
  | 'ACKNOWLEDGED'
  | 'SHIPPED'
  | 'DELIVERED'
  | 'CANCELLED'
  | 'REFUNDED'

export type Value =
  | 'true'
  | 'false'
  | 'stored'
  | 'unchanged'
  | 'removed'
  | 'set_aside'
  | 'acted'
  | 'ignored'
  | 'failed'
  | 'queued'
  | 'running'
  | 'completed'
  | 'cancelled'
  | 'confirmed'
  | 'refused'
  | 'pending'
  | 'held'
  | 'delivered'
  | 'schedule'
  | 'replay'
  | 'api'
  | 'shop'
  | 'webhook'
  | 'shipment'
  | 'requested'
  | 'approved'
  | 'partially_received'
  | 'received'
  | 'declined'
  | 'unknown'
  | 'IN_TRANSIT'
  | 'FAILED'

/** Details that are codes; those of shops and people are shown as they are. */
const coded = new Set(['signed', 'outcome', 'status', 'previous_status', 'result', 'state', 'trigger', 'source'])

export type Detail =
  | 'topic'
  | 'attempts'
  | 'attempt'
  | 'error'
  | 'signed'
  | 'outcome'
  | 'resource'
  | 'status'
  | 'previous_status'
  | 'remote_status'
  | 'finished_at'
  | 'shipped_at'
  | 'remote_id'
  | 'lines'
  | 'amount'
  | 'currency'
  | 'source'
  | 'note'
  | 'tracking_number'
  | 'carrier'
  | 'change'
  | 'result'
  | 'event'
  | 'state'
  | 'trigger'
  | 'response_status'
  | 'answered_in_ms'

/** As much of a step as its title follows from. */
interface Step {
  kind: string
  title: string
  status: string
  details: unknown
}

const isKeyOf = <Keys extends string>(known: Readonly<Record<Keys, string>>, key: string): key is Keys =>
  Object.hasOwn(known, key)

/** The title of a step, by its code and what it is about; its own one where we have no words for it. */
export function titleOf({ kind, title, status, details }: Step, words: StepWords): string {
  const said = (name: string): string => {
    const value = details && typeof details === 'object' ? Object.entries(details).find(([key]) => key === name) : null
    return value?.[1] === null || value?.[1] === undefined ? '' : String(value[1])
  }
  const named = <Keys extends string>(known: Readonly<Record<Keys, string>>, key: string) =>
    isKeyOf(known, key) ? known[key] : key
  const state = (name: string) => named(words.states, said(name))
  const change = isKeyOf(words.changes, said('change')) ? words.changes[said('change') as Change] : null
  switch (kind) {
    case 'order.placed':
      return words.placed
    case 'inbound.received':
      return said('topic') === '' ? words.received : words.receivedTopic(said('topic'))
    case 'inbound.verified':
      return said('signed') === 'true' ? words.verified : words.unverified
    case 'inbound.processed':
      return named(words.outcomes, said('outcome') || 'acted')
    case 'run.started':
      return words.run
    case 'order.stored':
      return said('source') === 'api' ? words.made(state('status')) : words.stored(state('status'))
    case 'order.changed': {
      const who = isKeyOf(words.changed, said('source')) ? said('source') : 'other'
      const whose = named(words.changed, who)
      if (said('previous_status') !== '') return words.became(whose, state('previous_status'), state('status'))
      return said('note') !== '' ? `${whose}.` : words.inShop(whose, said('remote_status'))
    }
    case 'order.acknowledged':
      return words.acknowledged
    case 'order.return_requested':
      return words.returnRequested
    case 'order.refunded':
      return words.refunded(`${said('amount')} ${said('currency')}`.trim())
    case 'writeback.planned':
      return change === null ? title : words.planned(change)
    case 'writeback.sent':
      return change === null ? title : words.sent(change)
    case 'writeback.ended':
      if (change === null) return title
      return status === 'failed' ? words.rejected(change) : words.confirmed(change)
    case 'shipment.recorded':
      return said('carrier') === '' ? words.shipment : words.shipmentWith(said('carrier'))
    case 'webhook.queued':
      return words.queued(said('event'))
    case 'webhook.attempted':
      return status === 'done' ? words.accepted(said('event')) : words.refused(said('event'), said('attempt'))
    default:
      return title
  }
}

/** Names of details, and codes among their values. */
export const detailOf = (words: StepWords) => ({
  name: (key: string): string => (isKeyOf(words.details, key) ? words.details[key] : key.replaceAll('_', ' ')),
  value: (name: string, value: string): string => {
    if (!coded.has(name)) return value
    if (isKeyOf(words.states, value)) return words.states[value]
    return isKeyOf(words.values, value) ? words.values[value] : value
  },
})

/** What a language says of steps. It comes with its words, so that nobody loads it who reads English. */
export const sayIn = (words: StepWords) => ({
  title: (step: Step): string => titleOf(step, words),
  ...detailOf(words),
})

export type Said = ReturnType<typeof sayIn>
