import type { Customers } from '../../commerce/connector/parts.ts'
import { customerDefaults, personIn, type RemoteCustomer } from '../../commerce/customer.ts'
import { fieldsOf, maybeText, recordsIn, textIn, timeIn, timeOf } from '../../commerce/reading.ts'
import { oneAt, pageBy } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'
import { toAddress } from './translate-order.ts'

const path = '/admin/customers'
const fields = 'id,email,first_name,last_name,phone,company_name,has_account,created_at,updated_at,*addresses'

/** Who bought without an account is a customer there as well: these are left out. */
const list = { path, name: 'customers', fields, filter: { has_account: true } }

export const customers: Customers<Settings, Credentials> = {
  list: (shop, { updatedSince, cursor, limit }) =>
    updatedSince === null
      ? pageBy('created_at', shop, list, { cursor, limit })
      : pageBy('updated_at', shop, list, { updatedSince: timeOf(updatedSince), cursor, limit }),
  get: (shop, remoteId) => oneAt(shop, `${path}/${encodeURIComponent(remoteId)}`, fields, 'customer'),
  translate: toCustomer,
}

function toCustomer(raw: unknown): RemoteCustomer {
  const customer = fieldsOf(raw)
  return {
    ...customerDefaults,
    remote_id: textIn(customer, 'id'),
    ...personIn(customer),
    company: maybeText(customer, 'company_name'),
    addresses: recordsIn({ rows: customer['addresses'] ?? [] }, 'rows').flatMap((place) => toAddress(place) ?? []),
    remote_created_at: timeIn(customer, 'created_at'),
    remote_updated_at: timeIn(customer, 'updated_at'),
    raw,
  }
}
