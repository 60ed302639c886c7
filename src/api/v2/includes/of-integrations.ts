import { type Static, Type } from 'typebox'
import { shopAddress } from '../../../commerce/rules/shop-address.ts'
import { accountsById } from '../../../domain/accounts/account-store.ts'
import { appsById } from '../../../domain/apps/app-store.ts'
import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { integrationList } from '../../../domain/integrations/integration-list-store.ts'
import { deleteIntegration } from '../../../domain/integrations/uninstall-integration.ts'
import { updateIntegration } from '../../../domain/integrations/update-integration.ts'
import { newestLogs } from '../../../domain/logs/log-store.ts'
import { schedulesOfIntegrations } from '../../../domain/schedules/schedule-store.ts'
import { servicesById } from '../../../domain/services/service-store.ts'
import { enterWebhooks } from '../../../domain/shop-webhooks/enter-webhooks.ts'
import { choice, flag, freeObject, integer, maybe, object, optional, text } from '../../../lib/validation/fields.ts'
import { type ListScope, paginate } from '../../../runtime/db/lists/paginate.ts'
import { nothing, type Page, record } from '../../../runtime/http/endpoint.ts'
import { type ListQuery, listQuery } from '../../../runtime/http/input/list-query.ts'
import { accountSchema, accountView } from '../views/account.ts'
import { publicAppSchema, publicAppView } from '../views/app.ts'
import { integrationSchema, integrationView } from '../views/integration.ts'
import { logSchema, logView } from '../views/log.ts'
import { scheduleSchema, scheduleView } from '../views/schedule.ts'
import { publicServiceSchema, serviceView } from '../views/service.ts'

export const integrationIncludes = ['service', 'schedules', 'logs', 'account', 'app']

export const integrationWithIncludesSchema = Type.Object({
  ...integrationSchema.properties,
  service: Type.Optional(Type.Union([publicServiceSchema, Type.Null()])),
  schedules: Type.Optional(Type.Array(scheduleSchema)),
  logs: Type.Optional(Type.Array(logSchema, { description: 'The newest ten, newest first' })),
  account: Type.Optional(Type.Union([accountSchema, Type.Null()])),
  app: Type.Optional(Type.Union([publicAppSchema, Type.Null()])),
})

export type IntegrationWithIncludes = Static<typeof integrationWithIncludesSchema>

export const integrationChanges = object({
  name: optional(text()),
  description: maybe(text({ max: 5000 })),
  settings: optional(freeObject()),
  active: optional(flag('While it is off, nothing can be run on it')),
  read_every_minutes: maybe(
    integer({
      minimum: 0,
      maximum: 10_080,
      description: 'Minutes between two reads of new orders; null for the default (see read_reason), 0 for never',
    }),
  ),
})

interface Found {
  context: Context
  found: Integration
}

/** What users, apps and accounts are answered alike; where it lies and who may ask differs. */
export const oneIntegration = {
  method: 'GET',
  summary: 'Get an integration',
  query: listQuery({ sort: [], include: integrationIncludes }),
  returns: record(integrationWithIncludesSchema),
  handle: ({ context, found, query }: Found & { query: ListQuery }) => viewIntegration(context, found, query.include),
} as const

const messageAddressBody = object({
  secret: maybe(text({ min: 8, max: 500, trim: false, description: 'The secret that the shop has made.' })),
  renew: optional(flag('Makes another secret, to be entered in the place of the one before.')),
})

const messageAddressSchema = Type.Object({
  address: Type.String(),
  secret: Type.Union([Type.String(), Type.Null()]),
  secret_from: choice(['ours', 'theirs']),
  ready: Type.Boolean({ description: 'Whether there is a secret: without one all messages are refused.' }),
  topics: Type.Array(Type.Object({ ours: Type.String(), theirs: Type.Array(Type.String()) })),
})

export const changedIntegration = {
  method: 'PUT',
  summary: 'Update an integration',
  body: integrationChanges,
  returns: record(integrationSchema),
  handle: async ({ context, found, body }: Found & { body: Static<typeof integrationChanges> }) =>
    integrationView(context, await updateIntegration(context, found, body)),
} as const

export const deletedIntegration = {
  method: 'DELETE',
  summary: 'Delete an integration',
  description: 'It is uninstalled, and its credentials are destroyed.',
  returns: nothing,
  handle: ({ context, found }: Found) => deleteIntegration(context, found.id),
} as const

/** What somebody enters in the shop, where nobody else can make it send messages. */
export const enteredMessages = {
  method: 'PUT',
  path: '/integrations/{integrationId}/message-address',
  extension: true,
  summary: 'Say where a shop is to send its messages',
  description:
    'For services of your own whose description has `webhooks`: the address to enter in the shop, and the secret that it is to sign with. ' +
    'Where the shop makes the secret, it is given here. Asking again changes nothing, unless `renew` is set; the secret before then counts until the next change.',
  body: messageAddressBody,
  returns: record(messageAddressSchema),
  handle: ({ context, found, body }: Found & { body: Static<typeof messageAddressBody> }) =>
    enterWebhooks(context, found, body),
} as const

/**
 * Integrations with what was asked for: one read for each kind of related record, however many integrations there are.
 * Services and apps come without their settings, which may hold what a browser must not see.
 */
/** A page of the integrations that `scope` lets the caller see, with what was asked to come along. */
export async function integrationPage(
  context: Context,
  scope: ListScope,
  query: ListQuery,
): Promise<Page<IntegrationWithIncludes>> {
  const { rows, total } = await paginate<Integration>(
    context.reader,
    integrationList,
    scope,
    understood(context, query),
  )
  return { rows: await viewIntegrations(context, rows, query.include), total }
}

/** Shops are asked for as they are installed: by any address of theirs. */
function understood({ connectors }: Context, query: ListQuery): ListQuery {
  const { shop: addresses, type = [] } = query.filter
  if (!addresses) return query
  const ofPage = type[0] === undefined ? undefined : connectors.get(type[0])?.shopOfPage
  const shop = addresses.map((address) => shopAddress(address, ofPage).shop)
  return { ...query, filter: { ...query.filter, shop } }
}

async function viewIntegrations(
  context: Context,
  integrations: readonly Integration[],
  include: ReadonlySet<string>,
): Promise<IntegrationWithIncludes[]> {
  if (include.size === 0) return integrations.map((integration) => integrationView(context, integration))
  const related = await readRelated(context, integrations, include)
  return integrations.map((integration) => ({
    ...integrationView(context, integration),
    ...(related.services && { service: shownService(context, related.services.get(integration.service_id)) }),
    ...(related.schedules && { schedules: (related.schedules.get(integration.id) ?? []).map(scheduleView) }),
    ...(related.logs && { logs: (related.logs.get(integration.id) ?? []).map(logView) }),
    ...(related.accounts && { account: shown(related.accounts.get(integration.account_id ?? 0), accountView) }),
    ...(related.apps && {
      app: shown(related.apps.get(integration.app_id ?? 0), (app) => publicAppView(context, app)),
    }),
  }))
}

export async function viewIntegration(
  context: Context,
  integration: Integration,
  include: ReadonlySet<string>,
): Promise<IntegrationWithIncludes> {
  const [view] = await viewIntegrations(context, [integration], include)
  return view ?? integrationView(context, integration)
}

async function readRelated(context: Context, integrations: readonly Integration[], include: ReadonlySet<string>) {
  const { db } = context
  const ids = integrations.map(({ id }) => id)
  const unique = (values: readonly (number | null)[]) => [...new Set(values.filter((value) => value !== null))]
  const [services, schedules, logs, accounts, apps] = await Promise.all([
    include.has('service') ? servicesById(db, unique(integrations.map((of) => of.service_id))) : null,
    include.has('schedules') ? schedulesOfIntegrations(db, ids) : null,
    include.has('logs') ? newestLogs(db, ids) : null,
    include.has('account') ? accountsById(db, unique(integrations.map((of) => of.account_id))) : null,
    include.has('app') ? appsById(db, unique(integrations.map((of) => of.app_id))) : null,
  ])
  return {
    services,
    schedules: schedules && Map.groupBy(schedules, (schedule) => schedule.integration_id),
    logs: logs && Map.groupBy(logs, (log) => log.integration_id),
    accounts,
    apps,
  }
}

const shown = <Row, View>(row: Row | undefined, view: (row: Row) => View): View | null => (row ? view(row) : null)

function shownService(context: Context, service: Parameters<typeof serviceView>[1] | undefined) {
  if (!service) return null
  const { settings: _, mutable: __, ...view } = serviceView(context, service)
  return view
}
