import type { RunStatus } from '../runs/run.ts'
import type { FlowStep } from './flow.ts'

/** A flow on one integration: its steps are runs, one after the other, until one of them fails. */
export interface FlowRun {
  id: number
  flow_id: number
  integration_id: number
  status: RunStatus
  /** As the flow was when this began. */
  steps: FlowStep[]
  /** Which of them has its turn, counted from 0. */
  step: number
  run_id: number | null
  error: string | null
  created_at: string
  started_at: string | null
  finished_at: string | null
}

export type FlowRunEnd = { status: 'completed' } | { status: 'failed' | 'cancelled'; error: string }

/** Why it ends here, for people. */
export const brokenAt = ({ steps, step }: Pick<FlowRun, 'steps' | 'step'>, reason: string | null): string =>
  `Step ${step + 1} (${steps[step]?.action ?? 'unknown'}): ${reason ?? 'it failed.'}`
