import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { makeIntegration } from '../../../test/support/gateway.ts'
import { faultOf, makeApp } from '../../../test/support/identity.ts'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import { sandbox } from '../../connectors/sandbox/index.ts'
import type { Context } from '../context.ts'
import type { Integration } from '../integrations/integration.ts'
import { readIntegration } from '../integrations/integration-store.ts'
import { runAction } from './run-action.ts'

let tested: TestContext
let context: Context
let integration: Integration
/** What the shop answers with next. */
let next: RemoteAnswer

beforeAll(async () => {
  tested = await createTestContext()
  const moody = { ...sandbox, remote: { ...sandbox.remote, inProcess: async () => next } }
  context = { ...tested.context, connectors: new Map([['sandbox', moody]]) }
  const made = await makeIntegration(context, { appId: await makeApp(context) })
  integration = made.integration
})
afterAll(() => tested.close())

const answering = (status: number, body: unknown = {}, headers: Record<string, string> = {}) => {
  next = { status, headers, body }
}
const act = (resource: string, fields: object = {}) => runAction(context, integration, { resource, ...fields })

test('a shop that is down is unavailable for as long as it says', async () => {
  answering(503, '<html>', { 'retry-after': '7' })
  const down = await faultOf(act('get_orders'))
  expect([down.kind, down.retryAfterSeconds]).toEqual(['upstream_retryable', 7])
  answering(429)
  expect((await faultOf(act('get_orders'))).retryAfterSeconds).toBe(30)
  expect((await readIntegration(context.db, integration.id)).status).toBe('ACTIVE')
})

test('a shop that refuses is reported with its own reason', async () => {
  answering(400, { error: 'The moon is in the wrong house.' })
  const refused = await faultOf(act('get_orders'))
  expect([refused.kind, refused.errors]).toEqual(['invalid', { resource: ['The moon is in the wrong house.'] }])
})

test('a record that cannot be understood is set aside, and the others come', async () => {
  const level = { id: 'p1', sku: 'A', stock: 3, updated_at: '2026-01-01T00:00:00.000000Z' }
  answering(200, { items: [level, { sku: 'B' }, level], next: null, total: 3 })
  const outcome = await act('get_inventory')
  expect(outcome).toMatchObject({ kind: 'page', items: [{ sku: 'A' }, { sku: 'A' }] })
  expect(outcome.kind === 'page' && outcome.quarantined).toEqual(['"stock" is no whole number.'])
})

test('a product that the shop does not want does not stop the others', async () => {
  answering(422, { error: 'No more kettles.' })
  const draft = { sku: 'K', title: 'Kettle', price: '1.00', currency: 'EUR' }
  expect(await act('export_products', { products: [draft] })).toEqual({
    kind: 'one',
    result: [{ sku: 'K', ok: false, product: null, error: 'No more kettles.' }],
  })
})

test('long work waits in a transaction of its own with the fact that starts it', async () => {
  const queued: unknown[] = []
  context = { ...context, record: async (_trx, fact, about) => void queued.push([fact, about]) }
  const outcome = await act('sync_orders', { mode: 'full' })
  if (outcome.kind !== 'run') throw new Error('It is no run.')
  expect(outcome.run).toMatchObject({ status: 'queued', input: { mode: 'full' } })
  expect(queued).toEqual([['run.queued', { integrationId: integration.id, runId: outcome.run.id }]])
})

test('how long it will take is estimated before it begins, where the shop knows', async () => {
  const estimateOf = async (fields: object) => {
    const outcome = await act('reconcile', { resources: ['orders'], ...fields })
    return outcome.kind === 'run' ? outcome.run.estimated_seconds : undefined
  }
  answering(200, { items: [{}], next: '1', total: 50_000_000 })
  expect(await estimateOf({})).toBeGreaterThan(10)
  answering(200, { items: [{}], next: '1', total: null })
  expect(await estimateOf({})).toBeNull()
  answering(503)
  expect(await estimateOf({})).toBeNull()
})
