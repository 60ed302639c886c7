/** What an app may ask to be told of. */
export const webhookEvents = [
  'integration.installed',
  'integration.updated',
  'integration.uninstalled',
  'integration.status_changed',
  'integration.error',
  'order.created',
  'order.updated',
  'order.cancelled',
  'shipment.created',
] as const
export type WebhookEvent = (typeof webhookEvents)[number]

export interface Subscription {
  id: number
  app_id: number | null
  integration_id: number | null
  event: string
  url: string
  active: boolean
  created_at: string
  updated_at: string
}

export interface SubscriptionInput {
  event: WebhookEvent
  url: string
  active?: boolean
}

/** Where the secret lives; a sealed secret that is moved to another row does not open. */
export const secretPlace = (id: number) => `webhook_subscriptions.secret:${id}`
