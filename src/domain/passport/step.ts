/** One thing that happened to an order, as its passport shows it. */
export interface Step {
  at: string
  kind: StepKind
  /** In plain words. */
  title: string
  /** `waiting`: what it began has not ended yet. */
  status: 'done' | 'waiting' | 'failed'
  /** Nothing secret, and nothing about the customer. */
  details: Record<string, unknown>
  references: References
}

/** In the order in which they follow on from each other, for steps of the same moment. */
export const stepKinds = [
  'order.placed',
  'inbound.received',
  'inbound.verified',
  'run.started',
  'order.stored',
  'order.changed',
  'inbound.processed',
  'order.acknowledged',
  'order.return_requested',
  'order.refunded',
  'writeback.planned',
  'writeback.sent',
  'writeback.ended',
  'shipment.recorded',
  'webhook.queued',
  'webhook.attempted',
] as const
export type StepKind = (typeof stepKinds)[number]

export interface References {
  run_id: number | null
  inbound_delivery_id: number | null
  shipment_id: number | null
  operation_id: number | null
  event_id: number | null
  webhook_id: number | null
  webhook_delivery_id: number | null
}

const nothing: References = {
  run_id: null,
  inbound_delivery_id: null,
  shipment_id: null,
  operation_id: null,
  event_id: null,
  webhook_id: null,
  webhook_delivery_id: null,
}

export const refer = (references: Partial<References>): References => ({ ...nothing, ...references })

export type TimedStep = Step & {
  /** Since the step before; null for the first. */
  duration_ms: number | null
}

/** By time, and what happened at the same moment in its natural order. */
export function inOrder(steps: readonly Step[]): TimedStep[] {
  const sorted = [...steps].sort((a, b) => {
    if (a.at !== b.at) return a.at < b.at ? -1 : 1
    return stepKinds.indexOf(a.kind) - stepKinds.indexOf(b.kind)
  })
  return sorted.map((step, index) => {
    const before = sorted[index - 1]
    return { ...step, duration_ms: before ? Date.parse(step.at) - Date.parse(before.at) : null }
  })
}
