import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { refused, shopAway } from '../../../commerce/remote.ts'
import { seal } from '../../../lib/secret-box.ts'
import { unreachable } from '../../../runtime/egress/egress-faults.ts'
import { secretPlace } from '../subscription.ts'
import { type Send, sendDelivery } from './send-delivery.ts'
import { rememberKeys } from './sign-delivery.ts'

let it: TestContext
beforeAll(async () => {
  it = await createTestContext()
})
afterAll(() => it.close())

const delivery = {
  ...{
    id: 5,
    webhook_id: 7,
    integration_id: 3 as number | null,
    event_id: 9,
    type: 'order.created',
    data: '{"id":1}',
    created_at: '2026-11-15T10:00:00Z',
  },
  ...{ attempt: 2, failures: 1, replayed: false },
}

function attempt(send: Send, more: Partial<typeof delivery> = {}) {
  const { keys } = it.context
  const secret = seal(keys, `whsec_${randomBytes(24).toString('base64')}`, secretPlace(7))
  const target = {
    id: 7,
    app_id: 1,
    url: 'https://app.example/hook',
    secret,
    old_secrets: [],
    failing: false,
    thin: false,
  }
  return sendDelivery(it.context, { send, keysOf: rememberKeys(it.context) }, { ...delivery, ...more }, target)
}
const answering =
  (status: number, headers: Record<string, string> = {}, body = ''): Send =>
  async () => ({ status, headers, bytes: Buffer.from(body) })

describe('an answer', () => {
  test.each([200, 201, 204, 299])('of %i means that it was taken', async (status) => {
    expect(await attempt(answering(status))).toMatchObject({
      settlement: { id: 5, attempt: 2, state: 'delivered', status, error: null, trigger: 'schedule' },
      gone: false,
    })
  })

  test.each([301, 302, 400, 401, 404, 429, 500, 503])('of %i means another time', async (status) => {
    expect(await attempt(answering(status))).toMatchObject({
      settlement: { state: 'pending', status, error: `The endpoint answered ${status}.` },
      gone: false,
    })
  })

  test('of 410 means that nobody is there any more', async () => {
    expect(await attempt(answering(410))).toMatchObject({ settlement: { state: 'pending', delay: 60 }, gone: true })
  })

  test('after the last attempt means that it is given up', async () => {
    expect(await attempt(answering(500), { failures: 12 })).toMatchObject({ settlement: { state: 'failed', delay: 0 } })
    expect(await attempt(answering(500), { failures: 11, replayed: true })).toMatchObject({
      settlement: { state: 'pending', trigger: 'replay' },
    })
  })

  test('is kept as far as it is text, and heeded where it asks for time', async () => {
    const { settlement, restMs } = await attempt(answering(503, { 'retry-after': '7200' }, 'busy\u0000\nnow'))
    expect([settlement.body, restMs, settlement.delay >= 7200]).toEqual(['busy\nnow', 7_200_000, true])
    expect((await attempt(answering(200))).settlement.body).toBeNull()
  })

  test.each([
    ['stock.changed', null],
    ['webhook.test', 'somebody'],
    ['webhook.disabled', 'somebody'],
  ])('to %s, which is about no shop, is kept as %s', async (type, body) => {
    const { settlement } = await attempt(answering(200, {}, 'somebody'), { integration_id: null, type })
    expect(settlement.body).toBe(body)
  })
})

test('what did not get there says why, and nothing of our own network', async () => {
  const failing = (error: unknown) =>
    attempt(async () => {
      throw error
    })
  const refusing = Object.assign(new Error('connect ECONNREFUSED 10.1.2.3:443'), { code: 'ECONNREFUSED' })
  const errors = [
    shopAway(1, refusing),
    shopAway(1, new Error('it took too long')),
    refused('The address is none.'),
    unreachable(),
    new Error('10.1.2.3'),
  ]
  const seen: unknown[] = []
  for (const error of errors) {
    const { settlement } = await failing(error)
    seen.push([settlement.error, settlement.reason])
  }
  expect(seen).toEqual([
    [
      'The endpoint could not be reached (ECONNREFUSED).',
      { code: 'attempt.unreachable', parameters: { code: 'ECONNREFUSED' } },
    ],
    ['The endpoint did not answer in time.', { code: 'attempt.timed_out', parameters: {} }],
    ['The address is none.', null],
    ['The address is not allowed.', { code: 'address_not_allowed', parameters: {} }],
    ['The message could not be sent.', { code: 'attempt.not_sent', parameters: {} }],
  ])
})

test('it is sent once, signed, without following', async () => {
  const sent: Parameters<Send>[0][] = []
  await attempt(async (request) => {
    sent.push(request)
    return { status: 302, headers: { location: 'https://elsewhere.example' }, bytes: Buffer.alloc(0) }
  })
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({
    url: 'https://app.example/hook',
    method: 'POST',
    body: '{"type":"order.created","timestamp":"2026-11-15T10:00:00Z","data":{"id":1}}',
    headers: { 'webhook-id': 'evt_9', 'webhook-signature': expect.stringMatching(/^v1,[\w+/]+=*$/) },
  })
})
