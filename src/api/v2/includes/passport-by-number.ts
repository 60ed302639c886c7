import { Type } from 'typebox'
import type { Context } from '../../../domain/context.ts'
import type { Integration } from '../../../domain/integrations/integration.ts'
import { integrationList } from '../../../domain/integrations/integration-store.ts'
import { ordersByNumber } from '../../../domain/orders/order-record-store.ts'
import { explainMissing } from '../../../domain/passport/explain-missing.ts'
import { readPassport } from '../../../domain/passport/read-passport.ts'
import { invalidField } from '../../../lib/fault.ts'
import { object, optional, text } from '../../../lib/fields.ts'
import { type ListScope, paginate } from '../../../runtime/db/paginate.ts'
import { type Answer, answer } from '../../../runtime/http/endpoint.ts'
import { passportByNumberSchema, passportView } from '../views/passport.ts'

export const byNumberQuery = object({
  number: text({ description: 'The number of the order, with or without a leading #', examples: ['1001'] }),
  integration_id: optional(
    text({
      pattern: '^[1-9]\\d{0,14}$',
      description: 'Where to look; needed where there are more than 50 integrations',
    }),
  ),
})

export const byNumberAnswer = answer(Type.Object({ data: passportByNumberSchema }))

export const byNumberDescription =
  'The newest order of that number, and which others have it. An order that is not there is 404, with what is known: `reason`, and for each integration the last completed sync, how far the shop has been read, and whether such an order could not be stored.'

/** A number is looked for in so many integrations at once; more would be asking every shard. */
const mostIntegrations = 50

export async function allIntegrations(context: Context, scope: ListScope): Promise<Integration[]> {
  const query = { page: 1, perPage: mostIntegrations + 1, filter: {}, sort: [] }
  const { rows } = await paginate<Integration>(context.reader, integrationList, scope, query)
  if (rows.length > mostIntegrations) throw invalidField('integration_id', 'The integration id field is required.')
  return rows
}

export async function passportByNumber(
  { db }: Context,
  integrations: readonly Integration[],
  number: string,
): Promise<Answer> {
  const bare = number.replace(/^#/, '')
  const ids = integrations.map(({ id }) => id)
  const [order, ...others] = await ordersByNumber(db, ids, [bare, `#${bare}`])
  if (!order) {
    return { status: 404, body: { message: 'Not found.', ...(await explainMissing(db, integrations, number)) } }
  }
  const seen = others.map(({ id, integration_id }) => ({ id, integration_id }))
  return { status: 200, body: { data: { ...passportView(await readPassport(db, order)), others: seen } } }
}
