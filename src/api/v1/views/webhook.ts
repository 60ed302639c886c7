import { type Static, Type } from 'typebox'
import type { Subscription } from '../../../domain/webhooks/subscription.ts'
import { idField, nullableId, timestamps } from '../../v2/views/record.ts'

export const webhookSchema = Type.Object({
  id: idField,
  integration_id: nullableId,
  event: Type.Union([Type.String(), Type.Null()]),
  url: Type.String(),
  active: Type.Boolean(),
  ...timestamps,
})

export const createdWebhookSchema = Type.Intersect([
  webhookSchema,
  Type.Object({
    secret: Type.String({ description: 'Signs what we send (Standard Webhooks); shown only in this answer' }),
  }),
])

export const webhookView = (subscription: Subscription): Static<typeof webhookSchema> => ({
  id: subscription.id,
  integration_id: subscription.integration_id,
  event: subscription.event,
  url: subscription.url,
  active: subscription.active,
  created_at: subscription.created_at,
  updated_at: subscription.updated_at,
})
