import { deleteFlow } from '../../../domain/flows/delete-flow.ts'
import { flowEvents, flowTypes } from '../../../domain/flows/flow.ts'
import { findFlow as findOpenFlow, findOwnFlow, flowList, ownFlowScope } from '../../../domain/flows/flow-store.ts'
import { listFlowRuns } from '../../../domain/flows/list-flow-runs.ts'
import { startFlow } from '../../../domain/flows/start-flow.ts'
import { createFlow, updateFlow } from '../../../domain/flows/write-flow.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import {
  choice,
  flag,
  freeObject,
  id,
  list,
  maybe,
  nameText,
  object,
  optional,
  partial,
  text,
} from '../../../lib/validation/fields.ts'
import { nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { appInPath, mutableAppInPath } from '../in-path.ts'
import { flowSchema, flowView } from '../views/flow.ts'
import { flowRunSchema, flowRunView } from '../views/flow-run.ts'

const trigger = object({
  cron: maybe(text({ description: 'Five fields; for type schedule' })),
  timezone: maybe(text({ format: 'timezone', description: 'UTC by default' })),
  event: maybe(choice(flowEvents, 'An event of the shop; for type webhook')),
})

const step = object({
  action: text({ max: 64, description: 'One of the actions of an integration' }),
  parameters: optional(freeObject('Fixed parameters of the action')),
})

const body = object({
  name: nameText(),
  description: maybe(text({ max: 5000 })),
  type: choice(flowTypes, 'What starts it'),
  trigger: optional(trigger),
  steps: list(step, { min: 1, max: 20, description: 'Run one after the other' }),
  service_id: maybe(id('Only for integrations of this service, which the app must offer')),
  active: optional(flag()),
})

type FindingFlow = Finding<UserCaller, 'appId' | 'flowId'>

async function findFlow(input: FindingFlow) {
  const { id: appId } = await appInPath(input)
  return { appId, flow: await findOwnFlow(input.context.db, { appId }, recordId(input.params.flowId)) }
}

async function findMutableFlow(input: FindingFlow) {
  await mutableAppInPath(input)
  return await findFlow(input)
}

const listFlows = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/flows',
  right: 'read-integration',
  summary: "List the app's flows",
  extension: true,
  find: appInPath,
  query: listQuery({
    filter: ['active', 'type', 'service_id'],
    sort: ['id', 'name', 'type', 'created_at', 'updated_at'],
  }),
  returns: page(flowSchema),
  handle: ({ context, found, query }) => listOf(context, flowList, ownFlowScope({ appId: found.id }), query, flowView),
})

const create = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/flows',
  right: 'run-action',
  summary: 'Create a flow',
  description: 'A named pipeline: what starts it, and which actions run then. There are no expressions in it.',
  extension: true,
  find: mutableAppInPath,
  body,
  example: {
    name: 'Orders every ten minutes',
    type: 'schedule',
    trigger: { cron: '*/10 * * * *', timezone: 'Europe/London' },
    steps: [{ action: 'sync_orders', parameters: { mode: 'incremental' } }],
  },
  returns: record(flowSchema),
  handle: async ({ context, found, body }) => flowView(await createFlow(context, { appId: found.id }, body)),
})

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/flows/{flowId}',
  right: 'read-integration',
  summary: 'Get a flow',
  extension: true,
  find: findFlow,
  returns: record(flowSchema),
  handle: async ({ found }) => flowView(found.flow),
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/flows/{flowId}',
  right: 'run-action',
  summary: 'Update a flow',
  extension: true,
  find: findMutableFlow,
  body: partial(body),
  example: { active: false },
  returns: record(flowSchema),
  handle: async ({ context, found, body }) =>
    flowView(await updateFlow(context, { appId: found.appId }, { id: found.flow.id, changes: body })),
})

const remove = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/apps/{appId}/flows/{flowId}',
  right: 'run-action',
  summary: 'Delete a flow',
  extension: true,
  find: findMutableFlow,
  returns: nothing,
  handle: ({ context, found }) => deleteFlow(context, { appId: found.appId }, found.flow.id),
})

const runNow = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/flows/{flowId}/run',
  right: 'run-action',
  summary: 'Run a flow now',
  description: 'On one integration of the app. Flows of the catalogue can be run where the app offers their service.',
  extension: true,
  async find(input: FindingFlow) {
    const { id: appId } = await mutableAppInPath(input)
    return { appId, flow: await findOpenFlow(input.context.db, { appId }, recordId(input.params.flowId)) }
  },
  body: object({ integration_id: id('Where it runs') }),
  example: { integration_id: 1 },
  returns: record(flowRunSchema),
  handle: async ({ context, found, body }) =>
    flowRunView(
      await startFlow(context, { appId: found.appId }, { flow: found.flow, integrationId: body.integration_id }),
    ),
})

const listRuns = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/flows/{flowId}/runs',
  right: 'read-integration',
  summary: 'List the runs of a flow',
  description: 'Newest first.',
  extension: true,
  find: findFlow,
  query: listQuery({ filter: ['status', 'integration_id'], sort: ['id', 'created_at'] }),
  returns: page(flowRunSchema),
  handle: async ({ context, found, query }) => {
    const { rows, total } = await listFlowRuns(context, found.flow.id, query)
    return { rows: rows.map(flowRunView), total }
  },
})

export const userAppFlows = [listFlows, create, get, update, remove, runNow, listRuns]
