import { Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { integrationList } from '../../../domain/integrations/integration-list-store.ts'
import { findOrderEver, type OrderRecord, ordersByNumber } from '../../../domain/orders/order-record-store.ts'
import { explainMissing } from '../../../domain/passport/explain-missing.ts'
import { readPassport } from '../../../domain/passport/read-passport.ts'
import { invalidField } from '../../../lib/fault.ts'
import { recordId } from '../../../lib/record-id.ts'
import { object, optional, text } from '../../../lib/validation/fields.ts'
import { type ListScope, paginate } from '../../../runtime/db/lists/paginate.ts'
import { type Answer, answer, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { ofOneIntegration, type ShopRead } from '../shop-data.ts'
import { passportByNumberSchema, passportSchema, passportView } from '../views/passport.ts'

export const findEver = ({ db }: Context, { id }: Integration, order: string): Promise<OrderRecord> =>
  findOrderEver(db, id, recordId(order))

export const passportOfOrder = {
  method: 'GET',
  path: '/orders/{order}/passport',
  right: 'read-order',
  summary: 'Get the passport of an order',
  description:
    'Every step of the order with its time: what the shop sent, which run stored it, what changed, what was sent to the shop and to webhooks, and with what result.',
  extension: true,
  query: listQuery({ required: ofOneIntegration, sort: [] }),
  returns: record(passportSchema),
  handle: async ({ context, found }: ShopRead<OrderRecord>) => passportView(await readPassport(context.db, found)),
} as const

const byNumberQuery = object({
  number: text({ description: 'The number of the order, with or without a leading #', examples: ['1001'] }),
  integration_id: optional(
    text({
      pattern: '^[1-9]\\d{0,14}$',
      description: 'Where to search; required if there are more than 500 integrations',
    }),
  ),
})

export const passportByNumber = {
  method: 'GET',
  path: '/passport',
  right: 'read-order',
  summary: 'Find the passport of an order by its number',
  description:
    'The newest order with that number, and older ones with the same number. If there is none, the answer is 404 with what is known: `reason` in words and as `reason_code`, and for each integration the last completed sync, how far the shop has been read, and whether such an order was quarantined.',
  extension: true,
  status: 200,
  query: byNumberQuery,
  returns: answer(Type.Object({ data: passportByNumberSchema })),
  handle: ({ context, found, query }: { context: Context; found: Integration[]; query: { number: string } }) =>
    readByNumber(context, found, query.number),
} as const

/** A number is looked for in so many integrations at once, by the index of each. */
const maxIntegrations = 500

export async function allIntegrations(context: Context, scope: ListScope): Promise<Integration[]> {
  const query = { page: 1, perPage: maxIntegrations + 1, filter: {}, sort: [] }
  const { rows } = await paginate<Integration>(context.reader, integrationList, scope, query)
  if (rows.length > maxIntegrations) throw invalidField('integration_id', 'The integration id field is required.')
  return rows
}

async function readByNumber({ db }: Context, integrations: readonly Integration[], number: string): Promise<Answer> {
  const bare = number.replace(/^#/, '')
  const ids = integrations.map(({ id }) => id)
  const [order, ...others] = await ordersByNumber(db, ids, [bare, `#${bare}`])
  if (!order) {
    return { status: 404, body: { message: 'Not found.', ...(await explainMissing(db, integrations, number)) } }
  }
  const seen = others.map(({ id, integration_id }) => ({ id, integration_id }))
  return { status: 200, body: { data: { ...passportView(await readPassport(db, order)), others: seen } } }
}
