import type { ClaimedDelivery, Target } from './claim-store.ts'

/**
 * Deliveries that this process has claimed and not sent yet, in their order for each webhook; webhooks take turns. Where
 * they go is known for a second only, and none is sent so late that its lease could end before its attempt does.
 */
export interface ClaimedAhead {
  /** `askedAt`: when the claim, and the question where it goes, began. */
  add(target: Target, deliveries: readonly ClaimedDelivery[], askedAt: number): void
  /** The next that may be sent, of a webhook for which `hasRoom`. */
  next(hasRoom: (webhookId: number) => boolean): { delivery: ClaimedDelivery; target: Target } | null
  /** Webhooks of which it must be asked again where their deliveries go. */
  unsure(): number[]
  /** What was found out about one of them by asking at a moment. */
  refresh(target: Target, askedAt: number): void
  /** Takes out what waits for a webhook. */
  drop(webhookId: number): ClaimedDelivery[]
  dropAll(): ClaimedDelivery[]
  /** Takes out what has waited too long, and everything of the webhooks that are to get nothing ahead. */
  dropStale(mayWait: (webhookId: number) => boolean): ClaimedDelivery[]
  webhooksOfApp(appId: number): number[]
  count(webhookId: number): number
  readonly size: number
  readonly bytes: number
}

interface Queue {
  target: Target
  askedAt: number
  knownAt: number
  waiting: { delivery: ClaimedDelivery; claimedAt: number }[]
}

/** With the longest attempt and the writing down it stays below the lease. */
const maxWaitMs = 4000
const maxKnownMs = 1000

export function createClaimedAhead(now: () => number = () => performance.now()): ClaimedAhead {
  const queues = new Map<number, Queue>()
  let size = 0
  let bytes = 0

  const taken = ({ delivery }: Queue['waiting'][number]): ClaimedDelivery => {
    size--
    bytes -= delivery.data.length
    return delivery
  }
  const isSure = ({ knownAt }: Queue) => now() - knownAt < maxKnownMs
  const isInTime = ({ claimedAt }: Queue['waiting'][number]) => now() - claimedAt < maxWaitMs

  // For a second from the answer on, however long it took: changes that were made meanwhile are announced.
  const learn = (queue: Queue, target: Target, askedAt: number) =>
    Object.assign(queue, { target, askedAt, knownAt: now() })

  function drop(webhookId: number): ClaimedDelivery[] {
    const queue = queues.get(webhookId)
    queues.delete(webhookId)
    return queue?.waiting.map(taken) ?? []
  }

  return {
    add(target, deliveries, askedAt) {
      if (deliveries.length === 0) return
      const queue = queues.get(target.id) ?? { target, askedAt, knownAt: now(), waiting: [] }
      queues.set(target.id, queue)
      learn(queue, target, askedAt)
      for (const delivery of deliveries) {
        queue.waiting.push({ delivery, claimedAt: askedAt })
        size++
        bytes += delivery.data.length
      }
    },
    next(hasRoom) {
      for (const [id, queue] of queues) {
        const [first] = queue.waiting
        if (!first || !isInTime(first) || !isSure(queue) || !hasRoom(id)) continue
        queue.waiting.shift()
        queues.delete(id)
        if (queue.waiting.length > 0) queues.set(id, queue)
        return { delivery: taken(first), target: queue.target }
      }
      return null
    },
    unsure: () => [...queues].flatMap(([id, queue]) => (isSure(queue) ? [] : [id])),
    refresh(target, askedAt) {
      const queue = queues.get(target.id)
      if (queue && queue.askedAt < askedAt) learn(queue, target, askedAt)
    },
    drop,
    dropAll: () => [...queues.keys()].flatMap(drop),
    dropStale: (mayWait) =>
      [...queues].flatMap(([id, { waiting }]) => (mayWait(id) && waiting.every(isInTime) ? [] : drop(id))),
    webhooksOfApp: (appId) => [...queues].flatMap(([id, { target }]) => (target.app_id === appId ? [id] : [])),
    count: (webhookId) => queues.get(webhookId)?.waiting.length ?? 0,
    get size() {
      return size
    },
    get bytes() {
      return bytes
    },
  }
}
