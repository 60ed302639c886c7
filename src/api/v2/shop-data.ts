import type { Context } from '../../domain/context.ts'
import type { Integration } from '../../domain/integrations/integration.ts'
import { findIntegrationOfAccount, findIntegrationOfApp } from '../../domain/integrations/integration-store.ts'
import type { AccountCaller, ClientCaller } from '../../domain/tenant.ts'
import { invalidField } from '../../lib/fault.ts'
import { type ChangePlan, readByIds, readChanges } from '../../runtime/db/lists/changes.ts'
import type { PageOf, Reader, Version } from '../../runtime/db/lists/paginate.ts'
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

/** How the records of one kind are read: in numbered pages, or as they change. */
export interface Readable<Row> {
  page(reader: Reader, integrationId: number, query: ListQuery): Promise<PageOf<Row>>
  changes: ChangePlan
  /** Rows of `changes` as they are shown, where they are kept otherwise. */
  open?(reader: Reader, rows: readonly Row[]): Promise<readonly Row[]>
}

interface Viewed<Row, View> {
  view(rows: readonly Row[]): readonly View[] | Promise<readonly View[]>
}

export async function readShop<Row extends object, View>(
  { reader }: Context,
  integrationId: number,
  query: ListQuery,
  { page, changes, open = asTheyAre, view }: Readable<Row> & Viewed<Row, View>,
): Promise<Page<View> | Changes<View>> {
  if (query.since === null) {
    const { rows, total } = await page(reader, integrationId, query)
    return { rows: await view(rows), total }
  }
  const asked = { since: query.since, limit: query.perPage }
  const { rows, ...where } = await readChanges<Row>(reader, changes, integrationId, asked)
  return { rows: await view(await open(reader, rows)), ...where }
}

async function asTheyAre<Row>(_: Reader, rows: readonly Row[]): Promise<readonly Row[]> {
  return rows
}

/** Records that have an id, and what tells whether one is as it was. */
export interface ReadableRecords<Row> extends Readable<Row> {
  /** Which are on that page, and when each was last changed. */
  versions(reader: Reader, integrationId: number, query: ListQuery): Promise<PageOf<Version>>
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
  how: ViewedRecords<Row, View>,
): Promise<Page<View> | Page<Written>> {
  const { name, page, versions, changes, open = asTheyAre, openedWith, shownBy, view } = how
  const versioned: Versioned<Row> = {
    name: `${name}/${integrationId}`,
    versions: (reader, asked) => versions(reader, integrationId, asked),
    byIds: async (reader, ids) => open(reader, await readByIds<Row>(reader, changes, integrationId, ids)),
    versionOf: ({ updated_at: at }) => at,
    ...(openedWith && { openedWith: (reader) => openedWith(reader, integrationId) }),
    shownBy,
    view,
  }
  const first = query.include.size === 0 ? await firstPage(context, query, versioned) : null
  if (first) return first
  const { rows, total } = await page(context.reader, integrationId, query)
  return { rows: await view(rows), total }
}

/** The same, or as they change. */
export async function readRecords<Row extends Recorded, View>(
  context: Context,
  integrationId: number,
  query: ListQuery,
  how: ViewedRecords<Row, View>,
): Promise<Page<View> | Page<Written> | Changes<View>> {
  if (query.since === null) return await pageOfRecords(context, integrationId, query, how)
  return await readShop(context, integrationId, query, how)
}
