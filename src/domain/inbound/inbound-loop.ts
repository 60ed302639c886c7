import { asPiece } from '../../lib/turns/piece-of-work.ts'
import { isDatabaseAway } from '../../runtime/db/connection.ts'
import type { Listener } from '../../runtime/db/listener.ts'
import type { Metrics } from '../../runtime/metrics.ts'
import type { Context } from '../context.ts'
import { inboundChannel } from './inbound-store.ts'
import { integrationsWithWork } from './inbound-work-store.ts'
import { processInbound } from './process-inbound.ts'

/** A shop that takes long holds one of these; its answers are waited for, not its neighbours'. */
const atOnce = 32
/**
 * A shop rests after a batch for as long as that took, up to this: what comes meanwhile waits for company, since a batch costs the
 * database about the same, whether it is of one message or of twenty. Where there is time, so that a batch is quick, nobody waits to speak of;
 * and whoever comes after a pause goes at once.
 */
const maxRestMs = 100
/** What nobody announced, or was put off, is found by looking. */
const lookEveryMs = 2000

export interface InboundLoop {
  /** Takes nothing new, and ends when what is under way has ended. */
  stop(): Promise<void>
}

/**
 * Processes inbound deliveries as soon as they are announced: not a job for each message, since there may be hundreds a
 * second, but the messages of one integration together. Any number of workers may do so; one at a time has those of an
 * integration.
 */
export function startInboundLoop({
  context,
  listener,
  metrics,
}: {
  context: Context
  listener: Listener
  metrics?: Pick<Metrics, 'gauge'>
}): InboundLoop {
  const stopping = new AbortController()
  const due = new Set<number>()
  const running = new Map<number, Promise<void>>()
  const resting = new Set<number>()
  let looking: NodeJS.Timeout | undefined

  function pump(): void {
    if (stopping.signal.aborted) return
    for (const id of due) {
      if (running.size >= atOnce) return
      // What is announced while it is processed stays due.
      if (running.has(id) || resting.has(id)) continue
      due.delete(id)
      running.set(id, work(id))
    }
  }

  async function work(id: number): Promise<void> {
    const begun = performance.now()
    try {
      // Back in line after each batch, behind the others.
      if ((await asPiece(() => processInbound(context, id, stopping.signal))) === 'more') due.add(id)
      else rest(id, Math.min(maxRestMs, performance.now() - begun))
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.warn({ err: error, integration: id }, 'webhooks of a shop are waiting')
    } finally {
      running.delete(id)
      pump()
    }
  }

  function rest(id: number, ms: number): void {
    resting.add(id)
    setTimeout(() => {
      resting.delete(id)
      pump()
    }, ms).unref()
  }

  async function look(): Promise<void> {
    try {
      for (const id of await integrationsWithWork(context.db)) due.add(id)
      pump()
    } catch (error) {
      if (!isDatabaseAway(error)) context.log.warn({ err: error }, 'looking for waiting shop webhooks failed')
    }
    if (!stopping.signal.aborted) looking = setTimeout(() => void look(), lookEveryMs).unref()
  }

  listener.on(inboundChannel, (payload) => {
    for (const id of payload.split(',')) if (/^\d+$/.test(id)) due.add(Number(id))
    pump()
  })
  void look()
  metrics?.gauge(
    'entrepot_inbound_waiting',
    'Shops whose webhooks are waiting or being processed by this process',
    () => due.size + running.size,
  )

  return {
    async stop() {
      stopping.abort()
      clearTimeout(looking)
      await Promise.all(running.values())
    },
  }
}
