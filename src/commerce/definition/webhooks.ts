import type { Static } from 'typebox'
import { choice, list, object, optional, text } from '../../lib/validation/fields.ts'
import { maybePlace, place, timeFormats } from './place.ts'
import { headerName } from './requests.ts'

/** The messages that shops of a described service send by themselves: whether one is genuine, and what it is about. */

/** What descriptions can speak of. What concerns a whole shop is never taken from them. */
export const describedTopics = [
  'order.created',
  'order.updated',
  'order.cancelled',
  'shipment.updated',
  'product.updated',
  'product.deleted',
  'inventory.updated',
] as const

/** Somewhere in a message: in one of its headers, or in its body. */
const spot = { header: optional(headerName()), at: maybePlace('A place in the body.') }

const somewhere = object(spot)

const signature = object({
  header: headerName('That brings the signature.'),
  algorithm: optional(choice(['sha256', 'sha1', 'sha512'], 'Of the HMAC; sha256 by default.')),
  encoding: optional(choice(['hex', 'base64'], 'hex by default.')),
  prefix: optional(text({ max: 40, trim: false, description: 'What stands before it, such as "sha256=".' })),
  over: optional(
    list(
      object({
        from: choice(['body', 'header', 'field', 'text']),
        name: optional(headerName('Of the header.')),
        at: maybePlace('Of the field.'),
        value: optional(text({ max: 100, trim: false, description: 'Of the text.' })),
      }),
      { min: 1, max: 10, description: 'What is signed, in this order; the body as it came by default.' },
    ),
  ),
  separator: optional(text({ max: 10, trim: false, description: 'Between these; nothing by default.' })),
  secret: optional(
    choice(
      ['ours', 'theirs'],
      'Who makes the secret: we, and it is entered there; or the service, and it is given to us.',
    ),
  ),
})

export const webhooks = object({
  signature,
  topic: optional(somewhere),
  topics: list(object({ theirs: text({ max: 100 }), ours: choice(describedTopics) }), { min: 1, max: 50 }),
  items: maybePlace('Where the body has a list of what it is about; the body is about one record if left out.'),
  id: place('Of the record: the order, also of a parcel; the product; the article of a level.'),
  record: maybePlace('Where the message brings the record as it is read elsewhere; it is asked for if left out.'),
  delivery: optional(somewhere),
  sent: optional(object({ ...spot, time: optional(choice(timeFormats, 'unix by default.')) })),
})

export type Webhooks = Static<typeof webhooks>
export type Spot = Static<typeof somewhere>
