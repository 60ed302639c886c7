import { setTimeout as sleep } from 'node:timers/promises'
import type { Listener } from '../../../runtime/db/listener.ts'
import type { Metrics } from '../../../runtime/metrics.ts'
import type { Context } from '../../context.ts'
import { deliveryChannel } from '../../events/event-store.ts'
import { rebaseFeed } from '../feed-store.ts'
import { holdPending, releaseHeld } from '../hold-store.ts'
import { type ClaimedDelivery, claimDeliveries, countDue, dueWebhooks, giveBack, type Target } from './claim-store.ts'
import { createGate, type GateOptions } from './endpoint-gate.ts'
import { type Send, sendDelivery } from './send-delivery.ts'
import { createSettler } from './settle-deliveries.ts'
import { attemptSpan } from './trace-attempt.ts'

export interface Sender {
  /** Takes nothing more, lets what is on its way arrive, and gives back what is not done in time. */
  stop(options: { timeoutMs: number }): Promise<void>
}

export interface SenderOptions {
  context: Pick<Context, 'db' | 'transaction' | 'keys' | 'publicUrl' | 'log' | 'trace'>
  send: Send
  listener: Pick<Listener, 'on' | 'onConnect'>
  metrics: Pick<Metrics, 'deliveries' | 'deliverySeconds' | 'deliveryLag' | 'gauge'>
  gate?: GateOptions
  /** How often to look for what has come due without anybody saying so. */
  lookEveryMs?: number
}

const webhooksAtOnce = 50
const countEveryMs = 15_000

/**
 * Sends what is due, for as long as the process lives. It is woken by whoever writes an event and looks around once a
 * second for what waited: retries, and what a sender that died had claimed. Several may run beside each other.
 */
export function startSender(options: SenderOptions): Sender {
  const { context, send, listener, metrics, lookEveryMs = 1000 } = options
  const { db, log } = context
  const gate = createGate(options.gate)
  /** Webhooks that may have something due; those that were served go to the end. */
  const ready = new Set<number>()
  const claimed = new Map<number, ClaimedDelivery>()
  const stopping = new AbortController()
  const settler = createSettler({ context, onFollowers: (ids) => wake(...ids) })
  let claiming = false
  let backlog = 0

  function wake(...ids: number[]) {
    for (const id of ids) ready.add(id)
    void claimAll()
  }

  /** As long as there is something due and room for it. Only one at a time: what comes in between is seen at the end. */
  async function claimAll(): Promise<void> {
    if (claiming) return
    claiming = true
    try {
      while (!stopping.signal.aborted) {
        const wanted = choose()
        if (wanted.length === 0) return
        await claim(wanted)
      }
    } catch (error) {
      log.warn({ err: error }, 'claiming deliveries failed')
    } finally {
      claiming = false
    }
  }

  function choose(): { webhookId: number; limit: number }[] {
    let free = gate.free()
    const wanted: { webhookId: number; limit: number }[] = []
    for (const webhookId of ready) {
      if (free === 0 || wanted.length === webhooksAtOnce) break
      const limit = Math.min(gate.room(webhookId), free)
      if (limit === 0) {
        // It is found again when it has rested.
        if (gate.rests(webhookId)) ready.delete(webhookId)
        continue
      }
      wanted.push({ webhookId, limit })
      free -= limit
    }
    return wanted
  }

  async function claim(wanted: readonly { webhookId: number; limit: number }[]): Promise<void> {
    // Whoever says meanwhile that there is more puts it back.
    for (const { webhookId } of wanted) ready.delete(webhookId)
    const { deliveries, seen } = await claimDeliveries(db, wanted)
    for (const { webhookId, limit } of wanted) if ((seen.get(webhookId) ?? 0) >= limit) ready.add(webhookId)
    for (const { delivery, target } of deliveries) void deliver(delivery, target)
  }

  async function deliver(delivery: ClaimedDelivery, target: Target): Promise<void> {
    const flight = gate.begin(target.id)
    claimed.set(delivery.id, delivery)
    try {
      const { settlement, gone, restMs } = await sendDelivery(context, send, delivery, target)
      context.trace?.(attemptSpan(delivery, settlement))
      const ok = settlement.state === 'delivered'
      flight.answered({ ok, restMs: ok ? undefined : restMs })
      const outcome = gone ? 'held' : settlement.state === 'pending' ? 'retried' : settlement.state
      metrics.deliveries.inc({ outcome })
      metrics.deliverySeconds.observe({ outcome }, settlement.ms / 1000)
      if (ok) metrics.deliveryLag.observe(Math.max(0, Date.now() - Date.parse(delivery.created_at)) / 1000)
      await settler.settle({ settlement, webhookId: target.id, wasFailing: target.failing, gone })
    } catch (error) {
      // The lease runs out by itself, and somebody tries again.
      log.warn({ err: error, delivery: delivery.id }, 'the result of a delivery could not be stored')
    } finally {
      claimed.delete(delivery.id)
      // Only now: so few are ever both sent and not written down.
      flight.end()
      void claimAll()
    }
  }

  async function lookAround(): Promise<void> {
    let counted = 0
    while (!stopping.signal.aborted) {
      const begun = performance.now()
      try {
        await releaseHeld(db)
        const { deliverable, muted } = await dueWebhooks(db)
        wake(...deliverable)
        await holdPending(db, muted)
        if (begun - counted > countEveryMs) {
          backlog = await countDue(db)
          counted = begun
        }
      } catch (error) {
        log.debug({ err: error }, 'looking for due deliveries failed')
      }
      // However much there is to look at, it takes a tenth of the time at most.
      const pause = Math.max(lookEveryMs, 10 * (performance.now() - begun))
      await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined)
    }
  }

  metrics.gauge('entrepot_webhook_backlog', 'Due deliveries, at the last count', () => backlog)
  metrics.gauge('entrepot_webhook_in_flight', 'Deliveries in flight', () => gate.inFlight())
  listener.on(deliveryChannel, (payload) => wake(Number(payload)))
  rebaseFeed(db).catch((error: unknown) => log.debug({ err: error }, 'reading the feed failed'))
  const looking = lookAround()

  return {
    async stop({ timeoutMs }) {
      stopping.abort()
      await looking
      const deadline = performance.now() + timeoutMs
      while (claiming || (claimed.size > 0 && performance.now() < deadline)) await sleep(10)
      await settler.idle()
      await giveBack(db, [...claimed.values()])
    },
  }
}
