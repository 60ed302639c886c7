import { expect, test } from 'vitest'
import { openImitation } from '../../../../test/support/imitation.ts'
import { ebay } from '../index.ts'
import type { Credentials, Settings } from '../settings.ts'
import { subscribe } from './registrations.ts'

const address = { notification_url: 'https://us.example/messages', verification_token: 'x'.repeat(40) }

function open(variant: Record<string, string> = {}) {
  const imitation = openImitation<Settings, Credentials>(ebay, { variant })
  const client = { ...Object(imitation.simulator.install.client), ...address, order_notifications: true }
  const made = () =>
    imitation.asked.filter(({ request, url }) => request.method !== 'GET' && url.includes('/notification/'))
  return { ...imitation, client, made }
}

test('a seller’s sales are subscribed to once, at the one address of the app', async () => {
  const { shop, client, made } = open()
  for (const _ of [1, 2]) expect(await subscribe(shop, { ...client, alert_email: 'ops@us.example' })).toBe(true)
  expect(made().map(({ request: { method, path, body } }) => ({ method, path, body }))).toEqual([
    { method: 'PUT', path: '/commerce/notification/v1/config', body: { alertEmail: 'ops@us.example' } },
    {
      method: 'POST',
      path: '/commerce/notification/v1/destination',
      body: {
        name: 'Entrepot',
        status: 'ENABLED',
        deliveryConfig: { endpoint: address.notification_url, verificationToken: address.verification_token },
      },
    },
    {
      method: 'POST',
      path: '/commerce/notification/v1/subscription',
      body: {
        topicId: 'ORDER_CONFIRMATION',
        status: 'ENABLED',
        payload: { format: 'JSON', schemaVersion: '1.0', deliveryProtocol: 'HTTPS' },
        destinationId: 'destination-1',
      },
    },
  ])
})

test('what goes to an address that the app no longer has is led to the one that it has', async () => {
  const { shop, client, made } = open()
  await subscribe(shop, client)
  await subscribe(shop, { ...client, notification_url: 'https://us.example/elsewhere' })
  expect(made().at(-1)?.request).toMatchObject({
    method: 'PUT',
    path: '/commerce/notification/v1/subscription/subscription-1',
    body: { destinationId: 'destination-2', status: 'ENABLED' },
  })
})

test('nobody is subscribed who was not granted the topic, or does not want it', async () => {
  const refused = open({ order_topic: 'refused' })
  await expect(subscribe(refused.shop, refused.client)).rejects.toMatchObject({ kind: 'upstream_refused' })
  const { shop, client, asked } = open()
  expect(await subscribe(shop, { ...client, order_notifications: false })).toBe(false)
  expect(asked).toEqual([])
})

test('sellers are asked for the scope where the app has it, and only there', () => {
  const { client, facts } = open()
  const { auth } = ebay
  if (auth.kind !== 'oauth2') throw new Error('eBay is opened by a browser.')
  const scopeFor = (us: object) =>
    new URL(
      auth.authorizeUrl({
        ...facts,
        client: { ...client, ...us },
        state: 's',
        scopes: [...auth.scopes],
        callbackUrl: '',
        codeChallenge: null,
      }),
    ).searchParams.get('scope')
  expect(scopeFor({})).toContain('commerce.notification.subscription')
  expect(scopeFor({ order_notifications: false })).not.toContain('notification')
})
