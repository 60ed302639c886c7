import type { Granted } from '../../../commerce/connector-auth.ts'
import { fieldsOf, textIn } from '../../../commerce/reading.ts'
import { credentialsRefused, shopAway } from '../../../commerce/remote.ts'
import { expiryOf } from '../../../commerce/wire/expiry.ts'
import type { Dialect } from '../dialect.ts'
import type { Credentials, SandboxShop } from '../settings.ts'
import { ask, record } from './ask.ts'
import { inventory, products } from './items.ts'
import { acknowledge, findShipped, orders, ship } from './orders.ts'

/** Keys are for ever, tokens for minutes; there is always another one for the same keys. */
async function renew({ remote, credentials }: SandboxShop): Promise<Granted<Credentials>> {
  const answer = await remote.request({
    method: 'POST',
    path: '/v1/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
    repeatable: true,
  })
  if (answer.status >= 400) throw credentialsRefused(needs)
  if (answer.status >= 300) throw shopAway(60)
  const body = fieldsOf(answer.body)
  const expiresAt = expiryOf(answer, body)
  const { expires_at: _, ...kept } = credentials
  const granted = { ...kept, access_token: textIn(body, 'access_token') }
  return { credentials: expiresAt === null ? granted : { ...granted, expires_at: expiresAt }, expiresAt }
}

const needs = ['client_id', 'client_secret'] as const

/** In the manner of the large marketplaces: tiny limits, orders to be acknowledged, no messages. */
export const market: Dialect = {
  needs,
  prove: async (shop) => {
    record(await ask(shop, 'seller.get', { method: 'GET', path: '/v1/seller' }))
  },
  renew,
  orders,
  acknowledge,
  products,
  inventory,
  ship,
  findShipped,
}
