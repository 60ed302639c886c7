import { createSubscription } from '../../../domain/webhooks/create-subscription.ts'
import { deleteSubscription } from '../../../domain/webhooks/delete-subscription.ts'
import { webhookEvents } from '../../../domain/webhooks/subscription.ts'
import { findSubscription } from '../../../domain/webhooks/subscription-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { choice, flag, object, optional, text } from '../../../lib/validation/fields.ts'
import { nothing, record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { createdWebhookSchema, webhookView } from '../views/webhook.ts'
import { gateway } from './group.ts'

const create = endpoint({
  group: gateway,
  method: 'POST',
  path: '/webhooks',
  right: 'manage-access',
  summary: 'Create a webhook',
  description: 'From then on events are posted to the URL, signed with the secret that only this answer shows.',
  body: object({
    event: choice(webhookEvents),
    url: text({ max: 2000, format: 'url', description: 'https, and reachable from the internet' }),
    active: optional(flag()),
  }),
  example: { event: 'order.created', url: 'https://hooks.example.com/orders' },
  returns: record(createdWebhookSchema),
  handle: async ({ context, caller, admitted, body }) => {
    const owner = { appId: admitted.app_id, integrationId: admitted.id, createdBy: caller.userId }
    const { subscription, secret } = await createSubscription(context, owner, body)
    return { ...webhookView(subscription), secret }
  },
})

const remove = endpoint({
  group: gateway,
  method: 'DELETE',
  path: '/webhooks/{webhookId}',
  right: 'manage-access',
  summary: 'Delete a webhook',
  find: ({ context, admitted, params }) => findSubscription(context.db, admitted.id, recordId(params.webhookId)),
  returns: nothing,
  handle: ({ context, found }) => deleteSubscription(context, found.id),
})

export const gatewayWebhooks = [create, remove]
