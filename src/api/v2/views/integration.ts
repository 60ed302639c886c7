import { type Static, Type } from 'typebox'
import { connectorFor } from '../../../commerce/connectors.ts'
import type { Context } from '../../../domain/context.ts'
import type { StartedInstallation } from '../../../domain/install/install-integration.ts'
import type { CreatedIntegration } from '../../../domain/integrations/create-integration.ts'
import { type Integration, integrationStatuses, isRunning } from '../../../domain/integrations/integration.ts'
import { messageStates, readingOf, readReasons } from '../../../domain/integrations/reading.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { logoOf } from './logo.ts'
import { idField, nullableId, nullableText, nullableTimestamp, objectField, timestamps } from './record.ts'

export const integrationSchema = Type.Object({
  id: idField,
  integrationKey: Type.String({ format: 'uuid', description: 'Names the integration in paths; not a secret' }),
  app_id: nullableId,
  account_id: nullableId,
  service_id: Type.Integer(),
  name: Type.String(),
  type: Type.String({ description: 'Type of the service' }),
  shop: Type.String({ description: 'Host name of the shop' }),
  status: choice(integrationStatuses),
  status_reason: nullableText,
  description: nullableText,
  active: Type.Boolean(),
  mutable: Type.Boolean(),
  settings: objectField,
  logo: nullableText,
  completeness: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    description: 'What the last comparison with the shop has shown',
  }),
  webhooks: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    properties: {
      registered_at: { type: ['string', 'null'] },
      checked_at: { type: ['string', 'null'] },
      topics: { type: 'array', items: { type: 'string' } },
      error: { type: ['string', 'null'] },
    },
    description: 'The webhooks registered at the shop; null where there is nothing to register',
  }),
  messages: Type.Object(
    {
      state: choice(messageStates, 'Whether what the shop sends by itself arrives; none where it sends nothing'),
      since: nullableTimestamp,
    },
    { description: 'The messages of the shop' },
  ),
  read_every_minutes: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Minutes between two reads, as chosen; null is the default, 0 is never',
  }),
  read_reason: choice(readReasons, 'Why the shop is read as often as it is'),
  next_read_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'When the shop is asked for new orders next; null while it is not',
  }),
  read_share: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    properties: {
      every_seconds: { type: 'integer', description: 'Seconds between two reads, at least' },
      selling_seconds: {
        type: 'integer',
        description: 'The same while it sells what it shares with other shops of the merchant',
      },
      shops: { type: 'integer', description: 'How many shops are read by the same limit' },
      calls_per_day: { type: 'integer', description: 'What the platform allows to all of them in a day' },
    },
    required: ['every_seconds', 'selling_seconds', 'shops', 'calls_per_day'],
    description:
      'Where the platform limits all shops of an app together, and that is too little to read each as often as it would be: the share of this one; else null',
  }),
  consent_ends_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description: 'Until when the merchant has agreed; null where that has no end, or the platform does not say',
  }),
  granted: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Scopes and rights that the platform says it granted; null where it does not say',
  }),
  installed_at: nullableTimestamp,
  last_run_at: nullableTimestamp,
  ...timestamps,
})

export function integrationView(
  context: Pick<Context, 'publicUrl' | 'connectors'>,
  integration: Integration,
): Static<typeof integrationSchema> {
  const reading = readingOf(integration, connectorFor(context.connectors, integration))
  return {
    id: integration.id,
    integrationKey: integration.integration_key,
    app_id: integration.app_id,
    account_id: integration.account_id,
    service_id: integration.service_id,
    name: integration.name,
    type: integration.type,
    shop: integration.shop,
    status: integration.status,
    status_reason: integration.status_reason,
    description: integration.description,
    active: integration.active,
    mutable: integration.mutable,
    settings: integration.settings,
    logo: logoOf(context, integration.logo),
    completeness: integration.completeness,
    webhooks: integration.webhooks,
    messages: { state: integration.messages, since: integration.messages_since },
    read_every_minutes: integration.read_every_minutes,
    read_reason: reading.reason,
    next_read_at: isRunning(integration) && reading.minutes !== null ? integration.next_read_at : null,
    read_share: isRunning(integration) && reading.minutes !== null ? integration.read_share : null,
    consent_ends_at: integration.consent_ends_at,
    granted: integration.granted && [...integration.granted],
    installed_at: integration.installed_at,
    last_run_at: integration.last_run_at,
    created_at: integration.created_at,
    updated_at: integration.updated_at,
  }
}

export const uninstalledIntegrationSchema = Type.Object({
  ...integrationSchema.properties,
  remains: Type.Union([Type.String(), Type.Null()], {
    description: 'What is left in the shop, such as its key, and where the merchant removes it',
  }),
})

export const uninstalledIntegrationView = (
  context: Pick<Context, 'publicUrl' | 'connectors'>,
  integration: Integration,
): Static<typeof uninstalledIntegrationSchema> => ({
  ...integrationView(context, integration),
  remains: connectorFor(context.connectors, integration)?.auth.remains?.text ?? null,
})

const gatewayKey = Type.String({ description: 'Opens the gateway of version 1.0; shown only in this answer' })

export const createdIntegrationSchema = Type.Object({ ...integrationSchema.properties, gateway_key: gatewayKey })

export const createdIntegrationView = (
  context: Pick<Context, 'publicUrl' | 'connectors'>,
  created: CreatedIntegration,
): Static<typeof createdIntegrationSchema> => ({
  ...integrationView(context, created.integration),
  gateway_key: created.gatewayKey,
})

export const startedInstallationSchema = Type.Object({
  ...createdIntegrationSchema.properties,
  authorization_url: Type.Union([Type.String(), Type.Null()], {
    description:
      'Where the merchant sets out to authorize the app: a page that says what is connected to what, and leads on to the platform. Null where keys are typed in',
  }),
  same_shop_as: Type.Array(Type.Integer(), {
    description: 'Other integrations of the account with the same shop: its orders come once for each',
  }),
})

export const startedInstallationView = (
  context: Pick<Context, 'publicUrl' | 'connectors'>,
  started: StartedInstallation,
): Static<typeof startedInstallationSchema> => ({
  ...createdIntegrationView(context, started),
  authorization_url: started.authorizationUrl,
  same_shop_as: [...started.sameShopAs],
})

export const gatewayKeySchema = Type.Object({
  gateway_key: gatewayKey,
  integration_id: Type.Integer(),
})
