import { forbidden } from '../../lib/fault.ts'
import { digest } from '../../lib/secret.ts'
import type { Reader } from '../../runtime/db/lists/paginate.ts'
import { owns, type UserTenant } from '../tenant.ts'
import type { Integration } from './integration.ts'

/** Key, integration and owner in one statement: it runs before every request of the gateway. */
const text = `
    select i.id, i.integration_key, i.app_id, i.account_id, i.service_id, i.user_id, i.company_id, i.name, i.type, i.shop,
      i.status, i.status_reason, i.description, i.active, i.mutable, i.settings, i.logo, i.completeness, i.installed_at,
      i.last_run_at, i.created_at, i.updated_at, s.definition,
      a.user_id as app_user_id, a.company_id as app_company_id, a.id as known_app_id
    from gateway_keys k
    join integrations i on i.id = k.integration_id
    join services s on s.id = i.service_id
    left join apps a on a.id = i.app_id and a.deleted_at is null
    where k.key_hash = $1 and (k.expires_at is null or k.expires_at > now())
      and i.deleted_at is null and i.status <> 'UNINSTALLED'`

interface Entry extends Integration {
  app_user_id: number | null
  app_company_id: number | null
  known_app_id: number | null
}

/**
 * The integration that a gateway key selects, if it is one of the caller's. Whatever is wrong (no key, an unknown or
 * ended one, somebody else's, an integration that is gone), the answer is the same.
 */
export async function enterGateway(reader: Reader, tenant: UserTenant, key: string | undefined): Promise<Integration> {
  if (!key || key.length > 255) throw forbidden()
  const { rows } = await reader.query<Entry>(text, [digest(key)])
  const [entry] = rows
  if (!entry) throw forbidden()
  const { app_user_id, app_company_id, known_app_id, ...integration } = entry
  const ofApp = integration.app_id !== null
  if (ofApp && known_app_id === null) throw forbidden()
  const owner = ofApp ? { user_id: app_user_id, company_id: app_company_id } : integration
  if (!owns(tenant, owner, integration.app_id)) throw forbidden()
  return integration
}
