import { type Static, Type } from 'typebox'
import type { Compared } from '../../../../domain/descriptions/compare-for-user.ts'
import type { Differences } from '../../../../domain/descriptions/differences.ts'

const count = Type.Integer()

const counted = {
  compared: count,
  unchanged: count,
  changed: count,
  failed: Type.Integer({ description: 'Orders that one of the two does not understand' }),
  fields: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Names with dots between; elements of a list have no number: `items.tax`' }),
      count: Type.Integer({ description: 'Number of orders in which it differs' }),
      examples: Type.Array(Type.Object({ remote_id: Type.String(), before: Type.Unknown(), after: Type.Unknown() }), {
        description: 'At most five; what is about people is not shown',
      }),
    }),
    { description: 'The most frequent first' },
  ),
  failures: Type.Array(
    Type.Object({
      reason: Type.String(),
      count,
      example: Type.String({ description: 'The id of an order in the shop' }),
    }),
  ),
}

export const differencesSchema = Type.Object({
  ...counted,
  live: Type.Union([Type.Object(counted), Type.Null()], {
    description: 'The same of the first page of orders that the shop sends now; null where that was not asked for',
  }),
})

const countedView = (differences: Differences) => ({
  ...differences,
  fields: differences.fields.map((one) => ({ ...one, examples: [...one.examples] })),
  failures: [...differences.failures],
})

export const differencesView = ({ live, ...stored }: Compared): Static<typeof differencesSchema> => ({
  ...countedView(stored),
  live: live && countedView(live),
})
