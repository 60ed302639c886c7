import type { Customers } from '../../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../../commerce/connector/reads.ts'
import { customerDefaults, personIn, type RemoteCustomer } from '../../../commerce/customer.ts'
import { fieldsOf, idIn, maybeText, recordsIn, timeIn } from '../../../commerce/reading.ts'
import { listByTime, secondsFrom } from '../../../commerce/wire/time-pages.ts'
import { asked, askPage, isId } from '../ask.ts'
import type { BigShop, Credentials, Settings } from '../settings.ts'
import { toAddress } from '../translate-order.ts'

/** Needs the right Customers (read-only). */
export const customers: Customers<Settings, Credentials> = { list, get, translate: toCustomer }

const path = '/v3/customers'
const maxCustomers = 250

async function list(shop: BigShop, query: ReadQuery): Promise<RawPage> {
  const size = Math.min(query.limit, maxCustomers)
  return await listByTime(
    {
      size,
      idOf: (row) => idIn(row, 'id'),
      timeOf: (row) => timeIn(row, 'date_modified'),
      ask: ({ from, until, page }) =>
        askPage(shop, path, {
          include: 'addresses',
          sort: 'date_modified:asc',
          'date_modified:min': asked(from),
          'date_modified:max': until && asked(secondsFrom(until, -1)),
          limit: size,
          page,
        }),
    },
    query,
  )
}

async function get(shop: BigShop, remoteId: string): Promise<unknown> {
  if (!isId(remoteId)) return null
  const { rows } = await askPage(shop, path, { 'id:in': remoteId, include: 'addresses', limit: 1 })
  return rows[0] ?? null
}

function toCustomer(raw: unknown): RemoteCustomer {
  const customer = fieldsOf(raw)
  const places = customer['addresses'] == null ? [] : recordsIn(customer, 'addresses')
  const wanted = customer['accepts_product_review_abandoned_cart_emails']
  return {
    ...customerDefaults,
    remote_id: idIn(customer, 'id'),
    ...personIn(customer),
    company: maybeText(customer, 'company'),
    accepts_marketing: typeof wanted === 'boolean' ? wanted : null,
    // Orders call the parts of an address by other names.
    addresses: places.flatMap(
      ({ address1, address2, state_or_province, postal_code, country_code, ...place }) =>
        toAddress({
          ...{ ...place, street_1: address1, street_2: address2, state: state_or_province },
          ...{ zip: postal_code, country_iso2: country_code },
        }) ?? [],
    ),
    remote_created_at: timeIn(customer, 'date_created'),
    remote_updated_at: timeIn(customer, 'date_modified'),
    raw,
  }
}
