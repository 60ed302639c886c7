import { describe, expect, test } from 'vitest'
import { bare } from '../../../test/support/bare-connector.ts'
import type { DeliveryReading } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import { textOf } from '../../lib/words/wording.ts'
import { isPrivacy, sortMessages, subjectsOf } from './inbound-message.ts'
import type { Recipient, WaitingDelivery } from './inbound-work-store.ts'

/** A platform whose messages are what a test writes into their body. */
const acme: Connector = {
  ...bare,
  webhooks: {
    topics: {},
    registration: { kind: 'portal' },
    verify: () => true,
    read: ({ raw, method, headers, query }) => {
      const { broken, ...reading } = JSON.parse(raw.toString())
      if (broken) throw new TypeError(`${method} ${headers['x-a']} ${query['b']} makes no sense.`)
      return reading
    },
  },
}

type Change = DeliveryReading['changes'][number]
const order = (remoteId: string, raw: unknown = { id: remoteId }): Change => ({ kind: 'order', remoteId, raw })

const delivery = (id: number, says: object, more: Partial<WaitingDelivery> = {}): WaitingDelivery => ({
  id,
  topic: null,
  lost: false,
  verified: true,
  headers: { 'x-a': 'A' },
  query: { b: 'B' },
  body: Buffer.from(
    JSON.stringify({ deliveryId: `${id}`, topic: 'order.updated', changes: [order('1')], at: null, ...says }),
  ),
  attempts: 0,
  received_at: '2026-11-15T12:00:00.000000Z',
  age: 1,
  ...more,
})
const running: Recipient = {
  id: 1,
  app_id: null,
  account_id: null,
  service_id: 1,
  type: 'acme',
  definition: null,
  shop: 'a.example',
  settings: {},
  granted: null,
  status: 'ACTIVE',
  active: true,
  deleted: false,
  keep_orders_days: null,
  has_flows: false,
  messages: 'arriving',
  installed_at: null,
}

/** Where each of the messages has gone, by id. */
function sorted(recipient: Recipient, deliveries: readonly WaitingDelivery[], connector: Connector | undefined = acme) {
  const { acts, records, waiting, finished } = sortMessages(connector, recipient, deliveries)
  const ids = (messages: readonly { delivery: WaitingDelivery }[]) => messages.map((message) => message.delivery.id)
  const said = finished.map(({ error, ...one }) => ({ ...one, error: textOf(error ?? null) }))
  return { acts: ids(acts), records: ids(records), waiting: ids(waiting), finished: said }
}
const nowhere = { acts: [], records: [], waiting: [], finished: [] }
const ignored = (error: string) => ({ ...nowhere, finished: [{ id: 1, outcome: 'ignored', error }] })

describe('a message', () => {
  test('about records is for whoever works on records', () => {
    expect(sorted(running, [delivery(1, {}), delivery(2, {})])).toEqual({ ...nowhere, records: [1, 2] })
  })

  test.each([
    ['is paused', { status: 'INACTIVE' }],
    ['is switched off', { active: false }],
    ['is in error', { status: 'ERROR' }],
  ] as const)('about records waits while the integration %s', (_, more) => {
    expect(sorted({ ...running, ...more }, [delivery(1, {})])).toEqual({ ...nowhere, waiting: [1] })
  })

  test.each([
    ['is uninstalled', { status: 'UNINSTALLED' }],
    ['is deleted', { deleted: true }],
  ] as const)('is for nobody where the integration %s, but for what platforms ask about privacy', (_, more) => {
    const left = { ...running, ...more }
    const gone = ignored('The integration is uninstalled.')
    expect(sorted(left, [delivery(1, {})])).toEqual(gone)
    expect(sorted(left, [delivery(1, { topic: 'app.uninstalled' })])).toEqual(gone)
    expect(sorted(left, [delivery(1, { topic: 'privacy.shop_redact' })])).toEqual({ ...nowhere, acts: [1] })
    expect(sorted(left, [delivery(1, { topic: 'privacy.shop_redact' }, { verified: false })])).toEqual(gone)
  })

  test.each(['app.uninstalled', 'privacy.customer_redact'])(
    'about everything is taken from the platform alone: %s',
    (topic) => {
      expect(sorted(running, [delivery(1, { topic, changes: [] })])).toEqual({ ...nowhere, acts: [1] })
      expect(sorted({ ...running, status: 'INACTIVE' }, [delivery(1, { topic })])).toEqual({ ...nowhere, acts: [1] })
      expect(sorted(running, [delivery(1, { topic }, { verified: false })])).toEqual(
        ignored('The webhook was not signed by the platform.'),
      )
    },
  )

  test('about nothing is done with', () => {
    expect(sorted(running, [delivery(1, { topic: null })])).toEqual(ignored('Nothing to do.'))
    expect(sorted(running, [delivery(1, { changes: [] })])).toEqual(ignored('Nothing to do.'))
  })

  test('that nobody understands is done with, and the others go on', () => {
    expect(sorted(running, [delivery(1, { broken: true }), delivery(2, {})])).toEqual({
      ...nowhere,
      records: [2],
      finished: [{ id: 1, outcome: 'failed', error: 'It could not be parsed: POST A B makes no sense.' }],
    })
  })

  test('of a service that sends none is ignored', () => {
    const none = ignored('The service sends no webhooks.')
    expect(sorted(running, [delivery(1, {})], bare)).toEqual(none)
    const [unknown] = sortMessages(undefined, running, [delivery(1, {})]).finished
    expect(unknown).toMatchObject({ outcome: 'ignored', error: { code: 'message.no_webhooks' } })
  })

  test('comes with what it says', () => {
    const [message] = sortMessages(acme, running, [delivery(1, { deliveryId: 'm1' })]).records
    expect(message?.reading).toMatchObject({ deliveryId: 'm1', changes: [order('1')] })
  })
})

test('what platforms ask about privacy is known by its topic', () => {
  expect(['privacy.shop_redact', 'order.updated', 'no.privacy.', null].map(isPrivacy)).toEqual([
    true,
    false,
    false,
    false,
  ])
})

describe('messages about the same record', () => {
  const subjects = (...deliveries: readonly WaitingDelivery[]) =>
    subjectsOf(sortMessages(acme, running, deliveries).records).map(({ messages, ...subject }) => ({
      ...subject,
      messages: messages.map((message) => message.delivery.id),
    }))

  test('come to one, with all that they have brought', () => {
    expect(
      subjects(
        delivery(1, { changes: [order('1', { v: 1 }), order('2', { v: 2 })] }),
        delivery(2, { changes: [order('1', { v: 3 })] }),
      ),
    ).toEqual([
      { kind: 'orders', key: '1', raws: [{ v: 1 }, { v: 3 }], thin: false, messages: [1, 2] },
      { kind: 'orders', key: '2', raws: [{ v: 2 }], thin: false, messages: [1] },
    ])
  })

  test('count once where one names it twice', () => {
    const twice = delivery(1, { changes: [order('1', { v: 1 }), order('1', { v: 2 })] })
    expect(subjects(twice)).toMatchObject([{ raws: [{ v: 1 }, { v: 2 }], messages: [1] }])
  })

  test('are told apart by what it is', () => {
    const changes = ['order', 'product', 'inventory'].map((kind) => ({ kind, remoteId: '1', raw: {} }))
    expect(subjects(delivery(1, { changes })).map(({ kind, key }) => [kind, key])).toEqual([
      ['orders', '1'],
      ['products', '1'],
      ['inventory', '1'],
    ])
  })

  test.each([
    ['it brings nothing', [order('1', null)], true],
    ['it is a parcel, which comes with its order', [{ kind: 'shipment', remoteId: '1', raw: {} }], true],
    ['anybody could have written it', [order('1')], false],
  ])('make the shop be asked where %s', (_, changes, verified) => {
    expect(subjects(delivery(1, { changes }, { verified }))).toEqual([
      { kind: 'orders', key: '1', raws: [], thin: true, messages: [1] },
    ])
    const full = delivery(2, {})
    expect(subjects(delivery(1, { changes }, { verified }), full)).toMatchObject([{ raws: [{ id: '1' }], thin: true }])
  })
})
