import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { events, eventTypes } from '../../src/domain/events/event.ts'
import { createOrder } from '../../src/domain/orders/create-order.ts'
import { insertOrder } from '../../src/domain/orders/order-store.ts'
import { createSubscription } from '../../src/domain/webhooks/create-subscription.ts'
import { takeIds } from '../../src/runtime/db/take-ids.ts'
import { eventsDuring } from '../support/event-watch.ts'
import { makeIntegration } from '../support/gateway.ts'
import { orderInput } from '../support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../support/webhook-lab.ts'

let lab: WebhookLab

beforeAll(async () => {
  lab = await openWebhookLab()
  await lab.subscribe('http://127.0.0.1:9/hook')
})
afterAll(() => lab.close())

const during = (work: () => Promise<unknown>, whose?: Parameters<typeof eventsDuring>[2]) =>
  eventsDuring(lab, work, whose)

describe('an event', () => {
  test('exists if, and only if, the transaction that caused it does', async () => {
    const { context, integration } = lab
    const input = orderInput()
    const undone = new Error('taken back')
    const made = await during(() =>
      context
        .transaction(async (trx) => {
          const [id = 0] = await takeIds(context.db, 'orders', 1)
          await insertOrder(trx, integration.id, { ...input, id, remote_id: 'undone', sandbox: false })
          throw undone
        })
        .catch((error: unknown) => expect(error).toBe(undone)),
    )
    expect(made).toEqual([])
  })

  test('that nobody listens to is not written', async () => {
    const { context } = lab
    const { integration } = await makeIntegration(context, { appId: null })
    const work = () => createOrder(context, integration, orderInput())
    expect(await during(work, { integration_id: integration.id })).toEqual([])
  })

  test('goes to the webhooks of its app and of its integration that asked for its type', async () => {
    const { context, appId, integration } = lab
    const url = 'http://127.0.0.1:9/hook'
    const other = await makeIntegration(context, { appId })
    const owner = { appId, integrationId: integration.id }
    const mine = await createSubscription(context, owner, { url, event: 'order.created' })
    const deaf = await createSubscription(context, owner, { url, event: 'order.deleted' })
    const elsewhere = await createSubscription(
      context,
      { appId, integrationId: other.integration.id },
      { url, event: 'order.created' },
    )
    const { webhook: some } = await lab.subscribe(url, ['run.failed', 'order.created'])
    const { webhook: none } = await lab.subscribe(url, ['run.failed'])
    const [event] = await during(() => createOrder(context, integration, orderInput()))
    const deliveries = await context.db
      .selectFrom('webhook_deliveries')
      .select('webhook_id')
      .where('event_id', '=', event?.id ?? 0)
      .execute()
    const ids = deliveries.map(({ webhook_id }) => webhook_id)
    expect(ids).toEqual(expect.arrayContaining([mine.subscription.id, some.id]))
    for (const { id } of [deaf.subscription, elsewhere.subscription, none]) expect(ids).not.toContain(id)
  })
})

test('the guide names every event there is, in the words of the catalogue', async () => {
  const guide = await readFile('docs/guides/webhooks.md', 'utf8')
  const missing = eventTypes.filter((type) => !guide.includes(`| \`${type}\` | ${events[type].words} |`))
  expect(missing).toEqual([])
})
