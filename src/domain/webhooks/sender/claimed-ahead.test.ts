import { describe, expect, test } from 'vitest'
import { createClaimedAhead } from './claimed-ahead.ts'

const targetOf = (id: number, url = 'https://app.example') => ({
  ...{ id, app_id: 100 + id, url, secret: Buffer.alloc(0), old_secrets: [], failing: false, thin: false },
})
const delivery = (id: number, webhook_id: number, data = '{}') => ({
  ...{
    id,
    webhook_id,
    event_id: id,
    integration_id: null,
    type: 'order.created',
    data,
    created_at: '2026-11-15T10:00:00Z',
  },
  ...{ attempt: 1, failures: 0, replayed: false },
})
const always = () => true

function lab() {
  let time = 0
  const ahead = createClaimedAhead(() => time)
  const add = (webhookId: number, ...ids: number[]) =>
    ahead.add(
      targetOf(webhookId),
      ids.map((id) => delivery(id, webhookId)),
      time,
    )
  const idsOf = (deliveries: readonly { id: number }[]) => deliveries.map(({ id }) => id)
  const pass = (ms: number) => {
    time += ms
  }
  return { ahead, add, idsOf, pass, next: (room: (id: number) => boolean = always) => ahead.next(room)?.delivery.id }
}

test('webhooks take turns, each in its own order, and those without room are passed over', () => {
  const { ahead, add, next } = lab()
  add(1, 11, 12, 13)
  add(2, 21)
  add(3, 31, 32)
  const notThree = (id: number) => id !== 3
  expect([next(notThree), next(notThree), next(notThree)]).toEqual([11, 21, 12])
  expect([next(), next(), next(), next()]).toEqual([31, 13, 32, undefined])
  expect([ahead.size, ahead.bytes]).toEqual([0, 0])
})

describe('nothing is sent', () => {
  test('to where it was to go more than a second ago, before that was asked again', () => {
    const { ahead, add, pass, next } = lab()
    add(1, 11, 12)
    pass(1000)
    expect([next(), ahead.unsure()]).toEqual([undefined, [1]])
    ahead.refresh(targetOf(1, 'https://elsewhere.example'), 1000)
    expect(ahead.unsure()).toEqual([])
    expect(ahead.next(always)).toMatchObject({ delivery: { id: 11 }, target: { url: 'https://elsewhere.example' } })
    // An answer from before the last is none.
    ahead.refresh(targetOf(1), 500)
    expect(ahead.next(always)?.target.url).toBe('https://elsewhere.example')
  })

  test('so late that its lease might end meanwhile', () => {
    const { ahead, add, idsOf, pass, next } = lab()
    add(1, 11)
    pass(3500)
    add(1, 12)
    expect(idsOf(ahead.dropStale(always))).toEqual([])
    pass(500)
    expect(next()).toBeUndefined()
    expect(idsOf(ahead.dropStale(always))).toEqual([11, 12])
    expect([ahead.size, ahead.bytes]).toEqual([0, 0])
  })
})

test('what waits for an endpoint that is to get nothing ahead is taken out', () => {
  const { ahead, add, idsOf } = lab()
  add(1, 11)
  add(2, 21)
  expect(idsOf(ahead.dropStale((id) => id === 1))).toEqual([21])
  expect([ahead.count(1), ahead.count(2), ahead.size]).toEqual([1, 0, 1])
  add(2, 22)
  expect([ahead.webhooksOfApp(102), idsOf(ahead.drop(2)), idsOf(ahead.dropAll())]).toEqual([[2], [22], [11]])
})

test('its size is known', () => {
  const { ahead } = lab()
  ahead.add(targetOf(1), [delivery(1, 1, 'x'.repeat(1000)), delivery(2, 1, 'y')], 0)
  expect([ahead.size, ahead.bytes]).toEqual([2, 1001])
  ahead.next(always)
  expect([ahead.size, ahead.bytes]).toEqual([1, 1])
})
