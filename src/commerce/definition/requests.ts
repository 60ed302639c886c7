import { type Static, Type } from 'typebox'
import { anything, choice, flag, integer, list, object, optional, text } from '../../lib/validation/fields.ts'
import { maybePlace, path, place, timeFormats } from './place.ts'

/** How a service is asked: addresses, parameters, pages, and what is sent. */

/** Below the origin; what stands in braces is filled in. */
export const urlPath = (description?: string) =>
  text({
    max: 500,
    pattern: '^(/([A-Za-z0-9._~:@-]|\\{[a-z_]{1,20}\\}){1,200}){1,12}/?$',
    must: 'begin with "/" and hold letters, digits and {placeholders}, without a query',
    ...(description && { description }),
  })
export const parameter = (description?: string) =>
  text({
    max: 64,
    pattern: '^[A-Za-z0-9_.\\[\\]-]{1,64}$',
    must: 'be the name of a parameter: letters, digits, . _ - and brackets',
    ...(description && { description }),
  })
export const headerName = (description?: string) =>
  text({
    max: 64,
    pattern: '^[A-Za-z][A-Za-z0-9_-]{0,63}$',
    must: 'be the name of a header',
    ...(description && { description }),
  })

/** Parameters and headers that are the same each time, but for what stands in braces. */
const query = optional(list(object({ name: parameter(), value: text({ max: 500 }) }), { max: 20 }))
const headers = optional(list(object({ name: headerName(), value: text({ max: 500 }) }), { max: 10 }))

const carriers = ['query', 'header', 'body'] as const

const paging = object({
  style: choice(['none', 'page', 'offset', 'cursor', 'link', 'keyset']),
  parameter: optional(parameter('That says which page: its number, offset, cursor or last key.')),
  in: optional(choice(carriers, 'Where the parameters go; the query by default.')),
  first: optional(integer({ minimum: 0, maximum: 1, description: 'The number of the first page; 1.' })),
  size_parameter: optional(parameter()),
  size: optional(integer({ minimum: 1, maximum: 1000, description: 'Page size; 50 by default.' })),
  next: maybePlace('Where the body has the next cursor, or the address of the next page; else its Link header.'),
  next_header: optional(headerName('Which header has the next cursor, in the place of the body.')),
  key: maybePlace('Of the last record of a page: what the next page comes after.'),
})

const since = Type.Union([
  parameter('For what has changed since a time.'),
  object({
    name: parameter(),
    in: optional(choice(carriers)),
    template: optional(text({ max: 200, description: 'What is sent; {since} is the time: "updated:>={since}".' })),
    time: optional(choice(timeFormats)),
    zone: optional(text({ max: 64 })),
  }),
])

export const sentMoney = ['decimal', 'number', 'minor'] as const

/** What is sent: each place in the body, and the field of ours, the text or the constant that goes there. */
export const template = list(
  object({
    path: path(),
    field: optional(text({ max: 64 })),
    template: optional(text({ max: 500, description: 'Text with our fields in braces.' })),
    value: optional(anything()),
    time: optional(choice(timeFormats, 'How a time is written there.')),
    zone: optional(text({ max: 64 })),
    money: optional(choice(sentMoney, 'How an amount is written there: "12.50", 12.5 or 1250.')),
  }),
  { max: 50 },
)

export const listing = object({
  method: optional(choice(['GET', 'POST'], 'How the list is asked for; GET by default.')),
  path: urlPath(),
  items: maybePlace('Where the body has the list; the body itself if left out.'),
  total: maybePlace('Where the body says how many there are in all.'),
  since: optional(since),
  query,
  headers,
  body: optional(list(object({ path: path(), value: anything() }), { max: 50 })),
  paging,
})
export const getting = object({
  path: urlPath(),
  record: maybePlace('Where the body has the record.'),
  query,
  headers,
})

/** Records of another list or address that belong to those that were read; put into each of them as `name`. */
export const joins = optional(
  list(
    object({
      name: text({ max: 32, pattern: '^[a-z][a-z0-9_]{0,31}$', must: 'be lower case letters, digits and _' }),
      key: place('Of the record: what the others are asked for by.'),
      path: urlPath('With {key}, or {keys} where several are asked for at once.'),
      query,
      headers,
      items: maybePlace('Where the body has what was asked for; the body itself if left out.'),
      match: maybePlace('Of those: which key it belongs to. Needed with {keys}.'),
      many: optional(flag('Whether several belong to one record, such as its lines.')),
      batch: optional(integer({ minimum: 1, maximum: 100, description: 'How many {keys} at once; 25 by default.' })),
      paging: optional(paging),
    }),
    { max: 5 },
  ),
)

export const write = {
  method: choice(['POST', 'PUT', 'PATCH', 'DELETE']),
  path: urlPath(),
  query,
  headers,
  body: optional(template),
}

export type Listing = Static<typeof listing>
export type Getting = Static<typeof getting>
export type Template = Static<typeof template>
export type Join = NonNullable<Static<typeof joins>>[number]
export type Parameters = Static<typeof query>
