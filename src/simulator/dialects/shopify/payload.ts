import type { Recorder } from '../../http/call.ts'
import { fieldsOf, textOf } from '../../json.ts'
import type { Address } from '../../shop/order.ts'
import { type Args, objectType, of } from './graphql/types.ts'

/** What a mutation is handed beside its arguments. */
export interface Request {
  record: Recorder
  /** Of `@idempotent`. */
  key: string | null
}

/** Mutations refuse with status 200 and a list of reasons. */
export interface Refusal {
  refused: { field: readonly string[]; message: string; code: string | null }
}

export const userError = (field: readonly string[], message: string, code: string | null = null): Refusal => ({
  refused: { field, message, code },
})

const userErrorType = objectType<Refusal['refused']>('UserError', {
  field: ({ field }) => field,
  message: ({ message }) => message,
  code: ({ code }) => code,
})

type Fields<Done> = Parameters<typeof objectType<Done>>[1]

/** A mutation: what it does, and the fields of what came of it. */
export function payload<Done extends object>(
  name: string,
  resolve: (request: Request, args: Args) => Done | Refusal,
  fields: Fields<Done>,
  errors = 'userErrors',
) {
  const whenDone = Object.entries(objectType<Done>(name, fields).fields).map(([key, field]) => [
    key,
    { ...field, resolve: (source: unknown, args: Args) => (isRefusal(source) ? null : field?.resolve(source, args)) },
  ])
  const type = objectType<unknown>(name, {
    ...Object.fromEntries(whenDone),
    [errors]: of(
      () => userErrorType,
      (source) => (isRefusal(source) ? [source.refused] : []),
    ),
  })
  return { type: () => type, connection: false, resolve }
}

const isRefusal = (source: unknown): source is Refusal =>
  typeof source === 'object' && source !== null && 'refused' in source

export function addressFrom(value: unknown): Partial<Address> {
  const input = fieldsOf(value)
  const known = {
    firstName: textOf(input['firstName']),
    lastName: textOf(input['lastName']),
    company: textOf(input['company']),
    street: textOf(input['address1']),
    extra: textOf(input['address2']),
    city: textOf(input['city']),
    region: textOf(input['province']),
    regionCode: textOf(input['provinceCode']),
    zip: textOf(input['zip']),
    country: textOf(input['country']),
    countryCode: textOf(input['countryCode']),
    phone: textOf(input['phone']),
  }
  return Object.fromEntries(Object.entries(known).filter(([, text]) => text !== null))
}
