import { Readable } from 'node:stream'
import { type Static, Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import { eraseCustomer } from '../../../domain/customers/erase-customer.ts'
import { maxExported, mentionsToExport, ordersToExport } from '../../../domain/customers/export-customer.ts'
import { type FoundInShop, findCustomer, type SoughtIn, whereToLook } from '../../../domain/customers/find-customer.ts'
import type { Erasure } from '../../../domain/erasures/erasure.ts'
import { findErasure, shopsOfErasure } from '../../../domain/erasures/erasure-store.ts'
import type { AccountTenant } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { id, maybe, object, text } from '../../../lib/validation/fields.ts'
import { answer, record } from '../../../runtime/http/endpoint.ts'
import { erasureSchema, erasureView } from '../views/erasure.ts'
import { idField, nullableText, nullableTimestamp } from '../views/record.ts'
import { viewOrders } from './of-orders.ts'

/** A customer is named in the body, never in an address: addresses are written down on the way. */
const named = {
  email: maybe(text({ max: 320 })),
  phone: maybe(text({ max: 40, description: 'However it is written; every digit counts' })),
  customer_id: maybe(text({ description: 'The shop’s own id of the customer; with `integration_id`' })),
  integration_id: maybe(id('Only in this shop')),
}
const soughtBody = object({ ...named, name: maybe(text({ description: 'Whole words, in any order; by itself' })) })
const erasedBody = object(named)

interface Asked<Body> {
  context: Context
  found: AccountTenant
  body: Body
}

const foundSchema = Type.Object({
  orders: Type.Integer({ description: 'Of the customer, in all shops' }),
  shops: Type.Array(
    Type.Object({
      integration_id: idField,
      name: Type.String(),
      type: Type.String(),
      shop: Type.String(),
      orders: Type.Integer(),
      first_placed_at: nullableTimestamp,
      last_placed_at: nullableTimestamp,
      newest: Type.Array(
        Type.Object({
          id: idField,
          remote_id: Type.String(),
          number: nullableText,
          status: Type.String(),
          total: Type.String(),
          currency: Type.String(),
          placed_at: nullableTimestamp,
          deleted_at: nullableTimestamp,
          customer: Type.Record(Type.String(), Type.Unknown()),
        }),
        { description: 'The newest ten' },
      ),
    }),
  ),
})

const foundView = (found: readonly FoundInShop[]): Static<typeof foundSchema> => ({
  orders: found.reduce((sum, { orders }) => sum + orders, 0),
  shops: found.map(({ shop, newest, orders, first_placed_at, last_placed_at }) => ({
    integration_id: shop.id,
    name: shop.name,
    type: shop.type,
    shop: shop.shop,
    ...{ orders, first_placed_at, last_placed_at },
    newest: newest.map(
      ({ id: order, remote_id, number, status, total, currency, placed_at, deleted_at, customer }) => ({
        ...{ id: order, remote_id, number, status, total, currency, placed_at, deleted_at, customer },
      }),
    ),
  })),
})

const where = 'In all shops of the account, also those that were disconnected and not yet purged.'

export const customerFind = {
  method: 'POST',
  right: 'read-order',
  extension: true,
  summary: 'Find a customer',
  description: `By \`email\`, \`phone\` or \`customer_id\`, each of which is enough, or by a \`name\` alone. ${where}`,
  status: 200,
  audits: 'personal_data',
  onlyReads: () => true,
  body: soughtBody,
  example: { email: 'ada@example.com' },
  returns: record(foundSchema),
  handle: async ({ context, found, body }: Asked<Static<typeof soughtBody>>) =>
    foundView(await findCustomer(context, found, body)),
} as const

export const customerExport = {
  method: 'POST',
  right: 'read-order',
  extension: true,
  summary: 'Export what is held of a customer',
  description: `One JSON object a line: orders with history, parcels and the shop’s own record, then whatever else names the customer (\`mention\`): messages of shops, records set aside, changes in shops, reports; ${maxExported.toLocaleString('en')} of each at most. By a name alone orders only, since several people may have it. ${where}`,
  status: 200,
  audits: 'export',
  onlyReads: () => true,
  body: soughtBody,
  example: { email: 'ada@example.com' },
  returns: answer(),
  async handle({ context, found, body }: Asked<Static<typeof soughtBody>>) {
    const places = await whereToLook(context, found, body)
    return {
      status: 200,
      headers: {
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': 'attachment; filename="customer.ndjson"',
      },
      body: Readable.from(linesOf(context, places)),
    }
  },
} as const

const everything = new Set(['shipments', 'history', 'raw'])

async function* linesOf(context: Context, places: readonly SoughtIn[]): AsyncGenerator<string> {
  for await (const { shop, orders } of ordersToExport(context, places)) {
    const shown = await viewOrders(context, { id: shop.id, clock: null }, orders, everything)
    for (const order of shown) yield `${JSON.stringify({ shop: shop.shop, order })}\n`
  }
  for await (const { shop, table, text: said } of mentionsToExport(context, places)) {
    yield `${JSON.stringify({ shop: shop.shop, mention: { table, text: said } })}\n`
  }
}

export const customerErasure = {
  method: 'POST',
  right: 'erase-customer',
  extension: true,
  summary: 'Erase a customer',
  description: `Forgets the customer named by \`email\`, \`phone\` or \`customer_id\`, each of which is enough: in orders, their history, messages of shops, what was sent to shops, reports and stored answers. A name alone erases nobody, since several people may have it. What was bought stays, and later syncs do not bring the customer of these orders back. ${where} It takes its time: ask for the erasure to see how far it is.`,
  status: 202,
  body: erasedBody,
  example: { email: 'ada@example.com' },
  returns: record(erasureSchema),
  async handle({ context, found, body, caller }: Asked<Static<typeof erasedBody>> & { caller: { kind: string } }) {
    const requestedBy = caller.kind === 'account' ? 'account' : 'app'
    return await viewErasure(context, await eraseCustomer(context, found, { asked: body, requestedBy }))
  },
} as const

export const findErasureOf = async (context: Context, tenant: AccountTenant, erasure: string): Promise<Erasure> =>
  await findErasure(context.db, tenant, recordId(erasure))

export const oneErasure = {
  method: 'GET',
  right: 'read-order',
  extension: true,
  summary: 'Get an erasure',
  description: 'How far it is, and what was touched.',
  returns: record(erasureSchema),
  handle: async ({ context, found }: { context: Context; found: Erasure }) => await viewErasure(context, found),
} as const

const viewErasure = async ({ db }: Context, erasure: Erasure): Promise<Static<typeof erasureSchema>> =>
  erasureView(erasure, await shopsOfErasure(db, erasure.id))
