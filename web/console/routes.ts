// The first page comes with the frame: nobody waits for it twice.
import './pages/overview.ts'
import type { Route } from './router.ts'

/** Every part there is, for whoever builds pages: of no program that is shipped. */
const partsRoute: Route = {
  ...{ path: '/_parts', element: 'ep-page-parts', title: 'Parts', section: 'overview' },
  load: () => import('./pages/parts/parts.ts'),
}

/** Every page there is. What a page is made of is fetched when somebody goes there. */
export const routes: readonly Route[] = [
  ...(import.meta.env.DEV ? [partsRoute] : []),
  { path: '/', element: 'ep-page-overview', title: 'Overview', section: 'overview' },
  {
    ...{ path: '/start', element: 'ep-page-start', title: 'First steps', section: 'start', right: 'create-app' },
    load: () => import('./pages/start.ts'),
  },
  {
    ...{ path: '/apps', element: 'ep-page-apps', title: 'Apps', section: 'apps', right: 'read-app' },
    load: () => import('./pages/apps/apps.ts'),
  },
  {
    ...{ path: '/apps/:app', element: 'ep-page-app', title: 'App', section: 'app', right: 'read-app' },
    load: () => import('./pages/apps/app.ts'),
  },
  {
    ...{ path: '/apps/:app/services/:service', element: 'ep-page-platform' },
    ...{ title: 'Credentials of a platform', section: 'app', right: 'read-app' },
    load: () => import('./pages/apps/platform.ts'),
  },
  {
    ...{ path: '/apps/:app/branding', element: 'ep-page-branding' },
    ...{ title: 'Branding', section: 'branding', right: 'read-app' },
    load: () => import('./pages/apps/branding.ts'),
  },
  {
    ...{ path: '/apps/:app/platforms', element: 'ep-page-platforms' },
    ...{ title: 'Platforms', section: 'platforms', right: 'read-app' },
    load: () => import('./pages/apps/platforms.ts'),
  },
  {
    ...{ path: '/apps/:app/flows', element: 'ep-page-flows' },
    ...{ title: 'Flows', section: 'flows', right: 'read-integration' },
    load: () => import('./pages/settings/flows.ts'),
  },
  {
    ...{ path: '/apps/:app/gateway-keys', element: 'ep-page-gateway-keys' },
    ...{ title: 'Gateway keys', section: 'gateway-keys', right: 'manage-access' },
    load: () => import('./pages/settings/gateway-keys.ts'),
  },
  {
    ...{ path: '/apps/:app/alerts', element: 'ep-page-alerts' },
    ...{ title: 'Alerts', section: 'alerts', right: 'read-integration' },
    load: () => import('./pages/alerts/alerts.ts'),
  },
  {
    ...{ path: '/apps/:app/alert-settings', element: 'ep-page-alert-settings' },
    ...{ title: 'Rules and channels', section: 'alert-settings', right: 'read-app' },
    load: () => import('./pages/alerts/alert-settings.ts'),
  },
  {
    ...{ path: '/apps/:app/accounts', element: 'ep-page-accounts' },
    ...{ title: 'Merchants', section: 'accounts', right: 'read-integration' },
    load: () => import('./pages/merchants/accounts.ts'),
  },
  {
    ...{ path: '/apps/:app/customers', element: 'ep-page-customers' },
    ...{ title: 'Customers', section: 'customers', right: 'read-order' },
    load: () => import('./pages/merchants/customers.ts'),
  },
  {
    ...{ path: '/apps/:app/integrations', element: 'ep-page-integrations' },
    ...{ title: 'Shops', section: 'integrations', right: 'read-integration' },
    load: () => import('./pages/shops/integrations.ts'),
  },
  {
    ...{ path: '/apps/:app/connect', element: 'ep-page-connect' },
    ...{ title: 'Connect a shop', section: 'integrations', right: 'create-integration' },
    load: () => import('./pages/shops/connect.ts'),
  },
  {
    ...{ path: '/apps/:app/integrations/:id', element: 'ep-page-integration' },
    ...{ title: 'Integration', section: 'integrations', right: 'read-integration' },
    load: () => import('./pages/shops/integration.ts'),
  },
  {
    ...{ path: '/apps/:app/runs', element: 'ep-page-runs' },
    ...{ title: 'Runs', section: 'runs', right: 'read-integration' },
    load: () => import('./pages/shops/runs.ts'),
  },
  {
    ...{ path: '/apps/:app/integrations/:id/runs/:run', element: 'ep-page-run' },
    ...{ title: 'Run', section: 'runs', right: 'read-integration' },
    load: () => import('./pages/shops/run.ts'),
  },
  {
    ...{ path: '/apps/:app/schedules', element: 'ep-page-schedules' },
    ...{ title: 'Schedules', section: 'schedules', right: 'read-integration' },
    load: () => import('./pages/shops/of-integration.ts'),
  },
  {
    ...{ path: '/apps/:app/logs', element: 'ep-page-logs' },
    ...{ title: 'Logs', section: 'logs', right: 'read-integration' },
    load: () => import('./pages/shops/logs.ts'),
  },
  {
    ...{ path: '/apps/:app/orders', element: 'ep-page-orders' },
    ...{ title: 'Orders', section: 'orders', right: 'read-order' },
    load: () => import('./pages/orders/orders.ts'),
  },
  {
    ...{ path: '/apps/:app/integrations/:id/orders/:order', element: 'ep-page-order' },
    ...{ title: 'Order', section: 'orders', right: 'read-order' },
    load: () => import('./pages/orders/order.ts'),
  },
  {
    ...{ path: '/apps/:app/passport', element: 'ep-page-passport' },
    ...{ title: 'Order', section: 'orders', right: 'read-order' },
    load: () => import('./pages/orders/order.ts'),
  },
  {
    ...{ path: '/apps/:app/products', element: 'ep-page-products' },
    ...{ title: 'Products', section: 'products', right: 'read-integration' },
    load: () => import('./pages/goods/products.ts'),
  },
  {
    ...{ path: '/apps/:app/stock', element: 'ep-page-stock' },
    ...{ title: 'Stock', section: 'stock', right: 'read-integration' },
    load: () => import('./pages/goods/stock.ts'),
  },
  {
    ...{ path: '/apps/:app/parcels', element: 'ep-page-parcels' },
    ...{ title: 'Parcels', section: 'parcels', right: 'read-order' },
    load: () => import('./pages/goods/parcels.ts'),
  },
  {
    ...{ path: '/apps/:app/shared-stock', element: 'ep-page-shared-stock' },
    ...{ title: 'Shared stock', section: 'shared-stock', right: 'read-integration' },
    load: () => import('./pages/stock/shared-stock.ts'),
  },
  {
    ...{ path: '/apps/:app/shared-stock/:account/articles/:article', element: 'ep-page-stock-article' },
    ...{ title: 'Article', section: 'shared-stock', right: 'read-integration' },
    load: () => import('./pages/stock/article.ts'),
  },
  {
    ...{ path: '/apps/:app/webhooks', element: 'ep-page-webhooks' },
    ...{ title: 'Webhooks', section: 'webhooks', right: 'read-app' },
    load: () => import('./pages/webhooks/webhooks.ts'),
  },
  {
    ...{ path: '/apps/:app/webhooks/:webhook', element: 'ep-page-webhook' },
    ...{ title: 'Webhook', section: 'webhooks', right: 'read-integration' },
    load: () => import('./pages/webhooks/webhook.ts'),
  },
  {
    ...{ path: '/apps/:app/undelivered', element: 'ep-page-undelivered' },
    ...{ title: 'Messages', section: 'undelivered', right: 'read-integration' },
    load: () => import('./pages/shops/undelivered.ts'),
  },
  {
    ...{ path: '/apps/:app/integrations/:id/messages/:message', element: 'ep-page-message' },
    ...{ title: 'Message of a shop', section: 'undelivered', right: 'read-integration' },
    load: () => import('./pages/shops/message.ts'),
  },
  {
    ...{ path: '/apps/:app/requests', element: 'ep-page-requests' },
    ...{ title: 'Requests', section: 'requests', right: 'read-integration' },
    load: () => import('./pages/developers/requests.ts'),
  },
  {
    ...{ path: '/apps/:app/requests/:request', element: 'ep-page-request' },
    ...{ title: 'Request', section: 'requests', right: 'read-integration' },
    load: () => import('./pages/developers/request.ts'),
  },
  {
    ...{ path: '/clients', element: 'ep-page-clients', title: 'Clients', section: 'clients', right: 'read-client' },
    load: () => import('./pages/settings/clients.ts'),
  },
  {
    ...{ path: '/team', element: 'ep-page-team', title: 'Team', section: 'team', right: 'read-user' },
    load: () => import('./pages/settings/team.ts'),
  },
  {
    ...{ path: '/team/single-sign-on', element: 'ep-page-single-sign-on' },
    ...{ title: 'Single sign-on', section: 'team', right: 'manage-single-sign-on' },
    load: () => import('./pages/settings/single-sign-on.ts'),
  },
  {
    ...{ path: '/users', element: 'ep-page-users', title: 'Users', section: 'users', right: 'read-user' },
    load: () => import('./pages/settings/users.ts'),
  },
  {
    ...{ path: '/audit', element: 'ep-page-audit', title: 'Audit trail', section: 'audit', right: 'read-audit' },
    load: () => import('./pages/settings/audit.ts'),
  },
  {
    ...{ path: '/catalogue', element: 'ep-page-catalogue' },
    ...{ title: 'Catalogue', section: 'catalogue', right: 'read-integration' },
    load: () => import('./pages/settings/catalogue.ts'),
  },
  {
    ...{ path: '/own-services', element: 'ep-page-own-services' },
    ...{ title: 'Own services', section: 'own-services', right: 'create-integration' },
    load: () => import('./pages/settings/own-services.ts'),
  },
  {
    ...{ path: '/own-services/:service', element: 'ep-page-studio' },
    ...{ title: 'Own service', section: 'own-services', right: 'create-integration' },
    load: () => import('./pages/settings/studio.ts'),
  },
  {
    ...{ path: '/v1-usage', element: 'ep-page-v1-usage' },
    ...{ title: 'Version 1.0', section: 'v1-usage', right: 'read-usage' },
    load: () => import('./pages/settings/v1-usage.ts'),
  },
  {
    ...{ path: '/apps/:app/agents', element: 'ep-page-agents' },
    ...{ title: 'Agents', section: 'agents', right: 'read-app' },
    load: () => import('./pages/agents/agents.ts'),
  },
  {
    ...{ path: '/apps/:app/approvals', element: 'ep-page-approvals' },
    ...{ title: 'Approvals', section: 'approvals', right: 'run-action' },
    load: () => import('./pages/agents/approvals.ts'),
  },
  {
    ...{ path: '/let-in', element: 'ep-page-let-in', title: 'Let an agent in', section: 'agents' },
    load: () => import('./pages/agents/let-in.ts'),
  },
  {
    ...{ path: '/account', element: 'ep-page-account', title: 'Your account', section: 'account' },
    load: () => import('./pages/settings/account.ts'),
  },
  {
    ...{ path: '/device', element: 'ep-page-device', title: 'Connect a command line', section: 'account' },
    load: () => import('./pages/settings/device.ts'),
  },
]
