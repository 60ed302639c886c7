import { arrayIn, bodyOf, fieldsIn, fieldsOf, recordsIn } from '../../commerce/reading.ts'
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
  ['ReadStockLocation'],
]

const query = 'query Rights { activeChannel { code } me { channels { code permissions } } }'

/** The server lists permissions by channel. Throws where it is the key that it does not take. */
export async function missingRights(shop: VendureShop): Promise<MissingRight[]> {
  const request = { method: 'POST', path: apiPath(shop), body: { query, variables: {} }, repeatable: true } as const
  const { activeChannel, me } = fieldsIn(fieldsOf(bodyOf(await shop.remote.request(request))), 'data')
  const { code } = fieldsOf(activeChannel)
  const own = recordsIn(fieldsOf(me), 'channels').find((channel) => channel['code'] === code)
  const granted = new Set(own ? arrayIn(own, 'permissions') : [])
  if (granted.has('SuperAdmin')) return []
  const missing = needed.filter((any) => !any.some((permission) => granted.has(permission)))
  return missing.map((any) => ({ name: any.join(' or '), where }))
}
