import type { Context } from '../../domain/context.ts'
import type { Integration } from '../../domain/integrations/integration.ts'
import { findIntegrationOfAccount, findIntegrationOfApp } from '../../domain/integrations/integration-store.ts'
import type { AccountCaller, ClientCaller } from '../../domain/tenant.ts'
import { invalidField } from '../../lib/fault.ts'
import { type ChangePlan, readByIds, readChanges } from '../../runtime/db/lists/changes.ts'
import { type ListPlan, type PageOf, type Reader, versionsOf } from '../../runtime/db/lists/paginate.ts'
import type { Changes, Page, RequestFacts } from '../../runtime/http/endpoint.ts'
import { type ListQuery, listQuery } from '../../runtime/http/input/list-query.ts'
import type { Written } from '../../runtime/http/written/written.ts'
import { appTenant } from '../tenants.ts'
import { firstPage, type Versioned } from './first-pages.ts'

/**
 * Reading what shops hold. Every read names one integration: its records lie together, and what lies elsewhere is not
 * looked at. Pages over all shops of an app would cost more with every merchant it wins.
 */
export interface Asking<Caller> {
  context: Context
  caller: Caller
  request: RequestFacts
}

export const shopOfApp = ({ context, caller, request }: Asking<ClientCaller>): Promise<Integration> =>
  findIntegrationOfApp(context.db, appTenant(caller), namedIntegration(request.queryString))

export const shopOfAccount = ({ context, caller, request }: Asking<AccountCaller>): Promise<Integration> =>
  findIntegrationOfAccount(context.db, caller, namedIntegration(request.queryString))

type Query = RequestFacts['queryString']
const integrationIn = (query: Query): string => query['integration_id'] ?? query['filter[integration_id]'] ?? ''

export const namesIntegration = (query: Query): boolean => integrationIn(query) !== ''

/** `integration_id`, plain or as a filter. */
function namedIntegration(query: Query): number {
  const text = integrationIn(query)
  if (text === '') throw invalidField('integration_id', 'The integration id field is required.')
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw invalidField('integration_id', 'The integration id field must be an integer.')
  return Number(text)
}

export const ofOneIntegration = ['integration_id'] as const

/** What the endpoints of apps and of accounts share are these parts of them; only who asks differs. */
export interface ShopRead<Found> {
  context: Context
  found: Found
  query: ListQuery
}

/** A list of what one shop holds, which can also be read as it changes. */
export const shopList = (how: { filter: string[]; sort: string[]; include?: string[] }) =>
  ({
    description:
      'Of one integration. `updated_since` answers with what has changed since instead, and never leaves one out.',
    extension: true,
    query: listQuery({ required: ofOneIntegration, changes: true, ...how }),
  }) as const

/** How what one shop holds is read as it changes. */
interface Changing<Row> {
  changes: ChangePlan
  /** Rows as they are shown, where they are kept otherwise. */
  open?(reader: Reader, rows: readonly Row[]): Promise<readonly Row[]>
}

/** The same, and in numbered pages. */
export interface Readable<Row> extends Changing<Row> {
  page(reader: Reader, integrationId: number, query: ListQuery): Promise<PageOf<Row>>
}

interface Viewed<Row, View> {
  view(rows: readonly Row[]): readonly View[] | Promise<readonly View[]>
}

export async function readShop<Row extends object, View>(
  context: Context,
  integrationId: number,
  query: ListQuery,
  how: Readable<Row> & Viewed<Row, View>,
): Promise<Page<View> | Changes<View>> {
  if (query.since !== null) return await changesOf(context, integrationId, { ...query, since: query.since }, how)
  const { rows, total } = await how.page(context.reader, integrationId, query)
  return { rows: await how.view(rows), total }
}

async function changesOf<Row extends object, View>(
  { reader }: Context,
  integrationId: number,
  { since, perPage: limit }: ListQuery & { since: string },
  { changes, open = asTheyAre, view }: Changing<Row> & Viewed<Row, View>,
): Promise<Changes<View>> {
  const { rows, ...where } = await readChanges<Row>(reader, changes, integrationId, { since, limit })
  return { rows: await view(await open(reader, rows)), ...where }
}

async function asTheyAre<Row>(_: Reader, rows: readonly Row[]): Promise<readonly Row[]> {
  return rows
}

/** Records that have an id, and of which each change shows in `updated_at`. */
interface ReadableRecords<Row> extends Changing<Row> {
  /** Rows of a page, in the columns of a plan. */
  list<Listed>(reader: Reader, integrationId: number, query: ListQuery, plan: ListPlan): Promise<PageOf<Listed>>
  plan: ListPlan
  /** What they are opened with just now; null where that is not in memory. */
  openedWith?(reader: Reader, integrationId: number): object | null
}

interface ViewedRecords<Row, View> extends ReadableRecords<Row>, Viewed<Row, View> {
  /** Of this view of them. */
  name: string
  /** What the view follows from besides. */
  shownBy?: unknown
}

interface Recorded {
  id: number
  updated_at: string
}

/** A numbered page. Of a first one nothing is read again that has not changed. */
export async function pageOfRecords<Row extends Recorded, View>(
  context: Context,
  integrationId: number,
  query: ListQuery,
  { name, list, plan, changes, open = asTheyAre, openedWith, shownBy, view }: ViewedRecords<Row, View>,
): Promise<Page<View> | Page<Written>> {
  const versioned: Versioned<Row> = {
    name: `${name}/${integrationId}`,
    versions: (reader, asked) => list(reader, integrationId, asked, versionsOf(plan)),
    byIds: async (reader, ids) => open(reader, await readByIds<Row>(reader, changes, integrationId, ids)),
    versionOf: ({ updated_at: at }) => at,
    ...(openedWith && { openedWith: (reader) => openedWith(reader, integrationId) }),
    shownBy,
    view,
  }
  const first = query.include.size === 0 ? await firstPage(context, query, versioned) : null
  if (first) return first
  const { rows, total } = await list<Row>(context.reader, integrationId, query, plan)
  return { rows: await view(await open(context.reader, rows)), total }
}

/** The same, or as they change. */
export async function readRecords<Row extends Recorded, View>(
  context: Context,
  integrationId: number,
  query: ListQuery,
  how: ViewedRecords<Row, View>,
): Promise<Page<View> | Page<Written> | Changes<View>> {
  if (query.since === null) return await pageOfRecords(context, integrationId, query, how)
  return await changesOf(context, integrationId, { ...query, since: query.since }, how)
}
