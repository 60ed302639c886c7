import { type Static, Type } from 'typebox'
import { capabilitiesOf, waysIn } from '../../../commerce/capabilities.ts'
import { connectorFor } from '../../../commerce/connectors.ts'
import { orderChoices } from '../../../commerce/order.ts'
import { productChoices } from '../../../commerce/product.ts'
import type { Context } from '../../../domain/context.ts'
import { callbackUrl, takesKeys } from '../../../domain/install/start-authorization.ts'
import type { AttachedService, Service } from '../../../domain/services/service.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { catalogueLogoUrl, logoOf } from './logo.ts'
import { idField, nullableText, objectField, timestamps } from './record.ts'

export const capabilitiesSchema = Type.Object({
  actions: Type.Array(Type.String(), { description: 'What can be run on its integrations' }),
  webhooks: Type.Array(Type.String(), { description: 'Event types its shops send' }),
  webhooks_entered: Type.Boolean({
    description: 'Whether people enter our address in the shop, so that it sends them: see `message-address`',
  }),
  resources: Type.Array(Type.String(), { description: 'What `GET /1.0/resource/{resource}` can be asked for' }),
  inventory_locations: Type.Boolean(),
  compare_at_prices: Type.Boolean({
    description: 'Whether the price before a reduction can be set beside the price',
  }),
  partial_shipments: Type.Boolean(),
  amend_shipments: Type.Boolean({
    description: 'Whether carrier, number and link of a shipment can be corrected in the shop',
  }),
  fractional_quantities: Type.Boolean({
    description: 'Whether quantities of order lines can have fractions: goods by weight or length',
  }),
  cancel_shipments: Type.Boolean({ description: 'Whether a shipment can be cancelled in the shop' }),
  order_notes: Type.Boolean({ description: 'Whether notes for the people at the shop can be written on orders' }),
  order_tags: Type.Boolean({ description: 'Whether orders can be tagged' }),
  refund_by: Type.Array(choice(['amount', 'lines']), {
    description: 'What a refund can be made by; empty where the platform cannot refund through its API',
  }),
  refund_restock: Type.Boolean({ description: 'Whether goods can go back into stock with a refund' }),
  capture_parts: Type.Boolean({ description: 'Whether a part of what is authorised can be captured' }),
  cancel_lines: Type.Boolean({ description: 'Whether single lines of an order can be cancelled' }),
  returns: Type.Boolean({ description: 'Whether orders show what buyers send back' }),
  order_choices: Type.Array(choice(orderChoices), {
    description: 'What `create_order` takes besides goods, addresses and a note',
  }),
  product_choices: Type.Array(choice(productChoices), {
    description: 'What `export_products` takes besides a single article: images by their address, several variants',
  }),
  acknowledge_within_hours: Type.Union([Type.Integer(), Type.Null()], {
    description:
      'Hours after an order was placed within which the platform expects the acknowledgement; null where there is no deadline',
  }),
})

const shown = {
  id: idField,
  type: Type.String(),
  name: Type.String(),
  description: nullableText,
  logo: nullableText,
  auth_type: Type.String({ description: 'oauth2, api_key, basic or none' }),
  active: Type.Boolean(),
  capabilities: capabilitiesSchema,
  settings_schema: Type.Unsafe<unknown>({ type: 'object', description: 'JSON Schema of `settings` at installation' }),
  credentials_schema: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    description: 'JSON Schema of the keys that a person types in; null where the platform hands them over',
  }),
  installed_by: Type.Array(Type.Union([Type.Literal('browser'), Type.Literal('keys')]), {
    description: 'How a merchant connects a shop: on the platform’s own pages, with keys, or either',
  }),
  ...timestamps,
}

/** A service as a browser sees it. */
export const publicServiceSchema = Type.Object(shown)

/** What somebody has to know who sets up the platform's own credentials. */
const registration = {
  client_configured: Type.Boolean({
    description: 'Whether `client` has been set, which is never shown',
  }),
  client_schema: Type.Unsafe<unknown>({
    type: ['object', 'null'],
    description: 'JSON Schema of `client`: what the platform gives at registration; null where it knows no apps',
  }),
  callback_url: Type.Union([Type.String(), Type.Null()], {
    description: 'What the platform wants to know at registration: where it sends merchants back to',
  }),
}

/** A service of the catalogue. */
export const serviceSchema = Type.Object({
  ...shown,
  mutable: Type.Boolean(),
  settings: objectField,
  ...registration,
})

/** A service as one app offers it: `active`, `settings` and the times are the app's own, and so may be the logo. */
export const attachedServiceSchema = Type.Object({
  ...shown,
  app_id: Type.Integer(),
  mutable: Type.Boolean(),
  settings: objectField,
  ...registration,
})

type ServiceContext = Pick<Context, 'publicUrl' | 'connectors' | 'egressRoutes'>

export function serviceView(context: ServiceContext, service: Service): Static<typeof serviceSchema> {
  return {
    id: service.id,
    type: service.type,
    name: service.name,
    description: service.description,
    logo: serviceLogo(context, service),
    auth_type: service.auth_type,
    active: service.active,
    mutable: service.mutable,
    settings: service.settings,
    client_configured: service.client_key_id !== null,
    ...registrationFacts(context, service),
    ...connectorFacts(context, service),
    created_at: service.created_at,
    updated_at: service.updated_at,
  }
}

export function attachedServiceView(
  context: ServiceContext,
  service: AttachedService,
): Static<typeof attachedServiceSchema> {
  return {
    ...serviceView(context, service),
    app_id: service.app_id,
    logo: serviceLogo(context, { type: service.type, logo: service.attached_logo ?? service.logo }),
    active: service.attached_active,
    settings: service.attached_settings,
    client_configured: (service.attached_client_key_id ?? service.client_key_id) !== null,
    created_at: service.attached_at,
    updated_at: service.attached_updated_at,
  }
}

export function publicServiceView(context: ServiceContext, service: AttachedService) {
  const {
    settings: _,
    mutable: __,
    app_id: ___,
    client_configured: ____,
    client_schema: _____,
    callback_url: ______,
    ...view
  } = attachedServiceView(context, service)
  return view
}

/** One that was uploaded, else the one that the connector brings. */
export const serviceLogo = (context: ServiceContext, { type, logo }: Pick<Service, 'type' | 'logo'>): string | null =>
  logo === null && context.connectors.get(type)?.logo ? catalogueLogoUrl(context, type) : logoOf(context, logo)

const nothingKnown = {
  actions: [],
  webhooks: [],
  webhooks_entered: false,
  resources: [],
  inventory_locations: false,
  compare_at_prices: false,
  partial_shipments: false,
  amend_shipments: false,
  fractional_quantities: false,
  cancel_shipments: false,
  order_notes: false,
  order_tags: false,
  refund_by: [],
  refund_restock: false,
  capture_parts: false,
  cancel_lines: false,
  returns: false,
  order_choices: [],
  product_choices: [],
  acknowledge_within_hours: null,
}
const emptySchema = { type: 'object', properties: {} }

function registrationFacts(context: ServiceContext, service: Service) {
  const connector = connectorFor(context.connectors, service)
  if (connector?.auth.kind !== 'oauth2') return { client_schema: null, callback_url: null }
  return { client_schema: connector.auth.client, callback_url: callbackUrl(context, connector, {}) }
}

/** Read off the connector; a service that a tenant added without a definition has none and can do nothing by itself. */
function connectorFacts(context: ServiceContext, service: Service) {
  const connector = connectorFor(context.connectors, service)
  if (!connector) {
    return { capabilities: nothingKnown, settings_schema: emptySchema, credentials_schema: null, installed_by: [] }
  }
  const { settings, credentials, actions, webhooks, resources, refund_by, order_choices, product_choices, ...flags } =
    capabilitiesOf(connector)
  return {
    capabilities: {
      ...flags,
      actions: [...actions],
      webhooks: [...webhooks],
      resources: [...resources],
      refund_by: [...refund_by],
      order_choices: [...order_choices],
      product_choices: [...product_choices],
    },
    settings_schema: settings,
    credentials_schema: credentials,
    installed_by: waysIn(connector, { takesKeys: takesKeys(context) }),
  }
}
