import type { Customers } from '../../commerce/connector/parts.ts'
import { customerDefaults, personIn, type RemoteCustomer } from '../../commerce/customer.ts'
import { fieldsOf, idIn, maybeFields, maybeText, maybeTime } from '../../commerce/reading.ts'
import { changedAt, findOne, listById } from './pages.ts'
import { type Credentials, root, type Settings } from './settings.ts'
import { toAddress } from './translate-order.ts'

const path = `${root}/customers`

/** They cannot be asked for by the time of their change: all are gone through, and what is older is left out. */
export const customers: Customers<Settings, Credentials> = {
  list: (shop, query) => listById(shop, path, query),
  get: (shop, remoteId) => findOne(shop, path, remoteId),
  translate: toCustomer,
}

function toCustomer(raw: unknown): RemoteCustomer {
  const customer = fieldsOf(raw)
  const [billing, shipping] = ['billing', 'shipping'].map((name) => maybeFields(customer, name))
  const places = [billing, shipping].flatMap((place) => toAddress(place ?? null) ?? [])
  return {
    ...customerDefaults,
    remote_id: idIn(customer, 'id'),
    ...personIn(customer),
    phone: maybeText(billing ?? {}, 'phone'),
    company: maybeText(billing ?? {}, 'company'),
    addresses: places,
    remote_created_at: maybeTime(customer, 'date_created_gmt'),
    remote_updated_at: changedAt(customer),
    raw,
  }
}
