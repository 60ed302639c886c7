import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../test/support/context.ts'
import { faultOf, makeApp } from '../../../test/support/identity.ts'
import { paginate } from '../../runtime/db/lists/paginate.ts'
import { attach } from '../services/app-service-store.ts'
import { readService } from '../services/service-store.ts'
import { syncCatalogue } from '../services/sync-catalogue.ts'
import { deleteFlow } from './delete-flow.ts'
import type { Flow } from './flow.ts'
import { findFlow, findOwnFlow, flowList, flowScope } from './flow-store.ts'
import { syncCatalogueFlows } from './sync-catalogue-flows.ts'
import { createFlow, type FlowInput, updateFlow } from './write-flow.ts'

let it: TestContext
let ours: { appId: number }
let theirs: { appId: number }
let sandboxId: number

beforeAll(async () => {
  it = await createTestContext()
  await syncCatalogue(it.context)
  await Promise.all([syncCatalogueFlows(it.context), syncCatalogueFlows(it.context)])
  ours = { appId: await makeApp(it.context) }
  theirs = { appId: await makeApp(it.context) }
  sandboxId = (await readService(it.context.db, 'sandbox')).id
  await attach(it.context.db, ours, { service_id: sandboxId })
})
afterAll(() => it.close())

const nightly: FlowInput = {
  name: 'Nightly',
  type: 'schedule',
  trigger: { cron: '0 3 * * *' },
  steps: [{ action: 'sync_orders', parameters: { mode: 'full' } }],
}

const errorsOf = async (input: Partial<FlowInput>) =>
  (await faultOf(createFlow(it.context, ours, { ...nightly, ...input }))).errors

describe('writing a flow', () => {
  test('keeps what belongs to its type', async () => {
    const flow = await createFlow(it.context, ours, {
      ...nightly,
      trigger: { cron: '0 3 * * *', event: 'order.created' },
    })
    expect(flow).toMatchObject({ trigger: { cron: '0 3 * * *', timezone: 'UTC' }, steps: nightly.steps, active: true })
    const manual = await updateFlow(it.context, ours, { id: flow.id, changes: { type: 'manual' } })
    expect(manual).toMatchObject({ name: 'Nightly', type: 'manual', trigger: {}, steps: nightly.steps })
  })

  test('what comes out of a change must be a flow again', async () => {
    const flow = await createFlow(it.context, ours, { ...nightly, type: 'manual', trigger: {} })
    const change = updateFlow(it.context, ours, { id: flow.id, changes: { type: 'schedule' } })
    expect((await faultOf(change)).errors).toEqual({ 'trigger.cron': ['The trigger.cron field is required.'] })
  })

  test('takes only actions of the closed list, with parameters that these take', async () => {
    expect(await errorsOf({ steps: [{ action: 'sync_orders' }, { action: 'eval' }] })).toEqual({
      'steps.1.action': ['The selected steps.1.action is invalid.'],
    })
    expect(await errorsOf({ steps: [{ action: 'get_order' }] })).toEqual({
      'steps.0.parameters.remote_id': ['The steps.0.parameters.remote_id field is required.'],
    })
    expect(await errorsOf({ steps: [{ action: 'sync_orders', parameters: { mode: '{{ code }}' } }] })).toEqual({
      'steps.0.parameters.mode': ['The selected steps.0.parameters.mode is invalid.'],
    })
  })

  test.each(['* * * *', '61 * * * *', '0 0 30 2 *', 'every day'])('refuses the cron %s', async (cron) => {
    expect(await errorsOf({ trigger: { cron } })).toEqual({
      'trigger.cron': ['The trigger.cron field format is invalid.'],
    })
  })

  test('a webhook needs its event', async () => {
    expect(await errorsOf({ type: 'webhook', trigger: {} })).toEqual({
      'trigger.event': ['The trigger.event field is required.'],
    })
  })

  test('is for a service that the app offers', async () => {
    expect((await createFlow(it.context, ours, { ...nightly, service_id: sandboxId })).service_id).toBe(sandboxId)
    const elsewhere = createFlow(it.context, theirs, { ...nightly, service_id: sandboxId })
    expect((await faultOf(elsewhere)).errors).toEqual({ service_id: ['The selected service id is invalid.'] })
  })
})

describe('who sees a flow', () => {
  const names = async (who: { appId: number }) => {
    const query = { page: 1, perPage: 100, filter: {}, sort: [] }
    const { rows } = await paginate<Flow>(it.context.reader, flowList, flowScope(who), query)
    return rows
  }

  test('the catalogue brings each of its flows once, to apps that offer the service', async () => {
    const catalogue = (await names(ours)).filter((flow) => flow.app_id === null)
    expect(catalogue.map((flow) => flow.name).sort()).toEqual([
      'Check the connection',
      'Import everything',
      'Import orders',
    ])
    expect(await names(theirs)).toEqual([])
    const [first] = catalogue
    expect((await findFlow(it.context.db, ours, first?.id ?? 0)).id).toBe(first?.id)
    expect((await faultOf(findFlow(it.context.db, theirs, first?.id ?? 0))).kind).toBe('forbidden')
  })

  test('its own app, until it is removed', async () => {
    const flow = await createFlow(it.context, ours, nightly)
    expect((await faultOf(findFlow(it.context.db, theirs, flow.id))).kind).toBe('forbidden')
    expect((await faultOf(findOwnFlow(it.context.db, theirs, flow.id))).kind).toBe('not_found')
    expect((await faultOf(deleteFlow(it.context, theirs, flow.id))).kind).toBe('not_found')
    await deleteFlow(it.context, ours, flow.id)
    expect((await faultOf(deleteFlow(it.context, ours, flow.id))).kind).toBe('not_found')
    expect((await faultOf(findFlow(it.context.db, ours, flow.id))).kind).toBe('not_found')
  })
})
