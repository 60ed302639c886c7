import { type EventType, eventTypes } from '../events/event.ts'

/** What a webhook of one integration may subscribe to; other webhooks and alerts concern the app. */
export const webhookEvents = eventTypes.filter((type) => !/^(webhook|attention)\./.test(type))

export type DisabledReason = 'gone' | 'failing'

/** A subscription: to one integration (version 1.0) or to all integrations of an app. */
export interface Subscription {
  id: number
  app_id: number | null
  integration_id: number | null
  /** Version 1.0 names one. */
  event: string | null
  /** Version 2.0 names several, or all with `*`. */
  events: string[]
  /** The shops of the app that it is told of; null is all. */
  integration_ids: number[] | null
  /** Whether it is told ids only. */
  thin: boolean
  description: string | null
  url: string
  active: boolean
  failing_since: string | null
  disabled_at: string | null
  disabled_reason: DisabledReason | null
  created_at: string
  updated_at: string
}

export interface SubscriptionInput {
  event?: EventType
  events?: readonly string[]
  integration_ids?: readonly number[] | null
  thin?: boolean
  description?: string | null
  url: string
  active?: boolean
}

export interface SubscriptionChanges {
  events?: readonly string[] | undefined
  integration_ids?: readonly number[] | null | undefined
  thin?: boolean | undefined
  description?: string | null | undefined
  url?: string | undefined
  active?: boolean | undefined
}

/** Where the secrets live; a sealed secret that is moved to another row does not open. */
export const secretPlace = (id: number) => `webhook_subscriptions.secret:${id}`
export const oldSecretPlace = (webhookId: number) => `webhook_old_secrets.secret:${webhookId}`
