import type { PassportSteps } from '../../../parts/timeline.ts'

/** The stages that every order goes through, read off the steps of its passport. */

export type State = 'done' | 'slow' | 'waiting' | 'failed' | 'none'

export interface Stage {
  name: string
  state: State
  at: string | null
  /** Since the stage before; null where either has no time. */
  ms: number | null
  /** What there is to say about it. */
  text: string
}

interface Facts {
  steps: PassportSteps
  status: string
  /** By when it has to leave, where the platform says so. */
  shipBy: string | null
  /** Since when the shop is connected: what was placed before came with the first sync. */
  connectedAt: string
  now: number
}

const minute = 60_000
/** Longer than this is worth a look. */
const slowAfter = { received: 15 * minute, stored: minute, told: minute } as const

const firstOf = (steps: PassportSteps, ...kinds: string[]) => steps.find(({ kind }) => kinds.includes(kind))
const between = (from: string | null, to: string | null): number | null =>
  from === null || to === null ? null : Math.max(Date.parse(to) - Date.parse(from), 0)

export function stagesOf(facts: Facts): Stage[] {
  const { steps } = facts
  const placed = firstOf(steps, 'order.placed')?.at ?? null
  const arrival = firstOf(steps, 'inbound.received', 'run.started')
  const stored = firstOf(steps, 'order.stored')?.at ?? null
  const received = arrival?.at ?? stored
  return [
    {
      name: 'Placed',
      state: placed ? 'done' : 'none',
      at: placed,
      ms: null,
      text: placed ? '' : 'The shop does not say when',
    },
    receivedStage(facts, { placed, received, byMessage: arrival?.kind === 'inbound.received' }),
    {
      name: 'Stored',
      at: stored,
      ms: between(received, stored),
      ...(stored
        ? pace(between(received, stored), slowAfter.stored)
        : { state: 'waiting' as const, text: 'Not stored yet' }),
    },
    toldStage(steps, stored),
    shippedStage(facts, stored),
  ]
}

const pace = (ms: number | null, limit: number): Pick<Stage, 'state' | 'text'> =>
  ms !== null && ms > limit ? { state: 'slow', text: 'Slower than usual' } : { state: 'done', text: '' }

function receivedStage(
  { connectedAt }: Facts,
  { placed, received, byMessage }: { placed: string | null; received: string | null; byMessage: boolean },
): Stage {
  const ms = between(placed, received)
  const name = 'Received'
  if (received === null) return { name, state: 'waiting', at: null, ms, text: 'Not received yet' }
  if (placed !== null && placed < connectedAt)
    return { name, state: 'done', at: received, ms: null, text: 'Placed before the shop was connected' }
  const { state, text } = pace(ms, slowAfter.received)
  return { name, state, at: received, ms, text: text || (byMessage ? 'The shop told us' : 'Read from the shop') }
}

/** Of all that was told, the first that arrived counts; what has failed since is worth saying. */
function toldStage(steps: PassportSteps, stored: string | null): Stage {
  const name = 'Told'
  const queued = steps.filter(({ kind }) => kind === 'webhook.queued')
  if (queued.length === 0) return { name, state: 'none', at: null, ms: null, text: 'No webhook listens' }
  const accepted = steps.find(({ kind, status }) => kind === 'webhook.attempted' && status === 'done')
  if (accepted) {
    const ms = between(stored, accepted.at)
    return { name, at: accepted.at, ms, ...pace(ms, slowAfter.told) }
  }
  const failed = steps.some(({ kind, status }) => kind === 'webhook.attempted' && status === 'failed')
  return failed
    ? { name, state: 'failed', at: null, ms: null, text: 'Your webhook has not accepted it' }
    : { name, state: 'waiting', at: null, ms: null, text: 'Waiting for your webhook' }
}

function shippedStage({ steps, status, shipBy, now }: Facts, stored: string | null): Stage {
  const name = 'Shipped'
  const refused = steps.findLast(({ kind }) => kind === 'writeback.ended')
  const sent = firstOf(steps, 'shipment.recorded')?.at ?? null
  if (sent) {
    const late = shipBy !== null && sent > shipBy
    return {
      name,
      state: late ? 'slow' : 'done',
      at: sent,
      ms: between(stored, sent),
      text: late ? 'Later than promised' : '',
    }
  }
  if (status === 'CANCELLED') return { name, state: 'none', at: null, ms: null, text: 'The order is cancelled' }
  if (status === 'SHIPPED' || status === 'DELIVERED')
    return { name, state: 'done', at: null, ms: null, text: 'Shipped in the shop' }
  if (refused?.status === 'failed')
    return { name, state: 'failed', at: null, ms: null, text: 'The shop refused the last change' }
  if (shipBy !== null && Date.parse(shipBy) < now)
    return { name, state: 'failed', at: null, ms: null, text: 'Should have left by now' }
  return { name, state: 'waiting', at: null, ms: null, text: 'Not shipped yet' }
}
