import { type Static, Type } from 'typebox'
import { nullable } from '../lib/validation/fields.ts'

const line = () => nullable(Type.String({ maxLength: 255 }))

/** A postal address. Platforms agree on little: what one does not report is null. */
export const addressSchema = Type.Object({
  name: line(),
  first_name: line(),
  last_name: line(),
  company: line(),
  line1: line(),
  line2: line(),
  line3: line(),
  city: line(),
  region: line(),
  region_code: line(),
  postal_code: line(),
  /** ISO 3166-1 alpha-2. */
  country_code: nullable(Type.String({ pattern: '^[A-Z]{2}$' })),
  phone: line(),
  email: line(),
})
export type Address = Static<typeof addressSchema>

const blank: Address = {
  name: null,
  first_name: null,
  last_name: null,
  company: null,
  line1: null,
  line2: null,
  line3: null,
  city: null,
  region: null,
  region_code: null,
  postal_code: null,
  country_code: null,
  phone: null,
  email: null,
}

/** An address from the parts that are known. */
export const address = (known: Partial<Address>): Address => ({ ...blank, ...known })
