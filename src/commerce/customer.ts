import { type Static, Type } from 'typebox'
import { nullable } from '../lib/validation/fields.ts'
import { addressSchema } from './address.ts'
import { type Fields, maybeText } from './reading.ts'

/** Who bought. Marketplaces often hide all but an alias of the address. */
export const customerSchema = Type.Object({
  remote_id: nullable(Type.String()),
  email: nullable(Type.String()),
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  phone: nullable(Type.String()),
  is_guest: Type.Boolean(),
})
export type Customer = Static<typeof customerSchema>

/** Somebody with an account in the shop. */
export const remoteCustomerSchema = Type.Object({
  remote_id: Type.String(),
  email: nullable(Type.String()),
  first_name: nullable(Type.String()),
  last_name: nullable(Type.String()),
  phone: nullable(Type.String()),
  company: nullable(Type.String()),
  tags: Type.Array(Type.String()),
  /** Whether letters of the shop are wanted; null where the platform does not say. */
  accepts_marketing: nullable(Type.Boolean()),
  /** How often something was bought, where the platform counts. */
  orders_count: nullable(Type.Integer({ minimum: 0 })),
  addresses: Type.Array(addressSchema),
  remote_created_at: nullable(Type.String()),
  remote_updated_at: nullable(Type.String()),
  raw: Type.Unknown(),
})
export type RemoteCustomer = Static<typeof remoteCustomerSchema>

/** Where a platform says nothing of it. */
export const customerDefaults = {
  company: null,
  tags: [],
  accepts_marketing: null,
  orders_count: null,
  addresses: [],
} satisfies Partial<RemoteCustomer>

/** Somebody's name and how they are reached, where the platform tells that in one record; its words, if they are others. */
export const personIn = (
  record: Fields,
  { email = 'email', first = 'first_name', last = 'last_name', phone = 'phone' } = {},
): Pick<Customer, 'email' | 'first_name' | 'last_name' | 'phone'> => ({
  email: maybeText(record, email),
  first_name: maybeText(record, first),
  last_name: maybeText(record, last),
  phone: maybeText(record, phone),
})
