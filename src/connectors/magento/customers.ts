import type { Customers } from '../../commerce/connector/parts.ts'
import { customerDefaults, personIn, type RemoteCustomer } from '../../commerce/customer.ts'
import { fieldsOf, idIn, isFields, maybeFields, maybeText, maybeTime, recordsIn } from '../../commerce/reading.ts'
import { isId, search } from './ask.ts'
import { listChanged } from './pages.ts'
import type { Credentials, MagentoShop, Settings } from './settings.ts'
import { toAddress } from './translate-order.ts'

/** Needs the resource Customers of the integration. */
export const customers: Customers<Settings, Credentials> = {
  list: (shop, query) => listChanged(shop, path, { ...query, idField: 'id' }),
  get,
  translate: toCustomer,
}

const path = 'customers/search'

async function get(shop: MagentoShop, remoteId: string): Promise<unknown> {
  if (!isId(remoteId)) return null
  const { rows } = await search(shop, path, { filters: [['entity_id', 'eq', remoteId]], size: 1 })
  return rows[0] ?? null
}

function toCustomer(raw: unknown): RemoteCustomer {
  const customer = fieldsOf(raw)
  const places = customer['addresses'] == null ? [] : recordsIn(customer, 'addresses')
  const subscribed = maybeFields(customer, 'extension_attributes')?.['is_subscribed']
  return {
    ...customerDefaults,
    remote_id: idIn(customer, 'id'),
    ...personIn(customer, { first: 'firstname', last: 'lastname' }),
    phone: places.map((place) => maybeText(place, 'telephone')).find((phone) => phone !== null) ?? null,
    company: places.map((place) => maybeText(place, 'company')).find((company) => company !== null) ?? null,
    accepts_marketing: typeof subscribed === 'boolean' ? subscribed : null,
    // Orders have the region as a text, and accounts as a record.
    addresses: places.flatMap(
      ({ region, ...place }) =>
        toAddress(
          isFields(region) ? { ...place, region: region['region'], region_code: region['region_code'] } : place,
        ) ?? [],
    ),
    remote_created_at: maybeTime(customer, 'created_at'),
    remote_updated_at: maybeTime(customer, 'updated_at'),
    raw,
  }
}
