import { agentsRoute } from './pages/agents/agents.ts'
import { approvalsRoute } from './pages/agents/approvals.ts'
import { letInRoute } from './pages/agents/let-in.ts'
import { alertSettingsRoute } from './pages/alerts/alert-settings.ts'
import { alertsRoute } from './pages/alerts/alerts.ts'
import { requestRoute } from './pages/developers/request.ts'
import { requestsRoute } from './pages/developers/requests.ts'
import { parcelsRoute } from './pages/goods/parcels.ts'
import { productsRoute } from './pages/goods/products.ts'
import { stockRoute } from './pages/goods/stock.ts'
import { accountsRoute } from './pages/merchants/accounts.ts'
import { customersRoute } from './pages/merchants/customers.ts'
import { orderRoute, passportRoute } from './pages/orders/order.ts'
import { ordersRoute } from './pages/orders/orders.ts'
import { overviewRoute } from './pages/overview.ts'
import { accountRoute } from './pages/settings/account.ts'
import { appRoute } from './pages/settings/app.ts'
import { appsRoute } from './pages/settings/apps.ts'
import { auditRoute } from './pages/settings/audit.ts'
import { catalogueRoute } from './pages/settings/catalogue.ts'
import { clientsRoute } from './pages/settings/clients.ts'
import { deviceRoute } from './pages/settings/device.ts'
import { flowsRoute } from './pages/settings/flows.ts'
import { gatewayKeysRoute } from './pages/settings/gateway-keys.ts'
import { ownServicesRoute } from './pages/settings/own-services.ts'
import { platformRoute } from './pages/settings/platform.ts'
import { platformsRoute } from './pages/settings/platforms.ts'
import { singleSignOnRoute } from './pages/settings/single-sign-on.ts'
import { studioRoute } from './pages/settings/studio.ts'
import { teamRoute } from './pages/settings/team.ts'
import { usersRoute } from './pages/settings/users.ts'
import { v1UsageRoute } from './pages/settings/v1-usage.ts'
import { connectRoute } from './pages/shops/connect.ts'
import { integrationRoute } from './pages/shops/integration.ts'
import { integrationsRoute } from './pages/shops/integrations.ts'
import { logsRoute } from './pages/shops/logs.ts'
import { messageRoute } from './pages/shops/message.ts'
import { schedulesRoute } from './pages/shops/of-integration.ts'
import { runRoute } from './pages/shops/run.ts'
import { runsRoute } from './pages/shops/runs.ts'
import { undeliveredRoute } from './pages/shops/undelivered.ts'
import { startRoute } from './pages/start.ts'
import { stockArticleRoute } from './pages/stock/article.ts'
import { sharedStockRoute } from './pages/stock/shared-stock.ts'
import { webhookRoute } from './pages/webhooks/webhook.ts'
import { webhooksRoute } from './pages/webhooks/webhooks.ts'
import type { Route } from './router.ts'

/** Every page there is, one line each. */
/** Every part there is, for whoever builds pages: of no program that is shipped. */
const partsRoute: Route = { path: '/_parts', element: 'ep-page-parts', title: 'Parts', section: 'overview' }
if (import.meta.env.DEV) void import('./pages/parts.ts')

export const routes: readonly Route[] = [
  ...(import.meta.env.DEV ? [partsRoute] : []),
  overviewRoute,
  startRoute,
  appsRoute,
  appRoute,
  platformRoute,
  platformsRoute,
  flowsRoute,
  gatewayKeysRoute,
  alertsRoute,
  alertSettingsRoute,
  accountsRoute,
  customersRoute,
  integrationsRoute,
  connectRoute,
  integrationRoute,
  runsRoute,
  runRoute,
  schedulesRoute,
  logsRoute,
  ordersRoute,
  orderRoute,
  passportRoute,
  productsRoute,
  stockRoute,
  parcelsRoute,
  sharedStockRoute,
  stockArticleRoute,
  webhooksRoute,
  webhookRoute,
  undeliveredRoute,
  messageRoute,
  requestsRoute,
  requestRoute,
  clientsRoute,
  teamRoute,
  singleSignOnRoute,
  usersRoute,
  auditRoute,
  catalogueRoute,
  ownServicesRoute,
  studioRoute,
  v1UsageRoute,
  agentsRoute,
  approvalsRoute,
  letInRoute,
  accountRoute,
  deviceRoute,
]
