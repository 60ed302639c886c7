import { createAccount } from '../domain/accounts/create-account.ts'
import { createApp } from '../domain/apps/create-app.ts'
import { createCompany } from '../domain/companies/create-company.ts'
import type { Context } from '../domain/context.ts'
import { installIntegration } from '../domain/install/install-integration.ts'
import { placeForAccount } from '../domain/integrations/place-integration.ts'
import { createClient } from '../domain/oauth/clients/create-client.ts'
import { createSchedule } from '../domain/schedules/create-schedules.ts'
import { attachService } from '../domain/services/attach-service.ts'
import { readService } from '../domain/services/service-store.ts'
import { syncNow } from '../domain/sync/sync-now.ts'
import { createUser } from '../domain/users/create-user.ts'
import { operator } from '../domain/users/user.ts'
import { randomSecret } from '../lib/secret.ts'

/** A complete new tenant with a connected shop, sharing nothing with any other. */
export async function makeDemo(context: Context) {
  const tag = randomSecret(10).toLowerCase()
  const password = randomSecret(20)
  const user = await createUser(context, operator, {
    name: `Demo ${tag}`,
    email: `demo-${tag}@example.com`,
    password,
    roles: ['manager'],
  })
  const company = await createCompany(
    context,
    { userId: user.id, companyId: null, admin: false },
    { name: `Demo ${tag} Ltd` },
  )
  const tenant = { userId: user.id, companyId: company.id, admin: false }
  const passwordClient = await createClient(context, tenant, {
    name: 'Demo, password grant',
    grant_types: ['password', 'refresh_token'],
  })
  const app = await createApp(context, tenant, { name: `Demo app ${tag}`, description: 'Made by "entrepot demo".' })
  const service = await readService(context.db, 'sandbox')
  await attachService(context, tenant, { appId: app.id, attachment: { service_id: service.id } })
  const appClient = await createClient(context, tenant, { name: 'Demo, client credentials', app_id: app.id })
  const account = await createAccount(
    context,
    { appId: app.id },
    { remote_id: `merchant-${tag}`, name: 'Demo merchant' },
  )
  const { integration, gatewayKey } = await installIntegration(
    context,
    placeForAccount({ appId: app.id, accountId: account.id }),
    {
      service,
      input: {
        name: 'Demo shop',
        shop: `demo-${tag}.example.com`,
        settings: { seed: tag },
        credentials: { api_key: randomSecret() },
      },
    },
  )
  for (const resource of ['sync_orders', 'sync_products'] as const) {
    await createSchedule(context, integration, {
      name: `${resource === 'sync_orders' ? 'Orders' : 'Products'}, every quarter of an hour`,
      resource,
      cron: '*/15 * * * *',
    })
    // A worker beside us may have the integration for a moment.
    await syncNow(context, integration, resource, {}, 60)
  }
  return {
    user: { id: user.id, email: user.email, password },
    password_client: { id: passwordClient.client.id, secret: passwordClient.secret },
    app: { id: app.id },
    app_client: { id: appClient.client.id, secret: appClient.secret },
    account: { id: account.id, remote_id: account.remote_id },
    service: { id: service.id, type: service.type },
    integration: { id: integration.id, integrationKey: integration.integration_key, gateway_key: gatewayKey },
  }
}
