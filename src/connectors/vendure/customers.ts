import type { Customers } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { customerDefaults, personIn, type RemoteCustomer } from '../../commerce/customer.ts'
import { fieldsOf, idIn, isFields, maybeFields, recordsIn, timeIn, timeOf } from '../../commerce/reading.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import { rightsMissing } from '../../commerce/rules/rights.ts'
import { ask, channelQuery } from './ask.ts'
import { pageOf, since } from './pages.ts'
import { where } from './rights.ts'
import type { Credentials, Settings, VendureShop } from './settings.ts'
import { toAddress } from './translate-order.ts'

const fields = `
  id firstName lastName emailAddress phoneNumber createdAt updatedAt user { id }
  addresses { fullName company streetLine1 streetLine2 city province postalCode phoneNumber country { code name } }`

const listQuery = `query Customers($options: CustomerListOptions) {
  customers(options: $options) { totalItems items { ${fields} } }
}`
const oneQuery = `query Customer($id: ID!) { customer(id: $id) { ${fields} } }`

export const customers: Customers<Settings, Credentials> = { list, get, translate: toCustomer }

/** Who bought without an account is a customer there as well: these are left out. */
async function list(shop: VendureShop, { updatedSince, cursor, limit }: ReadQuery): Promise<RawPage> {
  const filter = updatedSince === null ? {} : { updatedAt: since(timeOf(updatedSince)) }
  const page = await allowed(shop, () =>
    pageOf(shop, { query: listQuery, name: 'customers', filter }, { cursor, limit }),
  )
  return { ...page, items: page.items.filter(({ user }) => user != null), total: null }
}

/** A right of its own, which nothing else here needs: without it the key is as good as before. */
async function allowed<T>(shop: VendureShop, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (!isCredentialsRefusal(error)) throw error
    // Throws where it is the key after all.
    await ask(shop, channelQuery)
    throw rightsMissing([{ name: 'ReadCustomer', where }])
  }
}

async function get(shop: VendureShop, id: string): Promise<unknown> {
  return /^\d{1,18}$|^[0-9a-f-]{36}$/.test(id)
    ? maybeFields(await allowed(shop, () => ask(shop, oneQuery, { id })), 'customer')
    : null
}

function toCustomer(raw: unknown): RemoteCustomer {
  const customer = fieldsOf(raw)
  return {
    ...customerDefaults,
    remote_id: idIn(customer, 'id'),
    ...personIn(customer, { email: 'emailAddress', first: 'firstName', last: 'lastName', phone: 'phoneNumber' }),
    // Orders keep the country as a word and a code.
    addresses: recordsIn({ rows: customer['addresses'] ?? [] }, 'rows').flatMap(({ country, ...place }) => {
      const { code, name } = isFields(country) ? country : {}
      return toAddress({ ...place, countryCode: code, country: name }) ?? []
    }),
    remote_created_at: timeIn(customer, 'createdAt'),
    remote_updated_at: timeIn(customer, 'updatedAt'),
    raw,
  }
}
