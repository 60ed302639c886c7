import type { Customers } from '../../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../../commerce/connector/reads.ts'
import { customerDefaults, type RemoteCustomer } from '../../../commerce/customer.ts'
import { arrayIn, fieldsIn, fieldsOf, maybeFields, maybeText, textIn, timeIn } from '../../../commerce/reading.ts'
import { ask, askSized, isGid, nextIn, nodesIn, type Query, since } from '../ask.ts'
import type { Credentials, Settings, ShopifyShop } from '../settings.ts'
import { toAddress } from '../translate-order.ts'

/** Needs `read_customers`, and the platform's leave to see protected data. */
export const customers: Customers<Settings, Credentials> = { list, get, translate: toCustomer }

const fields = `
  id firstName lastName tags numberOfOrders createdAt updatedAt
  defaultEmailAddress { emailAddress marketingState }
  defaultPhoneNumber { phoneNumber }
  addressesV2(first: 10) {
    nodes { name firstName lastName company address1 address2 city province provinceCode zip countryCodeV2 phone }
  }`

const page: Query = {
  cost: 30,
  text: `query Customers($first: Int!, $after: String, $query: String) {
  customers(first: $first, after: $after, query: $query, sortKey: UPDATED_AT) {
    pageInfo { hasNextPage endCursor }
    nodes { ${fields} }
  }
}`,
}

const one: Query = { cost: 3, text: `query Customer($id: ID!) { customer(id: $id) { ${fields} } }` }

const maxCustomers = 100

async function list(shop: ShopifyShop, { updatedSince, cursor, limit }: ReadQuery): Promise<RawPage> {
  const asked = { first: Math.min(limit, maxCustomers), after: cursor, query: since(updatedSince) }
  const { data } = await askSized(shop, page, asked)
  return { items: nodesIn(data, 'customers'), next: nextIn(fieldsIn(data, 'customers')), total: null }
}

async function get(shop: ShopifyShop, id: string): Promise<unknown> {
  return isGid(id, 'Customer') ? maybeFields(await ask(shop, one, { id }), 'customer') : null
}

function toCustomer(raw: unknown): RemoteCustomer {
  const customer = fieldsOf(raw)
  const mail = maybeFields(customer, 'defaultEmailAddress') ?? {}
  const state = maybeText(mail, 'marketingState')
  return {
    ...customerDefaults,
    remote_id: textIn(customer, 'id'),
    email: maybeText(mail, 'emailAddress'),
    first_name: maybeText(customer, 'firstName'),
    last_name: maybeText(customer, 'lastName'),
    phone: maybeText(maybeFields(customer, 'defaultPhoneNumber') ?? {}, 'phoneNumber'),
    tags: arrayIn(customer, 'tags').map(String),
    accepts_marketing: state === null ? null : state === 'SUBSCRIBED',
    // A number too large for JSON, and so a text.
    orders_count: Number(textIn(customer, 'numberOfOrders')),
    addresses: nodesIn(customer, 'addressesV2').flatMap((place) => toAddress(place) ?? []),
    remote_created_at: timeIn(customer, 'createdAt'),
    remote_updated_at: timeIn(customer, 'updatedAt'),
    raw,
  }
}
