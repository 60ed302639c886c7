import { setTimeout as sleep } from 'node:timers/promises'
import { unavailable } from '../../lib/fault.ts'
import { isDistributed } from '../../runtime/db/citus/distribute.ts'
import { isDatabaseAway } from '../../runtime/db/connection.ts'
import type { Reader } from '../../runtime/db/lists/paginate.ts'
import type { Log } from '../../runtime/log.ts'
import { announceInbound, type InboundDelivery, insertInbound, keyOf } from './inbound-store.ts'

/** Whether it was there already; resolved after the commit and not before. */
export type Store = (delivery: InboundDelivery) => Promise<{ duplicate: boolean }>

interface Waiting {
  delivery: InboundDelivery
  resolve(result: { duplicate: boolean }): void
  reject(error: unknown): void
}

/** Past this the sender is asked to come again: what waits is in memory. */
const maxWaiting = 5000
const maxWaitingBytes = 64 * 1024 * 1024
const maxBatch = 500
const maxBatchBytes = 8 * 1024 * 1024
/** What arrives is worked on while others are committed: else the database would wait for us, and then we for the database. */
const flushesAtOnce = 2
/** A second commit beside one costs the database more than a larger one: so many share it at least. */
const worthACommit = 8
/** The first is announced at once; in a flood one announcement covers all of so many milliseconds. */
const announcedEveryMs = 20
/** As many ids as fit into one announcement. */
const maxAnnounced = 400

/**
 * What arrives while commits are under way shares the next one. Nobody waits for company: whoever comes first goes at
 * once. A message that the database refuses fails alone.
 */
export function createIntake({ reader, log }: { reader: Reader; log: Log }): Store {
  let queue: Waiting[] = []
  let bytes = 0
  let flushing = 0
  let distributed: boolean | undefined
  const announce = announcer(reader, log)

  const isTime = () =>
    queue.length > 0 && (flushing === 0 || (flushing < flushesAtOnce && queue.length >= worthACommit))

  /** The oldest, as many as go together. */
  function next(): Waiting[] {
    const only = distributed ? queue[0]?.delivery.integration_id : undefined
    const batch: Waiting[] = []
    let size = 0
    queue = queue.filter((one) => {
      const { integration_id, body } = one.delivery
      if (batch.length >= maxBatch || size >= maxBatchBytes) return true
      if (only !== undefined && integration_id !== only) return true
      size += body.length
      batch.push(one)
      return false
    })
    bytes -= size
    return batch
  }

  async function flush(): Promise<void> {
    flushing++
    try {
      // There a statement with rows of several integrations costs many times as much.
      distributed ??= await isDistributed(
        async <Row extends object>(text: string) => (await reader.query<Row>(text)).rows,
      )
      // Where two are at it, the other one takes what is left.
      const isLeft = () => flushing === 1 || queue.length >= worthACommit
      for (let batch = next(); batch.length > 0; batch = isLeft() ? next() : []) await write(batch)
    } catch (error) {
      // Only before anything was taken: nobody may wait for ever.
      for (const { reject } of queue.splice(0)) reject(error)
      bytes = 0
    } finally {
      flushing--
    }
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    try {
      settle(
        batch,
        await insertInbound(
          reader,
          batch.map(({ delivery }) => delivery),
        ),
      )
    } catch (error) {
      if (batch.length === 1 || isDatabaseAway(error)) for (const { reject } of batch) reject(error)
      else for (const one of batch) await write([one])
    }
  }

  function settle(batch: readonly Waiting[], stored: Set<string>): void {
    if (stored.size > 0) announce(batch.map(({ delivery }) => delivery.integration_id))
    for (const { delivery, resolve } of batch) resolve({ duplicate: !stored.delete(keyOf(delivery)) })
  }

  return (delivery) =>
    new Promise((resolve, reject) => {
      if (queue.length >= maxWaiting || bytes + delivery.body.length > maxWaitingBytes) {
        reject(unavailable(2))
        return
      }
      queue.push({ delivery, resolve, reject })
      bytes += delivery.body.length
      // All that has arrived in this turn of the event loop goes together.
      if (isTime()) setImmediate(() => void (isTime() && flush()))
    })
}

/** One announcement at a time; those that it concerns meanwhile share the next. */
function announcer(reader: Reader, log: Log): (integrationIds: readonly number[]) => void {
  const pending = new Set<number>()
  let running = false

  async function run(): Promise<void> {
    running = true
    while (pending.size > 0) {
      const ids = [...pending].slice(0, maxAnnounced)
      for (const id of ids) pending.delete(id)
      await announceInbound(reader, ids).catch((error: unknown) =>
        log.debug({ err: error }, 'pending shop webhooks could not be announced'),
      )
      await sleep(announcedEveryMs, undefined, { ref: false })
    }
    running = false
  }
  return (integrationIds) => {
    for (const id of integrationIds) pending.add(id)
    if (!running) void run()
  }
}
