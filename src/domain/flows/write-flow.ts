import { connectorFor } from '../../commerce/connectors.ts'
import { invalid, invalidField } from '../../lib/fault.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { assertRoomForFlow } from '../quota-store.ts'
import { readClock } from '../schedules/schedule-store.ts'
import { readAttached } from '../services/app-service-store.ts'
import type { AppTenant } from '../tenant.ts'
import { type Flow, type FlowDefinition, flowErrors, nextFlowRun } from './flow.ts'
import { insertFlow, lockFlow, replaceFlow } from './flow-store.ts'

export type FlowInput = Pick<FlowDefinition, 'name' | 'type' | 'steps'> & Partial<FlowChanges>
export type FlowChanges = { [Field in keyof FlowDefinition]?: FlowDefinition[Field] | undefined }

type Needs = Pick<Context, 'transaction' | 'connectors' | 'quotas'>

export async function createFlow(context: Needs, tenant: AppTenant, input: FlowInput): Promise<Flow> {
  const flow = { description: null, service_id: null, trigger: {}, active: true, ...given(input) }
  return await context.transaction(async (trx) => {
    await check(context, trx, tenant, flow)
    await assertRoomForFlow(trx, context.quotas, tenant)
    return await insertFlow(trx, tenant, { ...flow, next_run_at: nextFlowRun(flow, await readClock(trx)) })
  })
}

/** What is not mentioned stays; what comes out of that must be a flow again. */
export async function updateFlow(
  context: Needs,
  tenant: AppTenant,
  input: { id: number; changes: FlowChanges },
): Promise<Flow> {
  return await context.transaction(async (trx) => {
    const before = definitionOf(await lockFlow(trx, tenant, input.id))
    const flow = { ...before, ...given(input.changes) }
    await check(context, trx, tenant, flow)
    // A flow that is merely renamed keeps its appointment.
    const appointment = sameTiming(before, flow) ? {} : { next_run_at: nextFlowRun(flow, await readClock(trx)) }
    return await replaceFlow(trx, tenant, { id: input.id, flow: { ...flow, ...appointment } })
  })
}

const sameTiming = (a: FlowDefinition, b: FlowDefinition): boolean =>
  a.type === b.type &&
  a.active === b.active &&
  a.trigger.cron === b.trigger.cron &&
  (a.trigger.timezone ?? 'UTC') === (b.trigger.timezone ?? 'UTC')

async function check(context: Needs, db: Db, tenant: AppTenant, flow: FlowDefinition): Promise<void> {
  const errors = flowErrors(flow, await connectorOf(context, db, tenant, flow.service_id))
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** A flow is for a service that its app offers. */
async function connectorOf(context: Needs, db: Db, tenant: AppTenant, serviceId: number | null) {
  if (serviceId === null) return null
  const service = await readAttached(db, tenant, serviceId)
  if (!service) throw invalidField('service_id', 'The selected service id is invalid.')
  return connectorFor(context.connectors, service) ?? null
}

const definitionOf = ({ name, description, type, service_id, trigger, steps, active }: Flow): FlowDefinition => ({
  name,
  description,
  type,
  service_id,
  trigger,
  steps,
  active,
})

/** Without the fields that are there but not given. */
function given<T extends object>(input: T): { [Field in keyof T]: Exclude<T[Field], undefined> } {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Field in keyof T]: Exclude<T[Field], undefined> }
}
