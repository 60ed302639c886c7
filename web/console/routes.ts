import { accountRoute } from './pages/account.ts'
import { accountsRoute } from './pages/accounts.ts'
import { appRoute } from './pages/app.ts'
import { appsRoute } from './pages/apps.ts'
import { auditRoute } from './pages/audit.ts'
import { catalogueRoute } from './pages/catalogue.ts'
import { clientsRoute } from './pages/clients.ts'
import { connectRoute } from './pages/connect.ts'
import { customersRoute } from './pages/customers.ts'
import { integrationRoute } from './pages/integration.ts'
import { integrationsRoute } from './pages/integrations.ts'
import { logsRoute, schedulesRoute } from './pages/of-integration.ts'
import { orderRoute, passportRoute } from './pages/order.ts'
import { ordersRoute } from './pages/orders.ts'
import { overviewRoute } from './pages/overview.ts'
import { runRoute } from './pages/run.ts'
import { runsRoute } from './pages/runs.ts'
import { singleSignOnRoute } from './pages/single-sign-on.ts'
import { startRoute } from './pages/start.ts'
import { teamRoute } from './pages/team.ts'
import { undeliveredRoute } from './pages/undelivered.ts'
import { usersRoute } from './pages/users.ts'
import { v1UsageRoute } from './pages/v1-usage.ts'
import { webhookRoute } from './pages/webhook.ts'
import { webhooksRoute } from './pages/webhooks.ts'
import type { Route } from './router.ts'

/** Every page there is, one line each. */
export const routes: readonly Route[] = [
  overviewRoute,
  startRoute,
  appsRoute,
  appRoute,
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
  webhooksRoute,
  webhookRoute,
  undeliveredRoute,
  clientsRoute,
  teamRoute,
  singleSignOnRoute,
  usersRoute,
  auditRoute,
  catalogueRoute,
  v1UsageRoute,
  accountRoute,
]
