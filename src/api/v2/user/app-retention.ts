import { Type } from 'typebox'
import { readRetention, writeRetention } from '../../../domain/retention/retention-store.ts'
import { integer, maybe, nullable, object } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appInPath, mutableAppInPath } from '../in-path.ts'

const days = (maximum: number, description: string) => integer({ minimum: 1, maximum, description })

const fields = {
  orders_days: days(36_500, 'Orders, counted from when they were placed; null keeps them while the shop is connected'),
  customers_days: days(
    36_500,
    'Who bought, counted from when an order arrived or left; null keeps it as long as the platform and the operator allow',
  ),
  messages_days: days(30, 'What messages of shops said, and what was sent to shops; null keeps it for 7 and 30 days'),
}

const retentionSchema = Type.Object({
  orders_days: nullable(fields.orders_days),
  customers_days: nullable(fields.customers_days),
  messages_days: nullable(fields.messages_days),
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/retention',
  right: 'read-app',
  extension: true,
  summary: 'How long an app keeps what its shops hold',
  find: appInPath,
  returns: record(retentionSchema),
  handle: ({ context, found }) => readRetention(context.db, found.id),
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/retention',
  right: 'update-app',
  extension: true,
  summary: 'Change how long an app keeps what its shops hold',
  description:
    'In days; null ends a limit. What is older is deleted within the hour, for good, and later syncs do not bring it back: they count it as `expired`.',
  find: mutableAppInPath,
  body: object({
    orders_days: maybe(fields.orders_days),
    customers_days: maybe(fields.customers_days),
    messages_days: maybe(fields.messages_days),
  }),
  example: { orders_days: 3650, customers_days: 730 },
  returns: record(retentionSchema),
  handle: ({ context, found, body }) => context.transaction((trx) => writeRetention(trx, found.id, body)),
})

export const userAppRetention = [get, update]
