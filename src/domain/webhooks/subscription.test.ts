import { expect, test } from 'vitest'
import { eventTypes } from '../events/event.ts'
import { oldSecretPlace, secretPlace, webhookEvents } from './subscription.ts'

test('a webhook of one integration hears of everything but of other webhooks and alerts', () => {
  const heard = new Set<string>(webhookEvents)
  expect(eventTypes.filter((type) => !heard.has(type))).toEqual([
    'attention.opened',
    'attention.closed',
    'webhook.disabled',
  ])
  expect(webhookEvents).toContain('order.created')
})

test('every secret has a place of its own', () => {
  const places = [secretPlace(1), secretPlace(2), oldSecretPlace(1), oldSecretPlace(2)]
  expect(new Set(places).size).toBe(4)
  expect([secretPlace(1), oldSecretPlace(1)]).toEqual([
    'webhook_subscriptions.secret:1',
    'webhook_old_secrets.secret:1',
  ])
})
