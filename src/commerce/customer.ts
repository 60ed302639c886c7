import { type Static, Type } from 'typebox'
import { nullable } from '../lib/validation/fields.ts'

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
