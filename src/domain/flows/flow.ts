import { type ActionName, actions, isActionName, offers } from '../../commerce/action.ts'
import { type WebhookTopic, webhookTopics } from '../../commerce/connector/webhooks.ts'
import type { Connector } from '../../commerce/connector.ts'
import { nextRun } from '../../lib/cron.ts'
import type { FieldErrors } from '../../lib/fault.ts'
import { object } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'

/**
 * A named pipeline: something starts it, then actions of the closed list run one after the other with parameters that
 * are fixed when the flow is written. There are no expressions and no code of users in it.
 */
export interface Flow {
  id: number
  /** Null for those of the catalogue. */
  app_id: number | null
  /** Null: for integrations of any service. */
  service_id: number | null
  name: string
  description: string | null
  type: FlowType
  trigger: FlowTrigger
  steps: FlowStep[]
  active: boolean
  /** Null unless the clock starts it. */
  next_run_at: string | null
  last_run_at: string | null
  /** How the latest of its runs stands. */
  last_run_status: string | null
  created_at: string
  updated_at: string
}

export const flowTypes = ['schedule', 'webhook', 'manual'] as const
export type FlowType = (typeof flowTypes)[number]

/** Once the shop has thrown us out, nothing can run there any more. */
export const flowEvents = webhookTopics.filter((topic) => topic !== 'app.uninstalled')

export interface FlowTrigger {
  cron?: string | null | undefined
  timezone?: string | null | undefined
  event?: WebhookTopic | null | undefined
}

export interface FlowStep {
  action: string
  parameters?: Record<string, unknown> | undefined
}

/** A flow as a whole: what is stored after a change must be right in all its parts. */
export interface FlowDefinition {
  name: string
  description: string | null
  type: FlowType
  service_id: number | null
  trigger: FlowTrigger
  steps: readonly FlowStep[]
  active: boolean
}

/** Only what belongs to the type, with nothing left open. */
export function triggerOf({ type, trigger }: Pick<FlowDefinition, 'type' | 'trigger'>): Record<string, string> {
  if (type === 'schedule') return { cron: trigger.cron ?? '', timezone: trigger.timezone ?? 'UTC' }
  return type === 'webhook' ? { event: trigger.event ?? '' } : {}
}

/** Null while it rests, and for those that the clock does not start. */
export const nextFlowRun = (
  { type, trigger, active }: Pick<FlowDefinition, 'type' | 'trigger' | 'active'>,
  now: Date,
) => (type === 'schedule' && active ? nextRun(trigger.cron ?? '', trigger.timezone ?? 'UTC', now) : null)

/** `connector` is that of the flow's service; without a service, or a connector, any action of the list will do. */
export function flowErrors(flow: FlowDefinition, connector: Connector | null): FieldErrors {
  const errors = triggerErrors(flow)
  for (const [index, step] of flow.steps.entries()) Object.assign(errors, stepErrors(step, `steps.${index}`, connector))
  return errors
}

function triggerErrors({ type, trigger }: FlowDefinition): FieldErrors {
  if (type === 'webhook' && !trigger.event) return { 'trigger.event': ['The trigger.event field is required.'] }
  if (type !== 'schedule') return {}
  if (!trigger.cron) return { 'trigger.cron': ['The trigger.cron field is required.'] }
  const everRuns = nextRun(trigger.cron, trigger.timezone ?? 'UTC', new Date(0)) !== null
  return everRuns ? {} : { 'trigger.cron': ['The trigger.cron field format is invalid.'] }
}

function stepErrors(step: FlowStep, path: string, connector: Connector | null): FieldErrors {
  const { action } = step
  if (!isActionName(action) || (connector && !offers(connector, action))) {
    return { [`${path}.action`]: [`The selected ${path}.action is invalid.`] }
  }
  return parameterErrors(action, step.parameters ?? {}, path)
}

function parameterErrors(action: ActionName, parameters: Record<string, unknown>, path: string): FieldErrors {
  const checked = validate(object({ parameters: actions[action].input }), { parameters })
  if (checked.ok) return {}
  // Reported for the whole body: the place of the step goes in front of the place of the parameter.
  const renamed = Object.entries(checked.errors).map(([field, messages]) => [
    `${path}.${field}`,
    messages.map((message) => message.replace(/parameters[\w. ]*?(?= (?:field|is|has) )/, `${path}.${field}`)),
  ])
  return Object.fromEntries(renamed)
}
