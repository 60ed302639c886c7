import type { Granted } from '../../../commerce/connector-auth.ts'
import { fieldsOf, isFields, textIn } from '../../../commerce/reading.ts'
import { credentialsRefused, shopAway } from '../../../commerce/remote.ts'
import { expiryOf } from '../../../commerce/wire/expiry.ts'
import type { Dialect } from '../dialect.ts'
import type { Credentials, SandboxShop } from '../settings.ts'
import { ask } from './graphql.ts'
import { findShipped, orders, ship } from './orders.ts'
import { inventory, products } from './products.ts'
import { webhooks } from './webhooks.ts'

/** A refresh token works once. What comes in its place must be kept, or the shop is lost to us. */
async function renew({ remote, credentials }: SandboxShop): Promise<Granted<Credentials>> {
  const { client_id, client_secret, refresh_token } = credentials
  const answer = await remote.request({
    method: 'POST',
    path: '/admin/oauth/access_token',
    body: { client_id, client_secret, refresh_token, grant_type: 'refresh_token' },
  })
  if (answer.status >= 400) {
    const gone = isFields(answer.body) && /^invalid_(?:grant|client)$/.test(String(answer.body['error']))
    throw gone ? credentialsRefused(['refresh_token']) : shopAway(60)
  }
  const body = fieldsOf(answer.body)
  const expiresAt = expiryOf(answer, body)
  const { expires_at: _, ...kept } = credentials
  const granted = {
    ...kept,
    access_token: textIn(body, 'access_token'),
    refresh_token: textIn(body, 'refresh_token'),
  }
  return { credentials: expiresAt === null ? granted : { ...granted, expires_at: expiresAt }, expiresAt }
}

/** In the manner of the large hosted shops: GraphQL, points, tokens that end. */
export const shopify: Dialect = {
  needs: ['client_id', 'client_secret', 'access_token', 'refresh_token'],
  prove: async (shop) => {
    await ask(shop, { text: 'query Prove { shop { id myshopifyDomain } }', cost: 2 })
  },
  renew,
  orders,
  products,
  inventory,
  ship,
  findShipped,
  webhooks,
}
