import { connectorFor } from '../../commerce/connectors.ts'
import { invalidField, notFound } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { appendLog } from '../logs/log-store.ts'
import { logWords } from '../logs/log-words.ts'
import { assertRoomForIntegration } from '../quota-store.ts'
import { allAttached } from '../services/app-service-store.ts'
import { isBuiltIn, type Service, seesService } from '../services/service.ts'
import { findService, namesType, readService } from '../services/service-store.ts'
import type { AppTenant, UserTenant } from '../tenant.ts'
import { checkShopInput } from './check-install-input.ts'
import { issueGatewayKey } from './gateway-key-store.ts'
import type { Integration } from './integration.ts'
import { insertIntegration, type NewIntegration } from './integration-store.ts'
import { holdOwners, orInvalid, type Place } from './place-integration.ts'

export interface CreateIntegrationInput {
  name: string
  shop: string
  type?: string | null | undefined
  service_id?: number | null | undefined
  description?: string | null | undefined
  settings?: Record<string, unknown> | undefined
  active?: boolean | undefined
}

/** An integration and the one sight of its gateway key. */
export interface CreatedIntegration {
  integration: Integration
  gatewayKey: string
}

/** A record that waits for its installation. */
export async function createIntegration(
  context: Pick<Context, 'db' | 'transaction' | 'connectors' | 'quotas'>,
  place: Place,
  { input, user }: { input: CreateIntegrationInput; user: UserTenant | null },
): Promise<CreatedIntegration> {
  const { type, service_id, ...fields } = input
  const service = await chosenService(context.db, place, user, { type, service_id })
  const { shop, settings } = checkShopInput(connectorFor(context.connectors, service), {
    shop: fields.shop,
    settings: fields.settings ?? {},
  })
  await assertRoomForIntegration(context.db, context.quotas, place)
  return await context.transaction((trx) =>
    insertWithKey(trx, {
      ...place,
      ...fields,
      shop,
      settings,
      service_id: service.id,
      type: service.type,
      status: 'PENDING',
      status_reason: 'awaiting_installation',
    }),
  )
}

export async function insertWithKey(trx: Db, row: NewIntegration): Promise<CreatedIntegration> {
  if (!(await holdOwners(trx, row))) throw notFound()
  const integration = await insertIntegration(trx, row)
  const gatewayKey = await issueGatewayKey(trx, integration.id, integration.user_id)
  await appendLog(trx, integration.id, {
    level: 'info',
    event: 'integration.created',
    words: logWords('integration.created', { shop: integration.shop }),
    context: { type: integration.type, status: integration.status },
  })
  return { integration, gatewayKey }
}

/** What comes with us, what the app offers, and what the user may see: none of it switched off. */
export async function chosenService(
  db: Db,
  place: Place,
  user: UserTenant | null,
  { type, service_id: id }: Pick<CreateIntegrationInput, 'type' | 'service_id'>,
): Promise<Service> {
  const field = id ? 'service_id' : 'type'
  const wrong = invalidField(field, `The selected ${field.replaceAll('_', ' ')} is invalid.`)
  // A type has a letter in it: what looks like an id is none.
  const reference = id ? String(id) : (type ?? '')
  if (!id && !/[a-z]/.test(reference)) throw wrong
  const { app_id: appId } = place
  const service = await orInvalid(field, namedService(db, { reference, user, appId }))
  const seen =
    isBuiltIn(service) ||
    (user !== null && seesService(user, service)) ||
    (appId !== null && (await isOffered(db, { appId }, service.id)))
  if (!seen || !service.active) throw wrong
  if (id && type && service.type !== type) throw invalidField('type', 'The selected type is invalid.')
  return service
}

/** A type names what the user has, what the app offers, or what comes with us. */
async function namedService(
  db: Db,
  { reference, user, appId }: { reference: string; user: UserTenant | null; appId: number | null },
): Promise<Service> {
  if (!namesType(reference)) return await readService(db, reference)
  const offered = appId === null ? [] : await allAttached(db, { appId })
  const own = offered.find((service) => service.type === reference && !isBuiltIn(service))
  return own ?? (user === null ? await readService(db, reference) : await findService(db, user, reference))
}

const isOffered = async (db: Db, tenant: AppTenant, serviceId: number): Promise<boolean> =>
  (await allAttached(db, tenant)).some((service) => service.id === serviceId && service.attached_active)
