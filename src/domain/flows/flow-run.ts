import type { Wording } from '../../lib/words/wording.ts'
import { actionWords, logWords } from '../logs/log-words.ts'
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
export function brokenAt({ steps, step }: Pick<FlowRun, 'steps' | 'step'>, reason: string | Wording | null): Wording {
  const name = steps[step]?.action ?? 'unknown'
  const action = actionWords(name)
  // In English by the name that it has in the flow.
  const place = { step: step + 1, action: typeof action === 'string' ? name : { ...action, text: name } }
  return reason === null ? logWords('flow.failed', place) : logWords('flow.failed_because', { ...place, reason })
}
