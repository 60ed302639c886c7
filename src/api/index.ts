import type { Endpoint } from '../runtime/http/endpoint.ts'
import { oauthMetadata } from './oauth/metadata.ts'
import { oauthTokens } from './oauth/token.ts'
import { v1Companies } from './v1/companies.ts'
import { gatewayInventory } from './v1/gateway/inventory.ts'
import { gatewayOrders } from './v1/gateway/orders.ts'
import { gatewayProducts } from './v1/gateway/products.ts'
import { gatewayRequests } from './v1/gateway/requests.ts'
import { gatewayShipments } from './v1/gateway/shipments.ts'
import { gatewayWebhooks } from './v1/gateway/webhooks.ts'
import { v1Users } from './v1/users.ts'
import { userClients } from './v2/user/clients.ts'
import { userUsers } from './v2/user/users.ts'

/** Every endpoint there is. A file that is not listed here is reported by the import check. */
export const endpoints: readonly Endpoint[] = [
  ...oauthTokens,
  ...oauthMetadata,
  ...userClients,
  ...userUsers,
  ...v1Users,
  ...v1Companies,
  ...gatewayOrders,
  ...gatewayShipments,
  ...gatewayInventory,
  ...gatewayProducts,
  ...gatewayWebhooks,
  ...gatewayRequests,
]
