import { GraphQLError, type GraphQLFormattedError, type GraphQLResolveInfo } from 'graphql'
import type { Recorder } from '../../http/route.ts'
import { type Fields, fieldsOf, parseJson } from '../../json.ts'
import type { Position } from '../../shop/list-orders.ts'

/** What a field is handed beside its arguments. */
export interface Asked {
  record: Recorder
  /** Who asks, and what they may. */
  caller: string
  /** The name by which they know the shop. */
  shop: string
  scopes: ReadonlySet<string>
  /** Bulk queries name no page sizes: they have everything. */
  whole: boolean
}

export const failure = (message: string, code: string, extensions: GraphQLFormattedError['extensions'] = {}) =>
  new GraphQLError(message, { extensions: { code, ...extensions } })

/** Who may write may read. */
export const may = ({ scopes }: Pick<Asked, 'scopes'>, scope: string): boolean =>
  scopes.has(scope) || scopes.has(scope.replace(/^read_/, 'write_'))

/** The field is null then, with an error at its path: the rest of the answer is as it would be. */
export function need(asked: Asked, scope: string | undefined, field: string): void {
  if (scope === undefined || may(asked, scope)) return
  const requiredAccess = `\`${scope}\` access scope.`
  throw failure(`Access denied for ${field} field. Required access: ${requiredAccess}`, 'ACCESS_DENIED', {
    documentation: 'https://shopify.dev/api/usage/access-scopes',
    requiredAccess,
  })
}

/** What must be granted before somebody may ask for it. */
const scopes = new Map(
  Object.entries({
    read_orders: 'order orders ordersCount',
    write_orders: 'orderCreate orderCancel orderCapture orderUpdate refundCreate tagsAdd tagsRemove',
    write_merchant_managed_fulfillment_orders:
      'fulfillmentCreate fulfillmentCancel fulfillmentTrackingInfoUpdate fulfillmentOrderHold fulfillmentOrderReleaseHold',
    read_products: 'product products productVariants',
    write_products: 'productSet productVariantsBulkCreate productVariantsBulkUpdate',
    write_inventory: 'inventorySetQuantities inventoryActivate',
    ...{ read_customers: 'customer customers', read_locations: 'locations' },
    ...{ read_publications: 'publications', write_publications: 'publishablePublish' },
  }).flatMap(([scope, fields]) => fields.split(' ').map((field): [string, string] => [field, scope])),
)

type Resolve = (args: Fields, asked: Asked, info: GraphQLResolveInfo) => unknown

/** The fields that everything begins with, for those who may ask for them. */
export const guarded = (root: Readonly<Record<string, Resolve>>): Readonly<Record<string, Resolve>> =>
  Object.fromEntries(
    Object.entries(root).map(([field, resolve]) => {
      const guard: Resolve = (args, asked, info) => {
        need(asked, scopes.get(field), field)
        return resolve(args, asked, info)
      }
      return [field, guard]
    }),
  )

const maxPage = 250

export function sizeOf({ first }: Fields, { whole }: Asked): number {
  if (whole) return Number.POSITIVE_INFINITY
  if (typeof first !== 'number' || first < 1) throw failure('you must provide one of first or last', 'BAD_REQUEST')
  if (first > maxPage) throw failure(`first cannot exceed ${maxPage}`, 'BAD_REQUEST')
  return first
}

const cursorOf = ({ at, index }: Position): string =>
  Buffer.from(JSON.stringify({ last_id: index, last_value: at })).toString('base64')

export function positionIn({ after }: Fields): Position | null {
  if (typeof after !== 'string') return null
  const { last_id: index, last_value: at } = fieldsOf(parseJson(Buffer.from(after, 'base64').toString()))
  if (typeof at !== 'number' || typeof index !== 'number') throw failure('Invalid cursor', 'BAD_REQUEST')
  return { at, index }
}

/** One page in the form that every list has here. */
export function connection<Row, Node>(
  { rows, more, positionOf }: { rows: readonly Row[]; more: boolean; positionOf(row: Row): Position },
  view: (row: Row) => Node | null,
) {
  const cursor = (row: Row | undefined) => (row === undefined ? null : cursorOf(positionOf(row)))
  return {
    nodes: () => rows.map(view),
    edges: () => rows.map((row) => ({ cursor: cursor(row), node: view(row) })),
    pageInfo: () => ({ hasNextPage: more, endCursor: cursor(rows.at(-1)) }),
  }
}

/** A page of a list that is at hand as a whole. */
export function pageOf<Row, Node>(
  list: readonly Row[],
  args: Fields,
  asked: Asked,
  view: (row: Row) => Node | null,
  keyOf?: (row: Row, place: number) => Position,
) {
  const size = sizeOf(args, asked)
  const after = positionIn(args)
  const keyed = list.map((row, index) => ({ row, ...(keyOf?.(row, index) ?? { at: 0, index }) }))
  // Cut by key, not by count: what moves meanwhile is met again at the end, and nothing is skipped.
  const rest = after ? keyed.filter(({ at, index }) => (at === after.at ? index > after.index : at > after.at)) : keyed
  const page = { rows: rest.slice(0, size), more: rest.length > size, positionOf: (one: (typeof rest)[number]) => one }
  return connection(page, ({ row }): Node | null => view(row))
}
