import type { Opened } from '../../commerce/connector/auth.ts'
import { bodyOf, type Fields, fieldsOf, maybeText, recordsIn, textIn } from '../../commerce/reading.ts'
import { type RemoteRequest, refused } from '../../commerce/remote.ts'
import { type MissingRight, rightsRefused, type TriedRight } from '../../commerce/rules/rights.ts'
import { say } from '../../commerce/words/say.ts'
import type { Credentials, MedusaShop, Settings } from './settings.ts'

/** The key is the name of somebody without a password. */
export function authenticate(request: RemoteRequest, { secret_key: key }: Credentials): RemoteRequest {
  const authorization = `Basic ${Buffer.from(`${key}:`).toString('base64')}`
  return { ...request, headers: { ...request.headers, authorization } }
}

export async function storeOf({ remote }: MedusaShop): Promise<Fields> {
  const answer = await remote.request({ method: 'GET', path: '/admin/stores', query: { limit: 1 } })
  const [store] = recordsIn(fieldsOf(bodyOf(answer)), 'stores')
  if (!store) throw refused(say('no_store'))
  return store
}

/** The server is asked in which currency its books are. */
export async function openMedusa(shop: MedusaShop): Promise<Opened<Settings, Credentials>> {
  const { credentials, settings } = shop
  const store = await storeOf(shop)
  const currencies = recordsIn(store, 'supported_currencies')
  const own = currencies.find(({ is_default: isDefault }) => isDefault === true) ?? currencies[0]
  const currency = settings.currency ?? (own ? textIn(own, 'currency_code').toUpperCase() : undefined)
  return { settings: { ...settings, ...(currency === undefined ? {} : { currency }) }, credentials, expiresAt: null }
}

export async function checkAccess(shop: MedusaShop): Promise<void> {
  await storeOf(shop)
}

const where = "Settings → Roles, in the role of the key's maker"

/** Where the server has roles, a key may do what its maker may. There is no order of that name. */
export const checkRights = async ({ remote }: MedusaShop): Promise<MissingRight[]> =>
  await rightsRefused(remote, [
    ...['orders', 'products', 'inventory-items', 'stock-locations'].map(
      (name): TriedRight => ({
        name: `${name} (read)`,
        where,
        request: { method: 'GET', path: `/admin/${name}`, query: { limit: 1, fields: 'id' } },
      }),
    ),
    { name: 'orders (update)', where, request: { method: 'POST', path: '/admin/orders/order_0/cancel' } },
  ])

/** Where new products are sold. */
export const salesChannelOf = async (shop: MedusaShop): Promise<string | null> =>
  maybeText(await storeOf(shop), 'default_sales_channel_id')
