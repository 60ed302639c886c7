import type { Endpoint } from '../runtime/http/endpoint.ts'
import { oauthMetadata } from './oauth/metadata.ts'
import { oauthTokens } from './oauth/token.ts'
import { v1Accounts } from './v1/accounts.ts'
import { v1Apps } from './v1/apps.ts'
import { v1Companies } from './v1/companies.ts'
import { gatewayInventory } from './v1/gateway/inventory.ts'
import { gatewayOrders } from './v1/gateway/orders.ts'
import { gatewayProducts } from './v1/gateway/products.ts'
import { gatewayRequests } from './v1/gateway/requests.ts'
import { gatewayShipments } from './v1/gateway/shipments.ts'
import { gatewayWebhooks } from './v1/gateway/webhooks.ts'
import { v1Services } from './v1/services.ts'
import { v1Users } from './v1/users.ts'
import { appAccounts } from './v2/app/accounts.ts'
import { appFlows } from './v2/app/flows.ts'
import { appIntents } from './v2/app/intents.ts'
import { appServices } from './v2/app/services.ts'
import { userAppFlows } from './v2/user/app-flows.ts'
import { userAppServices } from './v2/user/app-services.ts'
import { userApps } from './v2/user/apps.ts'
import { userClients } from './v2/user/clients.ts'
import { userUsers } from './v2/user/users.ts'
import { webcomponentApp } from './v2/webcomponent/app.ts'
import { webcomponentServices } from './v2/webcomponent/services.ts'

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
  ...userApps,
  ...userAppServices,
  ...userAppFlows,
  ...appIntents,
  ...appAccounts,
  ...appServices,
  ...appFlows,
  ...webcomponentApp,
  ...webcomponentServices,
  ...v1Services,
  ...v1Apps,
  ...v1Accounts,
]
