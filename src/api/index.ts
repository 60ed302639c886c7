import type { Endpoint } from '../runtime/http/endpoint.ts'
import { catchers } from './catch.ts'
import { consoleDevice } from './console/device.ts'
import { consoleInvitation } from './console/invitation.ts'
import { consolePasskey } from './console/passkey.ts'
import { consolePassword } from './console/password.ts'
import { providerLogout } from './console/provider-logout.ts'
import { consoleSession } from './console/session.ts'
import { consoleSingleSignOn } from './console/single-sign-on.ts'
import { mcp } from './mcp/index.ts'
import { oauthAgents } from './oauth/agents.ts'
import { oauthMetadata } from './oauth/metadata.ts'
import { oauthTokens } from './oauth/token.ts'
import { v1Accounts } from './v1/accounts.ts'
import { v1Apps } from './v1/apps.ts'
import { v1Companies } from './v1/companies.ts'
import { gatewayChannels } from './v1/gateway/channels.ts'
import { gatewayInventory } from './v1/gateway/inventory.ts'
import { gatewayOrders } from './v1/gateway/orders.ts'
import { gatewayProducts } from './v1/gateway/products.ts'
import { gatewayRequests } from './v1/gateway/requests.ts'
import { gatewayShipments } from './v1/gateway/shipments.ts'
import { gatewayWebhooks } from './v1/gateway/webhooks.ts'
import { v1Integrations } from './v1/integrations.ts'
import { v1Schedules } from './v1/schedules.ts'
import { v1SchedulesBulk } from './v1/schedules-bulk.ts'
import { v1Services } from './v1/services.ts'
import { v1Users } from './v1/users.ts'
import { alertLinks } from './v2/alerts/links.ts'
import { appAccounts } from './v2/app/accounts.ts'
import { appAlerts } from './v2/app/alerts.ts'
import { appArrivals } from './v2/app/arrivals.ts'
import { appAudit } from './v2/app/audit.ts'
import { appCustomers } from './v2/app/customers.ts'
import { appFlows } from './v2/app/flows.ts'
import { appInstall } from './v2/app/install.ts'
import { appIntegrationDeliveries } from './v2/app/integration-deliveries.ts'
import { appIntegrationRuns } from './v2/app/integration-runs.ts'
import { appIntegrations } from './v2/app/integrations.ts'
import { appIntents } from './v2/app/intents.ts'
import { appInventory } from './v2/app/inventory.ts'
import { appOrders } from './v2/app/orders.ts'
import { appPassport } from './v2/app/passport.ts'
import { appProducts } from './v2/app/products.ts'
import { appRequests } from './v2/app/requests.ts'
import { appServices } from './v2/app/services.ts'
import { appShipments } from './v2/app/shipments.ts'
import { appStock } from './v2/app/stock.ts'
import { platformCalls } from './v2/platforms/calls.ts'
import { platformTrips } from './v2/platforms/trips.ts'
import { userAgentRequests } from './v2/user/agents/agent-requests.ts'
import { userAppAgents } from './v2/user/agents/app-agents.ts'
import { userAppApprovals } from './v2/user/agents/app-approvals.ts'
import { userAppAlertChannels } from './v2/user/alerts/app-alert-channels.ts'
import { userAppAlertLetter } from './v2/user/alerts/app-alert-letter.ts'
import { userAppAlertRules } from './v2/user/alerts/app-alert-rules.ts'
import { userAppAlerts } from './v2/user/alerts/app-alerts.ts'
import { userAppFlows } from './v2/user/app-flows.ts'
import { userAppIntegrations } from './v2/user/app-integrations.ts'
import { userAppListeners } from './v2/user/app-listeners.ts'
import { userAppLists } from './v2/user/app-lists.ts'
import { userAppOverview } from './v2/user/app-overview.ts'
import { userAppRetention } from './v2/user/app-retention.ts'
import { userAppSearch } from './v2/user/app-search.ts'
import { userAppServices } from './v2/user/app-services.ts'
import { userAppWebhookCatcher } from './v2/user/app-webhook-catcher.ts'
import { userAppWebhookDeliveries } from './v2/user/app-webhook-deliveries.ts'
import { userAppWebhooks } from './v2/user/app-webhooks.ts'
import { userApps } from './v2/user/apps.ts'
import { userAudit } from './v2/user/audit.ts'
import { userClaimCodes } from './v2/user/claim-codes.ts'
import { userClients } from './v2/user/clients.ts'
import { userCompanySignIn } from './v2/user/company-sign-in.ts'
import { userAppLive } from './v2/user/console/app-live.ts'
import { userAppViews } from './v2/user/console/app-views.ts'
import { userInvitations } from './v2/user/invitations.ts'
import { userLeftBehind } from './v2/user/left-behind.ts'
import { userPasskeys } from './v2/user/passkeys.ts'
import { userSecondFactor } from './v2/user/second-factor.ts'
import { userServiceVersions } from './v2/user/services/versions.ts'
import { userServices } from './v2/user/services.ts'
import { userSessions } from './v2/user/sessions.ts'
import { userSingleSignOn } from './v2/user/single-sign-on.ts'
import { userUsers } from './v2/user/users.ts'
import { userV1Usage } from './v2/user/v1-usage.ts'
import { webcomponentApp } from './v2/webcomponent/app.ts'
import { webcomponentArrivals } from './v2/webcomponent/arrivals.ts'
import { webcomponentCustomers } from './v2/webcomponent/customers.ts'
import { webcomponentInstall } from './v2/webcomponent/install.ts'
import { webcomponentIntegrations } from './v2/webcomponent/integrations.ts'
import { webcomponentInventory } from './v2/webcomponent/inventory.ts'
import { webcomponentOrders } from './v2/webcomponent/orders.ts'
import { webcomponentPassport } from './v2/webcomponent/passport.ts'
import { webcomponentProducts } from './v2/webcomponent/products.ts'
import { webcomponentRuns } from './v2/webcomponent/runs.ts'
import { webcomponentSchedules } from './v2/webcomponent/schedules.ts'
import { webcomponentServices } from './v2/webcomponent/services.ts'
import { webcomponentShipments } from './v2/webcomponent/shipments.ts'
import { webcomponentStock } from './v2/webcomponent/stock.ts'

/** Every endpoint there is. A file that is not listed here is reported by the import check. */
export const endpoints: readonly Endpoint[] = [
  ...oauthTokens,
  ...oauthMetadata,
  ...oauthAgents,
  ...mcp,
  ...consoleSession,
  ...consoleDevice,
  ...consolePasskey,
  ...consoleSingleSignOn,
  ...consoleInvitation,
  ...consolePassword,
  ...userClients,
  ...userUsers,
  ...userServices,
  ...userServiceVersions,
  ...userSessions,
  ...userSecondFactor,
  ...userPasskeys,
  ...userCompanySignIn,
  ...userSingleSignOn,
  ...userInvitations,
  ...userLeftBehind,
  ...userV1Usage,
  ...userAudit,
  ...appAudit,
  ...appCustomers,
  ...v1Users,
  ...v1Companies,
  ...gatewayOrders,
  ...gatewayShipments,
  ...gatewayInventory,
  ...gatewayProducts,
  ...gatewayWebhooks,
  ...gatewayRequests,
  ...gatewayChannels,
  ...userApps,
  ...userAppRetention,
  ...userAppLists,
  ...userAppOverview,
  ...userAppSearch,
  ...userAppViews,
  ...userAppLive,
  ...userAppAlerts,
  ...userAppAlertRules,
  ...userAppAlertChannels,
  ...userAppAlertLetter,
  ...appAlerts,
  ...alertLinks,
  ...userAgentRequests,
  ...userAppAgents,
  ...userAppApprovals,
  ...userAppServices,
  ...userAppFlows,
  ...userAppWebhookCatcher,
  ...userAppListeners,
  ...userAppWebhooks,
  ...userAppWebhookDeliveries,
  ...catchers,
  ...appIntents,
  ...appAccounts,
  ...appRequests,
  ...appServices,
  ...appFlows,
  ...webcomponentApp,
  ...webcomponentServices,
  ...v1Services,
  ...v1Apps,
  ...v1Accounts,
  ...v1Integrations,
  ...v1Schedules,
  ...v1SchedulesBulk,
  ...platformCalls,
  ...platformTrips,
  ...appArrivals,
  ...appInstall,
  ...appIntegrationRuns,
  ...appIntegrationDeliveries,
  ...appIntegrations,
  ...userAppIntegrations,
  ...userClaimCodes,
  ...webcomponentArrivals,
  ...webcomponentCustomers,
  ...webcomponentInstall,
  ...webcomponentIntegrations,
  ...webcomponentRuns,
  ...webcomponentSchedules,
  ...appInventory,
  ...appOrders,
  ...appPassport,
  ...appProducts,
  ...appShipments,
  ...appStock,
  ...webcomponentInventory,
  ...webcomponentOrders,
  ...webcomponentPassport,
  ...webcomponentProducts,
  ...webcomponentShipments,
  ...webcomponentStock,
  ...providerLogout,
]
