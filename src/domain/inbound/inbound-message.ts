import type { DeliveryReading } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import { whyOf } from '../../lib/fault.ts'
import { speaker, type Wording } from '../../lib/words/wording.ts'
import { factsOf } from '../shop/open-remote.ts'
import type { SyncKind } from '../sync/sync.ts'
import type { Finished, Recipient, WaitingDelivery } from './inbound-work-store.ts'

/** Why a message of a shop came to nothing. Other languages are in `web/components/reasons`; a test holds them against this. */
export const inboundSentences = {
  'message.lost': 'Its content is no longer available.',
  'message.no_webhooks': 'The service sends no webhooks.',
  'message.not_parsed': 'It could not be parsed: {reason}',
  'message.uninstalled': 'The integration is uninstalled.',
  'message.unsigned': 'The webhook was not signed by the platform.',
  'message.nothing_to_do': 'Nothing to do.',
  'message.crashed': 'Workers crashed while processing it.',
} as const

export const inboundWords = speaker(inboundSentences)

/** A message, understood. */
export interface Message {
  delivery: WaitingDelivery
  reading: DeliveryReading
}

/** Messages by what is to be done with them. */
export interface Sorted {
  /** About the integration as a whole: one after the other, in the order of arrival. */
  acts: Message[]
  /** About records of the shop. */
  records: Message[]
  /** Nobody may work on them now. */
  waiting: Message[]
  finished: Finished[]
}

const theWhole = (topic: string | null): boolean => topic === 'app.uninstalled' || isPrivacy(topic)
export const isPrivacy = (topic: string | null): boolean => topic?.startsWith('privacy.') ?? false

export function sortMessages(
  connector: Connector | undefined,
  recipient: Recipient,
  deliveries: readonly WaitingDelivery[],
): Sorted {
  const sorted: Sorted = { acts: [], records: [], waiting: [], finished: [] }
  const left = recipient.deleted || recipient.status === 'UNINSTALLED'
  const running = recipient.status === 'ACTIVE' && recipient.active
  for (const delivery of deliveries) {
    const read = readMessage(connector, recipient, delivery)
    if ('outcome' in read) {
      sorted.finished.push(read)
      continue
    }
    const { topic, changes } = read.reading
    const ignore = (error: Wording) => sorted.finished.push({ id: delivery.id, outcome: 'ignored', error })
    // What concerns everything is taken from the platform alone.
    if (theWhole(topic)) {
      if (delivery.verified && !(left && topic === 'app.uninstalled')) sorted.acts.push(read)
      else ignore(inboundWords(left ? 'message.uninstalled' : 'message.unsigned'))
    } else if (left) ignore(inboundWords('message.uninstalled'))
    else if (topic === null || changes.length === 0) ignore(inboundWords('message.nothing_to_do'))
    else if (running) sorted.records.push(read)
    else sorted.waiting.push(read)
  }
  return sorted
}

function readMessage(
  connector: Connector | undefined,
  recipient: Recipient,
  delivery: WaitingDelivery,
): Message | Finished {
  const { id, headers, query, body: raw } = delivery
  if (delivery.lost) return { id, outcome: 'failed', error: inboundWords('message.lost') }
  if (!connector?.webhooks) return { id, outcome: 'ignored', error: inboundWords('message.no_webhooks') }
  try {
    const message = { method: 'POST', headers, query, raw }
    return { delivery, reading: connector.webhooks.read(message, factsOf(connector, recipient)) }
  } catch (error) {
    return { id, outcome: 'failed', error: inboundWords('message.not_parsed', { reason: whyOf(error) }) }
  }
}

/** A record of the shop that messages are about; several on the same one come to one. */
export interface Subject {
  kind: SyncKind
  key: string
  /** What they have brought along of it. */
  raws: unknown[]
  /** Whether one of them did not bring it, or could have been written by anybody: then the shop is asked. */
  thin: boolean
  messages: Message[]
}

const kindOf = { order: 'orders', product: 'products', inventory: 'inventory', shipment: 'orders' } as const

/** The kinds of record that a message is about. */
export const subjectKindsOf = ({ changes }: Message['reading']): Set<SyncKind> =>
  new Set(changes.map(({ kind }) => kindOf[kind]))

export function subjectsOf(messages: readonly Message[]): Subject[] {
  const subjects = new Map<string, Subject>()
  for (const message of messages) {
    for (const { kind: subjectKind, remoteId: key, raw } of message.reading.changes) {
      const kind = kindOf[subjectKind]
      const subject = subjects.get(`${kind}/${key}`) ?? { kind, key, raws: [], thin: false, messages: [] }
      // A parcel comes with its order.
      if (raw === null || subjectKind === 'shipment' || !message.delivery.verified) subject.thin = true
      else subject.raws.push(raw)
      if (subject.messages.at(-1) !== message) subject.messages.push(message)
      subjects.set(`${kind}/${key}`, subject)
    }
  }
  return [...subjects.values()]
}
