import { arrayIn, bodyOf, fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import type { MissingRight } from '../../commerce/rules/rights.ts'
import { apiPath, type VendureShop } from './settings.ts'

export const where = 'Settings → Roles, in the role of the API key or administrator'

/** Any one of each. */
const needed = [
  ['ReadOrder'],
  ['UpdateOrder'],
  ['ReadCatalog', 'ReadProduct'],
  ['UpdateCatalog', 'UpdateProduct'],
  ['CreateCatalog', 'CreateProduct'],
  ['ReadStockLocation', 'ReadCatalog'],
]

/** What each right to read opens. */
const reads = [
  { any: ['ReadOrder'], query: 'query MayReadOrders { orders(options: { take: 1 }) { totalItems } }' },
  {
    any: ['ReadCatalog', 'ReadProduct'],
    query: 'query MayReadProducts { products(options: { take: 1 }) { totalItems } }',
  },
  {
    any: ['ReadStockLocation', 'ReadCatalog'],
    query: 'query MayReadPlaces { stockLocations(options: { take: 1 }) { totalItems } }',
  },
]

const query = 'query Rights { activeChannel { code } me { channels { code permissions } } }'

const send = (shop: VendureShop, text: string) =>
  shop.remote.request({ method: 'POST', path: apiPath(shop), body: { query: text, variables: {} }, repeatable: true })

/** Throws where it is the key that the server does not take. */
export async function missingRights(shop: VendureShop): Promise<MissingRight[]> {
  const missing = shop.credentials.api_key === undefined ? await missingInList(shop) : await missingByTrying(shop)
  return missing.map((any) => ({ name: any.join(' or '), where }))
}

/** The server lists the permissions of people, by channel. */
async function missingInList(shop: VendureShop): Promise<readonly string[][]> {
  const { activeChannel, me } = fieldsIn(fieldsOf(bodyOf(await send(shop, query))), 'data')
  const { code } = fieldsOf(activeChannel)
  const own = recordsIn(fieldsOf(me), 'channels').find((channel) => channel['code'] === code)
  const granted = new Set(own ? arrayIn(own, 'permissions') : [])
  if (granted.has('SuperAdmin')) return []
  return needed.filter((any) => !any.some((permission) => granted.has(permission)))
}

/** A key is nobody, so that `me` is forbidden to it whatever it may do: what it may read is tried. What it may change shows with the first change. */
async function missingByTrying(shop: VendureShop): Promise<readonly string[][]> {
  await send(shop, 'query Channel { activeChannel { code } }')
  const missing: string[][] = []
  for (const { any, query: text } of reads) if (!(await isOpen(shop, text))) missing.push(any)
  return missing
}

async function isOpen(shop: VendureShop, text: string): Promise<boolean> {
  try {
    await send(shop, text)
    return true
  } catch (error) {
    if (isCredentialsRefusal(error)) return false
    throw error
  }
}

const creating = ['createProduct', 'createProductOption', 'createProductOptionGroup']

/** What a change needs, by the name of its field: whoever cannot list rights learns it from there. */
export function rightTo(change: string): MissingRight {
  const [, update = [], , revise = [], create = []] = needed
  const any = creating.includes(change) ? create : change.includes('Product') ? revise : update
  return { name: any.join(' or '), where }
}
