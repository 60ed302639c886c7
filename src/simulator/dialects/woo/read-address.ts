import { fieldsOf, textOf } from '../../json.ts'
import type { Address } from '../../shop/order.ts'

export function addressFrom(value: unknown): Partial<Address> {
  const input = fieldsOf(value)
  const known = {
    firstName: textOf(input['first_name']),
    lastName: textOf(input['last_name']),
    company: textOf(input['company']),
    street: textOf(input['address_1']),
    extra: textOf(input['address_2']),
    city: textOf(input['city']),
    regionCode: textOf(input['state']),
    zip: textOf(input['postcode']),
    countryCode: textOf(input['country']),
    phone: textOf(input['phone']),
  }
  return Object.fromEntries(Object.entries(known).filter(([, text]) => text !== null))
}
