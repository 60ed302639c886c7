import { setTimeout as sleep } from 'node:timers/promises'
import type { Listener } from '../../../runtime/db/listener.ts'
import type { Metrics } from '../../../runtime/metrics.ts'
import { identityChannel } from '../../announce-store.ts'
import type { Context } from '../../context.ts'
import { deliveryChannel } from '../../events/event-store.ts'
import { rebaseFeed } from '../feed-store.ts'
import { holdPending, releaseHeld } from '../hold-store.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  countDue,
  dueWebhooks,
  findTargets,
  giveBack,
  giveBackUnsent,
  type Target,
  type Wanted,
} from './claim-store.ts'
import { createClaimedAhead } from './claimed-ahead.ts'
import { createGate, type GateOptions } from './endpoint-gate.ts'
import { type Send, sendDelivery } from './send-delivery.ts'
import { createSettler } from './settle-deliveries.ts'
import { rememberKeys } from './sign-delivery.ts'
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
/** Beside what goes out at once. */
const maxAhead = 512
const maxAheadBytes = 16 * 1024 * 1024
const maxBytesPerWebhook = 256 * 1024
const countEveryMs = 15_000
const sweepEveryMs = 250

/**
 * Sends what is due, for as long as the process lives. It is woken by whoever writes an event and looks around once a
 * second for what waited: retries, and what a sender that died had claimed. Several may run beside each other.
 *
 * What an endpoint takes quickly is claimed ahead of what is on its way to it, so that one statement serves many; how much
 * is on its way at once is for the gate to say.
 */
export function startSender(options: SenderOptions): Sender {
  const { context, send, listener, metrics, lookEveryMs = 1000 } = options
  const { db, log } = context
  const gate = createGate(options.gate)
  const outgoing = { send, keysOf: rememberKeys(context) }
  /** Webhooks that may have something due; those that were served go to the end. */
  const ready = new Set<number>()
  const ahead = createClaimedAhead()
  const sent = new Map<number, ClaimedDelivery>()
  /** Webhooks and apps that were changed while a claim was under way. */
  const changed = new Set<string>()
  const stopping = new AbortController()
  const settler = createSettler({ context, underWay: gate.inFlight, onFollowers: (ids) => wake(...ids) })
  let claiming = false
  let looking = false
  let releasing: Promise<void> = Promise.resolve()
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

  function choose(): Wanted[] {
    let free = gate.free()
    let spare = maxAhead - ahead.size
    let spareBytes = maxAheadBytes - ahead.bytes
    const wanted: Wanted[] = []
    for (const webhookId of ready) {
      if ((free <= 0 && spare <= 0) || wanted.length === webhooksAtOnce) break
      // It is found again when it has rested.
      if (gate.rests(webhookId)) ready.delete(webhookId)
      const mayWait = gate.ahead(webhookId)
      const waiting = ahead.count(webhookId)
      // Few at a time would cost as many statements as one at a time.
      if (waiting > mayWait / 2) continue
      const now = Math.max(0, Math.min(gate.room(webhookId), free) - waiting)
      const later = Math.max(0, Math.min(mayWait, spare) - waiting)
      if (now + later === 0) continue
      const maxBytes = Math.max(0, Math.min(maxBytesPerWebhook, spareBytes))
      wanted.push({ webhookId, limit: now + later, maxBytes })
      free -= now
      spare -= later
      spareBytes -= maxBytes
    }
    return wanted
  }

  async function claim(wanted: readonly Wanted[]): Promise<void> {
    const ids = wanted.map(({ webhookId }) => webhookId)
    // Whoever says meanwhile that there is more puts it back.
    for (const id of ids) ready.delete(id)
    changed.clear()
    const at = performance.now()
    // Of what it cannot be said where it goes is given back.
    const reading = findTargets(db, ids).catch((): Target[] => [])
    const { deliveries, seen } = await claimDeliveries(db, wanted)
    const targets = await reading
    for (const { webhookId, limit } of wanted) if ((seen.get(webhookId) ?? 0) >= limit) ready.add(webhookId)
    const known = new Map(targets.filter((target) => !isChanged(target)).map((target) => [target.id, target]))
    const byWebhook = Map.groupBy(deliveries, ({ webhook_id: id }) => id)
    for (const [id, claimed] of byWebhook) {
      const target = known.get(id)
      if (target) ahead.add(target, claimed, at)
      else release(claimed)
    }
    sendAll()
  }

  const isChanged = ({ id, app_id: appId }: Target) => changed.has(`webhook:${id}`) || changed.has(`app:${appId}`)

  /** Whatever may go out now. */
  function sendAll(): void {
    while (!stopping.signal.aborted && gate.free() > 0) {
      const next = ahead.next((id) => gate.room(id) > 0)
      if (!next) break
      void deliver(next.delivery, next.target)
    }
    void claimAll()
  }

  async function deliver(delivery: ClaimedDelivery, target: Target): Promise<void> {
    const flight = gate.begin(target.id)
    sent.set(delivery.id, delivery)
    try {
      const { settlement, gone, restMs } = await sendDelivery(context, outgoing, delivery, target)
      context.trace?.(attemptSpan(delivery, settlement))
      const ok = settlement.state === 'delivered'
      flight.answered({ ok, restMs: ok ? undefined : restMs })
      const outcome = gone ? 'held' : settlement.state === 'pending' ? 'retried' : settlement.state
      metrics.deliveries.inc({ outcome })
      metrics.deliverySeconds.observe({ outcome }, settlement.ms / 1000)
      if (ok) metrics.deliveryLag.observe(Math.max(0, Date.now() - Date.parse(delivery.created_at)) / 1000)
      const written = settler.settle({
        settlement,
        webhookId: target.id,
        url: target.url,
        wasFailing: target.failing,
        gone,
      })
      sendAll()
      await written
    } catch (error) {
      // The lease runs out by itself, and somebody tries again.
      log.warn({ err: error, delivery: delivery.id }, 'the result of a delivery could not be stored')
    } finally {
      sent.delete(delivery.id)
      flight.end()
      sendAll()
    }
  }

  /** What was claimed and is not sent is due again at once. */
  function release(deliveries: readonly ClaimedDelivery[]): void {
    if (deliveries.length === 0) return
    releasing = releasing.then(async () => {
      try {
        await giveBackUnsent(db, deliveries)
        wake(...deliveries.map(({ webhook_id: id }) => id))
      } catch (error) {
        // The lease runs out by itself.
        log.warn({ err: error }, 'deliveries could not be given back')
      }
    })
  }

  /** A webhook was changed, or an app was switched: what lies ready does not go where it was to go. */
  function forget(what: string): void {
    const [kind, id] = what.split(':')
    if (kind !== 'webhook' && kind !== 'app') return
    if (claiming) changed.add(what)
    const ids = kind === 'webhook' ? [Number(id)] : ahead.webhooksOfApp(Number(id))
    release(ids.flatMap((each) => ahead.drop(each)))
  }

  /** Nothing waits for long behind an endpoint that no longer takes it, and nobody relies on what was read long ago. */
  async function sweep(): Promise<void> {
    release(ahead.dropStale((id) => gate.ahead(id) > 0))
    const ids = ahead.unsure()
    if (looking || ids.length === 0) return
    looking = true
    const at = performance.now()
    try {
      const targets = new Map((await findTargets(db, ids)).map((target) => [target.id, target]))
      for (const id of ids) {
        const target = targets.get(id)
        if (target) ahead.refresh(target, at)
        else release(ahead.drop(id))
      }
      sendAll()
    } catch (error) {
      log.debug({ err: error }, 'looking where deliveries go failed')
    } finally {
      looking = false
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
  listener.on(identityChannel, forget)
  rebaseFeed(db).catch((error: unknown) => log.debug({ err: error }, 'reading the feed failed'))
  const lookingAround = lookAround()
  const sweeping = setInterval(() => void sweep(), sweepEveryMs)

  return {
    async stop({ timeoutMs }) {
      stopping.abort()
      clearInterval(sweeping)
      release(ahead.dropAll())
      await lookingAround
      const deadline = performance.now() + timeoutMs
      while (claiming || (sent.size > 0 && performance.now() < deadline)) await sleep(10)
      release(ahead.dropAll())
      await settler.idle()
      await releasing
      await giveBack(db, [...sent.values()])
    },
  }
}
