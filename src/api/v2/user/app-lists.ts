import type { Static, TSchema } from 'typebox'
import { Type } from 'typebox'
import {
  type AcrossAsked,
  levelsIn,
  logsIn,
  messagesIn,
  ordersIn,
  productsIn,
  runsIn,
  shipmentsIn,
} from '../../../domain/across/read-across.ts'
import { logLevels } from '../../../domain/logs/log.ts'
import { orderStatuses } from '../../../domain/orders/order.ts'
import { runStatuses } from '../../../domain/runs/run.ts'
import { invalidField } from '../../../lib/fault.ts'
import { choice, id, integer, object, optional, text } from '../../../lib/validation/fields.ts'
import { raw } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appInPath } from '../in-path.ts'
import {
  listedLevelSchema,
  listedLevelView,
  listedLogSchema,
  listedLogView,
  listedMessageSchema,
  listedMessageView,
  listedOrderSchema,
  listedOrderView,
  listedProductSchema,
  listedProductView,
  listedRunSchema,
  listedRunView,
  listedShipmentSchema,
  listedShipmentView,
} from '../views/across/listed.ts'

/** What the shops of an app hold, over all of them: for whoever looks after many. One shop in full is read by `/app/…`. */

const common = {
  integration_id: optional(id('Of this integration only')),
  account_id: optional(id('Of the integrations of this account only')),
  cursor: optional(text({ max: 4000, description: '`meta.next_cursor` of the page before' })),
  limit: optional(integer({ minimum: 1, maximum: 200, description: '25 by default' })),
}

const time = (description: string) => optional(text({ format: 'date-time', description }))
const exactly = (description: string) => optional(text({ max: 255, description }))

const pageOf = <T extends TSchema>(schema: T) =>
  raw(
    Type.Object({
      data: Type.Array(schema),
      meta: Type.Object({
        next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Null after the last page' }),
      }),
    }),
  )

const description = (what: string) =>
  `${what} Over all integrations of the app, newest first; \`meta.next_cursor\` leads on. There is no total.`

type Common = { [Name in keyof typeof common]?: Static<(typeof common)[Name]> }

const askedIn = ({
  integration_id: integrationId,
  account_id: accountId,
  cursor = '',
  limit = 25,
  ...filter
}: Common & Readonly<Record<string, unknown>>): AcrossAsked => ({
  integrationId,
  accountId,
  cursor: cursor === '' ? null : cursor,
  limit,
  filter: Object.fromEntries(
    Object.entries(filter).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
  ),
})

const orders = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/orders',
  right: 'read-order',
  extension: true,
  summary: 'List orders of all integrations',
  description: description(
    'By when they were received; with `placed_since` or `placed_until`, by when they were placed.',
  ),
  find: appInPath,
  query: object({
    ...common,
    status: optional(choice(orderStatuses)),
    number: exactly('The whole number'),
    remote_status: exactly('The shop’s own word for it; with `integration_id`'),
    placed_since: time('Placed at this time or later'),
    placed_until: time('Placed before this time'),
  }),
  returns: pageOf(listedOrderSchema),
  async handle({ context, found, query }) {
    // Every shop has its own words, and nothing is sorted by them.
    if (query.remote_status !== undefined && query.integration_id === undefined) {
      throw invalidField('integration_id', 'The integration id field is required when remote status is present.')
    }
    const { rows, cursor } = await ordersIn(context, found.id, askedIn(query))
    return { data: rows.map(listedOrderView), meta: { next_cursor: cursor } }
  },
})

const products = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/products',
  right: 'read-integration',
  extension: true,
  summary: 'List products of all integrations',
  description: description('Products as shops sell them.'),
  find: appInPath,
  query: object({ ...common, sku: exactly('The whole SKU') }),
  returns: pageOf(listedProductSchema),
  async handle({ context, found, query }) {
    const { rows, cursor } = await productsIn(context, found.id, askedIn(query))
    return { data: rows.map(listedProductView), meta: { next_cursor: cursor } }
  },
})

const inventory = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/inventory',
  right: 'read-integration',
  extension: true,
  summary: 'List stock of all integrations',
  description: description('Quantities by SKU and location, by when they last changed.'),
  find: appInPath,
  query: object({ ...common, sku: exactly('The whole SKU') }),
  returns: pageOf(listedLevelSchema),
  async handle({ context, found, query }) {
    const { rows, cursor } = await levelsIn(context, found.id, askedIn(query))
    return { data: rows.map(listedLevelView), meta: { next_cursor: cursor } }
  },
})

const shipments = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/shipments',
  right: 'read-order',
  extension: true,
  summary: 'List shipments of all integrations',
  description: description('Parcels, whoever has sent them.'),
  find: appInPath,
  query: object({ ...common, tracking_number: exactly('The whole tracking number') }),
  returns: pageOf(listedShipmentSchema),
  async handle({ context, found, query }) {
    const { rows, cursor } = await shipmentsIn(context, found.id, askedIn(query))
    return { data: rows.map(listedShipmentView), meta: { next_cursor: cursor } }
  },
})

const runs = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/runs',
  right: 'read-integration',
  extension: true,
  summary: 'List runs of all integrations',
  description: description('What was done in shops, or is being done.'),
  find: appInPath,
  query: object({
    ...common,
    status: optional(choice(runStatuses)),
    found: optional(
      choice(
        ['anything', 'something'],
        '`something` leaves out runs that the clock started and that found nothing new',
      ),
    ),
  }),
  returns: pageOf(listedRunSchema),
  async handle({ context, found, query }) {
    const { rows, cursor } = await runsIn(context, found.id, askedIn(query))
    return { data: rows.map(listedRunView), meta: { next_cursor: cursor } }
  },
})

const messages = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/messages',
  right: 'read-integration',
  extension: true,
  summary: 'List messages of all shops',
  description: description('Webhooks that shops have sent, without their content.'),
  find: appInPath,
  query: object({
    ...common,
    outcome: optional(choice(['failed', 'waiting'], '`waiting` have not been processed yet')),
  }),
  returns: pageOf(listedMessageSchema),
  async handle({ context, found, query }) {
    const { rows, cursor } = await messagesIn(context, found.id, askedIn(query))
    return { data: rows.map(listedMessageView), meta: { next_cursor: cursor } }
  },
})

const logs = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/logs',
  right: 'read-integration',
  extension: true,
  summary: 'List log entries of all integrations',
  description: description('`level` and `q` look through the last seven days, unless `since` says otherwise.'),
  find: appInPath,
  query: object({
    ...common,
    level: optional(choice(logLevels)),
    q: optional(text({ min: 2, max: 100, description: 'Somewhere in the event or the message' })),
    since: time('Not before'),
    until: time('Before'),
  }),
  returns: pageOf(listedLogSchema),
  async handle({ context, found, query }) {
    const { rows, cursor } = await logsIn(context, found.id, askedIn(query))
    return { data: rows.map(listedLogView), meta: { next_cursor: cursor } }
  },
})

export const userAppLists = [orders, products, inventory, shipments, runs, messages, logs]
