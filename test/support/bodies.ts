import type { Endpoint } from '../../src/runtime/http/endpoint.ts'
import type { World } from './world.ts'

/** A body the endpoint takes, with every reference to a record pointing into `world`. */
export function bodyPointingAt(endpoint: Endpoint, world: World): Record<string, unknown> {
  const { ids, tenant, integrationKey } = world
  const references: Record<string, unknown> = {
    app_id: ids.app,
    account_id: ids.account,
    remote_id: tenant.remoteId,
    company_id: ids.company,
    service_id: ids.service,
    integration_id: ids.integration,
    integrationKey,
    order_id: ids.order,
    orders: [ids.order],
    products: [ids.product],
    ids: [ids.schedule],
  }
  const fields = Object.keys((endpoint.body as { properties?: object } | undefined)?.properties ?? {})
  const body: Record<string, unknown> = { ...(endpoint.example as object | undefined) }
  for (const field of fields) if (field in references) body[field] = references[field]
  if (fields.includes('schedules')) {
    const schedule = { resource: 'sync_orders', cron: '* * * * *', integration_id: ids.integration }
    body['schedules'] = [endpoint.method === 'PUT' ? { ...schedule, id: ids.schedule } : schedule]
  }
  return body
}
