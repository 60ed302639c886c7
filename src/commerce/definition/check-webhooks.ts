import { isDeepStrictEqual } from 'node:util'
import type { FieldErrors } from '../../lib/fault.ts'
import { badFormat, merged, mustBe, prohibited, repeated, required } from './complaints.ts'
import type { Definition } from './definition.ts'
import type { Spot, Webhooks } from './webhooks.ts'

const at = 'definition.webhooks'

type Part = NonNullable<Webhooks['signature']['over']>[number]

export function webhookErrors(definition: Definition): FieldErrors {
  const { webhooks } = definition
  if (!webhooks) return {}
  const { topic, topics, delivery, sent, signature } = webhooks
  const words = topics.map(({ theirs }) => theirs)
  return merged([
    ...(topic ? [spotErrors(topic, `${at}.topic`)] : []),
    ...(delivery ? [spotErrors(delivery, `${at}.delivery`)] : []),
    ...(sent ? [spotErrors(sent, `${at}.sent`)] : []),
    ...(topic === undefined && !isDeepStrictEqual(words, ['*']) ? [required(`${at}.topic`)] : []),
    repeated(words, `${at}.topics`, 'theirs'),
    ...(signature.over ?? []).map((part, n) => overErrors(part, `${at}.signature.over.${n}`)),
    coverErrors(webhooks),
    ...topics.flatMap(({ ours }, n) => topicErrors(definition, ours, `${at}.topics.${n}.ours`)),
  ])
}

const spotErrors = ({ header, at: place }: Spot, where: string): FieldErrors =>
  (header === undefined) === (place === undefined) ? mustBe(where, 'must have exactly one of header, at') : {}

const wanted = { body: null, header: 'name', field: 'at', text: 'value' } as const

function overErrors(part: Part, where: string): FieldErrors {
  const own = wanted[part.from]
  return merged([
    ...(own !== null && part[own] === undefined ? [required(`${where}.${own}`)] : []),
    ...(['name', 'at', 'value'] as const).flatMap((name) =>
      name !== own && part[name] !== undefined ? [prohibited(`${where}.${name}`)] : [],
    ),
  ])
}

/** Only what is signed can be believed: which record a message is about, what it brings, and when it was sent. */
function coverErrors({ signature, id, items, record, sent }: Webhooks): FieldErrors {
  const over = signature.over ?? [{ from: 'body' as const }]
  if (over.every(({ from }) => from === 'text')) {
    return mustBe(`${at}.signature.over`, 'must hold something of the message')
  }
  const wholeBody = over.some(({ from }) => from === 'body')
  const covers = ({ header, at: place }: Spot) =>
    header === undefined
      ? wholeBody || over.some((part) => part.from === 'field' && isDeepStrictEqual(part.at, place))
      : over.some(({ from, name }) => from === 'header' && name?.toLowerCase() === header.toLowerCase())
  return merged([
    ...(sent && !covers(sent) ? [badFormat(`${at}.sent`, 'It must be part of what is signed.')] : []),
    ...(!wholeBody && items !== undefined ? [badFormat(`${at}.items`, 'The body must be signed as a whole.')] : []),
    ...(!wholeBody && record !== undefined ? [badFormat(`${at}.record`, 'The body must be signed as a whole.')] : []),
    ...(covers({ at: id }) ? [] : [badFormat(`${at}.id`, 'It must be part of what is signed.')]),
  ])
}

/** A message that nobody could follow would be taken, and lost. */
function topicErrors({ orders, products, inventory }: Definition, topic: string, where: string): FieldErrors[] {
  const subject = topic.split('.')[0]
  const missing =
    subject === 'product'
      ? products === undefined
        ? 'products'
        : products.get === undefined
          ? 'products.get'
          : null
      : subject === 'inventory'
        ? inventory === undefined && 'inventory'
        : orders === undefined && 'orders'
  return missing ? [mustBe(where, `needs definition.${missing}`)] : []
}
