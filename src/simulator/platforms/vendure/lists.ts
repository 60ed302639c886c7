import { GraphQLError } from 'graphql'
import { type Moment, momentOf, type Span, second, toSecond } from '../../clock.ts'
import { type Fields, fieldsOf, listOf } from '../../json.ts'
import { sortedBy } from '../../rows.ts'

export const userError = (message: string, code = 'USER_INPUT_ERROR'): GraphQLError =>
  new GraphQLError(message, { extensions: { code } })

export const notFound = (what: string, id: unknown): GraphQLError =>
  userError(`No ${what} with the id "${id}" could be found`, 'ENTITY_NOT_FOUND')

const maxTake = 1000

export function optionsIn(args: Fields): { take: number; skip: number; filter: Fields } {
  const { take, skip, filter } = fieldsOf(args['options'])
  const wanted = typeof take === 'number' ? take : 100
  if (wanted > maxTake) throw userError(`Cannot take more than ${maxTake} results from a list query`)
  return { take: wanted, skip: typeof skip === 'number' ? skip : 0, filter: fieldsOf(filter) }
}

/** Whether a record is within a filter: all that is named, and any of `_or`. Times are moments. */
export const isWithin = (filter: Fields, read: (name: string) => unknown): boolean =>
  Object.entries(filter).every(([name, wanted]) =>
    name === '_or'
      ? listOf(wanted).some((one) => isWithin(fieldsOf(one), read))
      : Object.entries(fieldsOf(wanted)).every(([operator, value]) => tests[operator]?.(read(name), value)),
  )

const tests: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  eq: (value, wanted) => value === wanted,
  notEq: (value, wanted) => value !== wanted,
  in: (value, wanted) => listOf(wanted).includes(value),
  notIn: (value, wanted) => !listOf(wanted).includes(value),
  after: (value, wanted) => Number(value) > momentIn(wanted),
  before: (value, wanted) => Number(value) < momentIn(wanted),
}

const momentIn = (text: unknown): Moment => {
  const at = momentOf(String(text))
  if (at === null) throw userError(`"${text}" is no time`)
  return at
}

/** The same, as bounds of whole seconds: at or after, and before. */
export function spanIn(filter: unknown): Span {
  const { after, before } = fieldsOf(filter)
  return {
    from: after === undefined ? null : toSecond(momentIn(after)) + second,
    before: before === undefined ? null : Math.ceil(momentIn(before) / second) * second,
  }
}

/** A list that is short enough to be looked through: oldest first, as everybody asks for it. */
export function pageAmong<T>(
  rows: readonly T[],
  args: Fields,
  { read, view }: { read(row: T, name: string): unknown; view(row: T): Fields },
) {
  const { take, skip, filter } = optionsIn(args)
  const found = rows.filter((row) => isWithin(filter, (name) => read(row, name)))
  const sorted = sortedBy(found, ['createdAt', 'id'], (row, name) => Number(read(row, name)))
  return { totalItems: found.length, items: sorted.slice(skip, skip + take).map(view) }
}
