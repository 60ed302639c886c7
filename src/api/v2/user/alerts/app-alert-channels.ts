import { Type } from 'typebox'
import { channelTypes, deliveries } from '../../../../domain/alerts/channels/channel.ts'
import {
  channelList,
  channelScope,
  deleteChannel,
  findChannel,
} from '../../../../domain/alerts/channels/channel-store.ts'
import { createChannel, updateChannel } from '../../../../domain/alerts/channels/write-channel.ts'
import { tryChannel } from '../../../../domain/alerts/sending/try-channel.ts'
import { severities } from '../../../../domain/attention/attention.ts'
import type { Context } from '../../../../domain/context.ts'
import type { UserCaller } from '../../../../domain/tenant.ts'
import { verifiedEmail } from '../../../../domain/users/address-store.ts'
import { recordId } from '../../../../lib/record-id.ts'
import { choice, flag, maybe, nameText, object, optional, partial, text } from '../../../../lib/validation/fields.ts'
import { nothing, page, record } from '../../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { listOf } from '../../../list.ts'
import { appInPath, mutableAppInPath } from '../../in-path.ts'
import { channelSchema, channelView } from '../../views/alerts/alert.ts'

const clock = (description: string) =>
  maybe(text({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', must: 'be a time such as 22:30', description }))

const changeable = {
  name: nameText(),
  address: text({
    max: 2000,
    description:
      'The mailbox, the address of the chat’s incoming webhook, or the routing key of the pager. Kept sealed, and in no answer',
  }),
  url: maybe(text({ max: 2000, description: 'Of a pager that is not PagerDuty itself: where it takes events' })),
  severity: optional(choice(severities, 'Nothing below it is sent; `warning` by default')),
  active: optional(flag()),
  delivery: optional(choice(deliveries, 'At once, grouped; or everything once a day')),
  daily_at: clock('When, if once a day; 08:00 by default'),
  quiet_from: clock('From then on only what is critical is sent; the rest waits'),
  quiet_to: clock('Until then'),
  time_zone: optional(text({ max: 64, format: 'timezone', description: 'Of these times; UTC by default' })),
}
const body = object({ type: choice(channelTypes), ...changeable })

type FindingChannel = Finding<UserCaller, 'appId' | 'alertChannel'>

async function findOwn(input: FindingChannel) {
  const { id: appId } = await appInPath(input)
  return await findChannel(input.context.db, { appId }, recordId(input.params.alertChannel))
}

async function findMutable(input: FindingChannel) {
  await mutableAppInPath(input)
  return await findOwn(input)
}

const makerOf = async ({ db }: Context, { userId }: UserCaller) => ({ userId, email: await verifiedEmail(db, userId) })

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/alert-channels',
  right: 'read-app',
  extension: true,
  summary: 'List the channels of alerts',
  find: appInPath,
  query: listQuery({ filter: ['active', 'type'], sort: ['id', 'name', 'created_at'] }),
  returns: page(channelSchema),
  handle: ({ context, found, query }) =>
    listOf(context, channelList, channelScope({ appId: found.id }), query, channelView),
})

const create = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/alert-channels',
  right: 'manage-access',
  extension: true,
  summary: 'Create a channel for alerts',
  description:
    'A mailbox other than your own hears nothing before whoever reads it has agreed, by a link that is sent there.',
  find: mutableAppInPath,
  body,
  example: {
    type: 'slack',
    name: 'The team’s chat',
    address: 'https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX',
    quiet_from: '22:00',
    quiet_to: '07:00',
    time_zone: 'Europe/Berlin',
  },
  returns: record(channelSchema),
  handle: async ({ context, caller, found, body }) =>
    channelView(await createChannel(context, { appId: found.id, maker: await makerOf(context, caller) }, body)),
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/alert-channels/{alertChannel}',
  right: 'read-app',
  extension: true,
  summary: 'Get a channel of alerts',
  find: findOwn,
  returns: record(channelSchema),
  handle: async ({ found }) => channelView(found),
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/alert-channels/{alertChannel}',
  right: 'manage-access',
  extension: true,
  summary: 'Update a channel of alerts',
  find: findMutable,
  body: partial(object(changeable)),
  example: { severity: 'critical', active: true },
  returns: record(channelSchema),
  handle: async ({ context, caller, found, body }) =>
    channelView(await updateChannel(context, found, { changes: body, maker: await makerOf(context, caller) })),
})

const remove = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}/alert-channels/{alertChannel}',
  right: 'manage-access',
  extension: true,
  summary: 'Delete a channel of alerts',
  description: 'Its address is destroyed.',
  find: findMutable,
  returns: nothing,
  handle: ({ context, found }) => context.transaction((trx) => deleteChannel(trx, found.id)),
})

const attempt = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/alert-channels/{alertChannel}/test',
  right: 'manage-access',
  extension: true,
  summary: 'Send a test to a channel of alerts',
  description: 'At once, and shows what the other side answers.',
  status: 200,
  find: findMutable,
  returns: record(
    Type.Object({
      delivered: Type.Boolean(),
      status: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the answer, where there was one' }),
      said: Type.String({ description: 'The beginning of the answer, or what went wrong' }),
    }),
  ),
  handle: ({ context, found }) => tryChannel(context, found),
})

export const userAppAlertChannels = [list, create, get, update, remove, attempt]
