import { type Static, type TObject, Type } from 'typebox'

/**
 * All event types: one definition, read by the check of a webhook's `events`, by the OpenAPI
 * document and by whoever emits. Data is small and stays as it is: enough to act on, and where to read the rest.
 */

const nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])
const timestamp = Type.String({ format: 'date-time' })
const href = Type.String({ description: 'Where the record can be read, below the address of the service' })
const integrationId = Type.Integer()

const integration = Type.Object({
  id: Type.Integer(),
  app_id: nullable(Type.Integer()),
  account_id: nullable(Type.Integer()),
  type: Type.String({ description: 'The service' }),
  shop: Type.String(),
  name: Type.String(),
  status: Type.String(),
  previous_status: nullable(Type.String()),
  status_reason: nullable(Type.String()),
  updated_at: timestamp,
  href,
})

const endingConsent = Type.Object({
  ...integration.properties,
  consent_ends_at: Type.String({ format: 'date-time', description: 'Until when the merchant has agreed' }),
})

const order = Type.Object({
  id: Type.Integer(),
  integration_id: integrationId,
  remote_id: Type.String({ description: 'Its id in the shop' }),
  number: nullable(Type.String()),
  status: Type.String({ description: 'As in the order' }),
  previous_status: nullable(Type.String({ description: 'Null for an order that is new' })),
  payment_status: nullable(Type.String({ description: 'As in the order; null until the shop reports it' })),
  fulfillment_status: nullable(Type.String({ description: 'As in the order; null until the shop reports it' })),
  currency: Type.String(),
  total: Type.String({ description: 'A decimal number' }),
  placed_at: nullable(timestamp),
  updated_at: timestamp,
  href,
})

const dueOrder = Type.Object({
  ...order.properties,
  acknowledge_by: Type.String({ format: 'date-time', description: 'Deadline of the platform for the acknowledgement' }),
})

const shipment = Type.Object({
  id: Type.Integer(),
  integration_id: integrationId,
  order_id: Type.Integer(),
  remote_id: nullable(Type.String({ description: 'Its id in the shop' })),
  tracking_number: nullable(Type.String({ description: 'Null for a parcel that has none, or none yet' })),
  carrier: Type.String(),
  status: Type.String(),
  previous_status: nullable(Type.String({ description: 'Null for a parcel that is new' })),
  updated_at: timestamp,
  href,
})

const product = Type.Object({
  id: Type.Integer(),
  integration_id: integrationId,
  remote_id: nullable(Type.String({ description: 'Its id in the shop' })),
  sku: Type.String(),
  name: Type.String(),
  price: Type.String({ description: 'A decimal number' }),
  currency: Type.String(),
  quantity: nullable(Type.Integer()),
  active: Type.Boolean(),
  updated_at: timestamp,
  href,
})

const level = Type.Object({
  integration_id: integrationId,
  sku: Type.String(),
  location: nullable(Type.String({ description: 'Null where the shop has only one location' })),
  remote_id: nullable(Type.String({ description: 'The shop’s id of the article: several may have one SKU' })),
  quantity: Type.Integer(),
  updated_at: timestamp,
  href,
})

const run = Type.Object({
  id: Type.Integer(),
  integration_id: integrationId,
  resource: Type.String({ description: 'The action' }),
  status: Type.String(),
  error: nullable(Type.String({ description: 'That it failed; the run itself says why.' })),
  finished_at: timestamp,
  href,
})

const privacy = Type.Object({
  integration_id: integrationId,
  order_ids: Type.Array(Type.Integer(), {
    description: 'The orders of the customer; the event contains no other data',
  }),
  requested_at: timestamp,
  href,
})

const erasure = Type.Object({
  integration_id: integrationId,
  requested_at: timestamp,
  erase_at: timestamp,
  href,
})

const expiry = Type.Object({
  integration_id: integrationId,
  orders: Type.Integer({ description: 'How many' }),
  placed_before: Type.String({
    format: 'date-time',
    description:
      'No order is held any longer that was placed before, or made here before where nobody says when it was placed',
  }),
  href,
})

const disabledWebhook = Type.Object({
  id: Type.Integer(),
  url: Type.String(),
  reason: Type.String({ description: '`gone`: it answered 410. `failing`: every attempt failed for five days' }),
  failing_since: nullable(timestamp),
  disabled_at: timestamp,
  href,
})

const attention = Type.Object({
  id: Type.Integer({ description: 'The alert' }),
  app_id: Type.Integer(),
  kind: Type.String({ description: 'What it is: `integration_error`, `orders_due` … (see the guide on alerts)' }),
  severity: Type.String({ description: '`critical`, `warning` or `info`, as the rule of the app says' }),
  summary: Type.String({ description: 'The same in a sentence' }),
  integration_id: nullable(Type.Integer()),
  webhook_id: nullable(Type.Integer()),
  user_id: nullable(Type.Integer()),
  count: nullable(Type.Integer({ description: 'How many orders, messages, deliveries or records' })),
  reason: nullable(Type.String({ description: 'A word, such as `credentials_rejected`' })),
  since: nullable(Type.String({ format: 'date-time', description: 'Since when it is so, or by when to act' })),
  opened_at: timestamp,
  closed_at: nullable(timestamp),
  href,
})

const stock = {
  account_id: Type.Integer(),
  article_id: Type.Integer(),
  sku: Type.String({ description: 'Of the article of the pool' }),
}

const stockChange = Type.Object({
  ...stock,
  on_hand: Type.Integer(),
  reserved: Type.Integer(),
  available: Type.Integer({ description: 'What is there less what is reserved, at all places' }),
  changed_at: timestamp,
})

const oversold = Type.Object({
  ...stock,
  missing: Type.Integer({ description: 'Pieces that are sold and not there' }),
  orders: Type.Array(
    Type.Object({
      integration_id: integrationId,
      order_id: Type.Integer(),
      quantity: Type.Integer({ description: 'Pieces of the article that are reserved for it' }),
      placed_at: timestamp,
      is_short: Type.Boolean({ description: 'It came too late: there is nothing left for it, or not enough' }),
      href,
    }),
    { description: 'Open orders of the article, the first one first; the newest hundred' },
  ),
})

const drift = Type.Object({
  ...stock,
  integration_id: integrationId,
  expected: Type.Integer({ description: 'What the shop was told, less what it has sold since' }),
  found: Type.Integer({ description: 'What the shop shows' }),
  resolution: Type.String({ description: '`believed`: booked as a correction. `corrected`: the shop is told again' }),
  noticed_at: timestamp,
})

const approval = Type.Object({
  id: Type.Integer(),
  app_id: Type.Integer(),
  integration_id: nullable(Type.Integer()),
  tool: Type.String({ description: 'What the agent wants to use' }),
  agent_id: Type.Integer(),
  status: Type.String({ description: '`waiting`; then `done`, `failed` or `refused`' }),
  href,
})

export interface EventDefinition<Data extends TObject = TObject> {
  words: string
  data: Data
}

const define = <Data extends TObject>(words: string, data: Data): EventDefinition<Data> => ({ words, data })

export const events = {
  'integration.installed': define('A shop was connected, for the first time or again.', integration),
  'integration.updated': define('Name, settings or owner of an integration changed.', integration),
  'integration.uninstalled': define('An integration was uninstalled; its credentials are destroyed.', integration),
  'integration.status_changed': define('The status of an integration changed, for whatever reason.', integration),
  'integration.error': define('The shop rejected the credentials: the merchant has to reconnect it.', integration),
  'integration.recovered': define('The shop accepts the credentials again.', integration),
  'integration.consent_ending': define(
    'The merchant agreed for a time only, and it ends within 30 days: the shop has to be connected again.',
    endingConsent,
  ),
  'order.created': define('A new order was stored.', order),
  'order.updated': define('An order was changed, in the shop or through the API.', order),
  'order.cancelled': define('An order was cancelled, in the shop or through the API.', order),
  'order.cancel_requested': define(
    'The buyer asked for an order to be cancelled; the platform leaves the decision to the merchant.',
    order,
  ),
  'order.return_requested': define(
    'The buyer wants to send back goods of an order, or the shop has agreed to it.',
    order,
  ),
  'order.refunded': define('Money of an order was refunded, in the shop or through the API.', order),
  'order.acknowledged': define('An order was acknowledged.', order),
  'order.acknowledgement_due': define(
    'An order has not been acknowledged, and the platform’s deadline is less than an hour away or has passed.',
    dueOrder,
  ),
  'order.deleted': define('An order was deleted, in the shop or through the API.', order),
  'shipment.created': define('A new shipment was stored.', shipment),
  'shipment.updated': define('A shipment was changed, in the shop or through the API.', shipment),
  'product.created': define('A new product was stored.', product),
  'product.updated': define('A product was changed, in the shop or through the API.', product),
  'product.deleted': define('A product was deleted in the shop.', product),
  'inventory.updated': define('The stock of an article at a location changed.', level),
  'inventory.deleted': define('An article is no longer stocked at a location.', level),
  'stock.changed': define('What is available of an article in the shared stock of an account changed.', stockChange),
  'stock.oversold': define(
    'More of an article was sold than there is, in all shops together: with the orders, the first one first, and which go short.',
    oversold,
  ),
  'stock.drift': define('A shop shows another quantity than it was told: somebody changed it there.', drift),
  'run.completed': define('A run (a sync or another long action) completed.', run),
  'run.failed': define('A run failed.', run),
  'privacy.data_requested': define('A customer requested their data through the platform.', privacy),
  'privacy.redacted': define('Customer data was redacted at the platform’s request.', privacy),
  'privacy.erasure_scheduled': define(
    'The platform wants all data of a shop deleted that was uninstalled: it will be, unless it is connected again before.',
    erasure,
  ),
  'privacy.orders_expired': define(
    'Orders were deleted whose time is over, as the app has set it (retention). They are not in the feed of changes: delete them too.',
    expiry,
  ),
  'attention.opened': define('Something needs attention, by the rules of the app (alerts).', attention),
  'attention.closed': define('What needed attention no longer does.', attention),
  'approval.requested': define('An agent wants something changed, and a person has to decide.', approval),
  'approval.decided': define(
    'A person has approved or refused what an agent wants changed, and it was carried out.',
    approval,
  ),
  'webhook.disabled': define('Another webhook of the app was disabled. It is sent to the others.', disabledWebhook),
} as const satisfies Record<string, EventDefinition>

export type EventType = keyof typeof events
export type EventData<T extends EventType> = Static<(typeof events)[T]['data']>

export const eventTypes = Object.keys(events).filter((name): name is EventType => name in events)

/** What only asking for it sends. */
export const testEvent = 'webhook.test'

/** An event, ready to be emitted. */
export interface NewEvent {
  type: EventType
  about: { integrationId: number } | { appId: number }
  /** Events of one subject reach a webhook one after the other. */
  subject: string
  data: object
}

/** About the shop wherever there is one: what receivers answer is then sealed with its key. */
export const aboutShopOf = (appId: number, integrationId: number | null): NewEvent['about'] =>
  integrationId === null ? { appId } : { integrationId }

export function newEvent<T extends EventType>(
  type: T,
  about: NewEvent['about'],
  { subject, data }: { subject: string; data: EventData<T> },
): NewEvent {
  return { type, about, subject, data }
}
