import type { ConnectorWebhooks, Delivery, WebhookTopic } from '../../commerce/connector/webhooks.ts'
import type { Spot, Webhooks } from '../../commerce/definition/webhooks.ts'
import { type Fields, fieldsOf, isFields } from '../../commerce/reading.ts'
import { say } from '../../commerce/words/say.ts'
import { isSigned } from '../../lib/hmac.ts'
import { parseForeignJson } from '../../lib/parse-json.ts'
import { Unreadable } from '../../lib/words/unreadable.ts'
import { recordIn } from './ask.ts'
import { readerOf } from './values.ts'

/** One message is about so many records at most; whoever sends more is asked for everything by the next reading. */
const maxRecords = 500

/** Messages as the description says: signed with a secret of this shop alone, and about records that are then read. */
export const webhooksOf = (rules: Webhooks): ConnectorWebhooks => ({
  topics: topicsOf(rules),
  registration: { kind: 'entered', secret: rules.signature.secret ?? 'ours' },
  verify: (delivery, { registration }) => {
    const message = signedIn(rules, delivery)
    const signature = signatureIn(rules, delivery)
    const { algorithm = 'sha256', encoding = 'hex' } = rules.signature
    return (
      signature !== null && registration.some((secret) => isSigned(message, { secret, signature, algorithm, encoding }))
    )
  },
  ...(rules.sent && { sentAt: (delivery) => sentAt(rules, delivery) }),
  read(delivery) {
    const body = fieldsOf(bodyIn(delivery))
    const word = rules.topic ? textAt(rules.topic, delivery) : '*'
    const topic = wordFor(rules, word)
    const records = rules.items === undefined ? [body] : readerOf(body).records(rules.items)
    if (records.length > maxRecords) throw new Unreadable(say('webhook_too_many', { max: maxRecords }))
    return {
      deliveryId: rules.delivery ? textAt(rules.delivery, delivery) : null,
      topic,
      changes:
        topic === null
          ? []
          : records.map((one) => ({
              kind: kindOf(topic),
              remoteId: readerOf(one).text(rules.id),
              raw: rawIn(rules, one),
            })),
      at: null,
    }
  },
})

function topicsOf({ topics }: Webhooks): Partial<Record<WebhookTopic, readonly string[]>> {
  const words: Partial<Record<WebhookTopic, string[]>> = {}
  for (const { theirs, ours } of topics) words[ours] = [...(words[ours] ?? []), theirs]
  return words
}

const wordFor = ({ topics }: Webhooks, word: string | null): WebhookTopic | null =>
  (topics.find(({ theirs }) => theirs === word) ?? topics.find(({ theirs }) => theirs === '*'))?.ours ?? null

function kindOf(topic: WebhookTopic): 'order' | 'product' | 'inventory' | 'shipment' {
  const [subject] = topic.split('.')
  return subject === 'product' || subject === 'inventory' || subject === 'shipment' ? subject : 'order'
}

function rawIn({ record }: Webhooks, one: Fields): unknown {
  const brought = record === undefined ? null : recordIn(one, record)
  return isFields(brought) ? brought : null
}

const bodyIn = ({ raw }: Delivery): unknown => parseForeignJson(raw.toString(), 64)

/** What a header or the body has there; null for nothing. */
function textAt({ header, at }: Spot, delivery: Delivery): string | null {
  if (header !== undefined) return delivery.headers[header.toLowerCase()] || null
  const body = bodyIn(delivery)
  return at === undefined || !isFields(body) ? null : readerOf(body).maybeText(at)
}

/** The bytes that the service signs. A part that is missing makes a message that nobody signed. */
function signedIn({ signature: { over, separator = '' } }: Webhooks, delivery: Delivery): Buffer {
  if (!over) return delivery.raw
  const parts = over.map(({ from, name, at, value = '' }) => {
    if (from === 'body') return delivery.raw
    if (from === 'text') return Buffer.from(value)
    const found = textAt(from === 'header' ? { header: name ?? '' } : { ...(at !== undefined && { at }) }, delivery)
    if (found === null) throw new Unreadable(say('webhook_not_whole'))
    return Buffer.from(found)
  })
  return Buffer.concat(parts.flatMap((part, n) => (n === 0 ? [part] : [Buffer.from(separator), part])))
}

function signatureIn({ signature: { header, prefix = '', encoding } }: Webhooks, { headers }: Delivery): string | null {
  const given = headers[header.toLowerCase()] ?? ''
  if (!given.startsWith(prefix)) return null
  const signature = given.slice(prefix.length).trim()
  return encoding === 'base64' ? signature : signature.toLowerCase()
}

/** A message that does not say when it was sent, although it should, was sent in no time that counts. */
function sentAt({ sent }: Webhooks, delivery: Delivery): number {
  const text = sent ? textAt(sent, delivery) : null
  if (text === null) return 0
  const at = readerOf({ at: text }, { time: sent?.time ?? 'unix' }).time('at')
  return Date.parse(at) / 1000
}
