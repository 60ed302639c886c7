import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { makeApp } from '../../../test/support/identity.ts'
import { orderInput } from '../../../test/support/orders.ts'
import { openWebhookLab, type WebhookLab } from '../../../test/support/webhook-lab.ts'
import type { Integration } from '../integrations/integration.ts'
import { createOrder } from '../orders/create-order.ts'
import { insertRun } from '../runs/run-store.ts'
import { createSubscription } from '../webhooks/create-subscription.ts'
import { readOverview } from './read-overview.ts'

/** Two apps with the same going on, in other numbers. */
let lab: WebhookLab
let other: { appId: number; integration: Integration }
beforeAll(async () => {
  lab = await openWebhookLab()
  const appId = await makeApp(lab.context)
  other = { appId, integration: (await makeIntegration(lab.context, { appId })).integration }
  const input = { url: 'http://127.0.0.1:9/hook', events: ['order.created'] }
  for (const owner of [lab.appId, appId]) {
    await createSubscription(lab.context, { appId: owner, integrationId: null }, input)
  }
  for (const [integration, times] of [
    [lab.integration, 2],
    [other.integration, 3],
  ] as const) {
    for (let n = 0; n < times; n++) {
      await createOrder(lab.context, integration, orderInput())
      await insertRun(lab.context.db, integration.id, { resource: 'sync_orders', input: {} })
    }
  }
})
afterAll(() => lab.close())

const sum = (counts: readonly { n: number }[]) => counts.reduce((total, { n }) => total + n, 0)

test('an app sees what is its own', async () => {
  for (const [appId, integration, times] of [
    [lab.appId, lab.integration, 2],
    [other.appId, other.integration, 3],
  ] as const) {
    const seen = await readOverview(lab.context, appId)
    expect(seen.integrations.map(({ id }) => id)).toEqual([integration.id])
    expect([sum(seen.orders), sum(seen.runs), sum(seen.deliveries)]).toEqual([times, times, times])
    expect(new Set(seen.recentRuns.map((run) => run.integration_id))).toEqual(new Set([integration.id]))
    expect(seen.recentRuns).toHaveLength(times)
  }
})

test('an app without anything sees nothing', async () => {
  expect(await readOverview(lab.context, await makeApp(lab.context))).toEqual({
    integrations: [],
    orders: [],
    runs: [],
    recentRuns: [],
    deliveries: [],
    failedInbound: 0,
    budgets: [],
  })
})
