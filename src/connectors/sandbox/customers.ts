import type { Customers } from '../../commerce/connector/parts.ts'
import { customerDefaults, personIn, type RemoteCustomer } from '../../commerce/customer.ts'
import { fieldsOf, numberIn, textIn } from '../../commerce/reading.ts'
import { readOne, readPage } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'
import { addressIn } from './translate-order.ts'

export const customers: Customers<Settings, Credentials> = {
  list: readPage('/customers'),
  get: readOne('/customers'),
  translate: toCustomer,
}

function toCustomer(raw: unknown): RemoteCustomer {
  const customer = fieldsOf(raw)
  const place = addressIn(customer['address'])
  return {
    ...customerDefaults,
    remote_id: textIn(customer, 'id'),
    ...personIn(customer),
    orders_count: numberIn(customer, 'orders'),
    addresses: place ? [place] : [],
    remote_created_at: textIn(customer, 'created_at'),
    remote_updated_at: textIn(customer, 'updated_at'),
    raw,
  }
}
