import type { Writable } from 'node:stream'
import type pg from 'pg'
import { isDatabaseAway } from '../database-away.ts'
import type { Ask } from './plan-once.ts'

/** Sends a statement that only reads, and brings its rows. */
export type Read = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<pg.QueryResult<Row>>

export interface SharedReadOptions {
  pool: pg.Pool
  ask: Ask
  /** Over a connection that nobody else has meanwhile. */
  alone: Read
  /** Connections that are shared at the same time, at most. */
  maxLanes: number
}

export interface SharedReads {
  read: Read
  close(): void
}

/** Reads on one connection; whoever comes when all are full waits for one in the pool's own line. */
const maxDepth = 16
/** Whoever waits behind a read that takes longer than this is asked again elsewhere. */
export const stuckMs = 100

/**
 * Reads that come at the same time share a few connections: each is sent at once, behind those that are still unanswered, and
 * PostgreSQL answers one after the other. What comes while the one before is being worked on costs neither side a wait or a packet of its
 * own. That is for short ones only: what turns out to be slow gets a connection to itself from
 * then on (`createPace`), and whoever waits behind one, or behind one with which the connection breaks, is asked again elsewhere, which
 * makes no difference to a statement that only reads.
 */
export function shareReads({ pool, ask, alone, maxLanes }: SharedReadOptions): SharedReads {
  const lanes = new Set<Lane>()
  const pace = createPace()

  function laneFor(): Lane | null {
    let best: Lane | null = null
    for (const lane of lanes) if (lane.isOpen && lane.reads.size < (best?.reads.size ?? maxDepth)) best = lane
    const hasSpare = pool.idleCount > 0 || pool.totalCount < pool.options.max
    return lanes.size < maxLanes && hasSpare ? open() : best
  }

  function open(): Lane {
    const client = pool.connect().then((given) => pipelining(given, true))
    const lane: Lane = { client, reads: new Set(), isOpen: true, isBroken: false, answeredAt: 0, gather: gatherer() }
    lanes.add(lane)
    if (lanes.size === 1) watch.refresh()
    return lane
  }

  async function send(lane: Lane, read: Waiting): Promise<void> {
    try {
      const client = await lane.client
      await answer(lane, client, read)
      lane.reads.delete(read)
      if (lane.reads.size > 0) return
      pipelining(client, false).release(lane.isBroken)
    } catch (error) {
      // There was no connection for any of them.
      lane.isOpen = false
      read.reject(error)
    }
    lanes.delete(lane)
  }

  async function answer(lane: Lane, client: pg.PoolClient, read: Waiting): Promise<void> {
    read.since = performance.now()
    try {
      lane.gather(client)
      const result = await ask(client, read.text, read.values)
      const now = performance.now()
      pace.note(read.text, now - Math.max(read.since, lane.answeredAt), now)
      lane.answeredAt = now
      read.resolve(result)
    } catch (error) {
      const isFirst = !lane.isBroken
      if (isDatabaseAway(error)) {
        lane.isOpen = false
        lane.isBroken = true
        // It may have been the first that broke it.
        if (!isFirst) return askElsewhere(read)
      }
      if (!read.isElsewhere) read.reject(error)
    }
  }

  function askElsewhere(read: Waiting): void {
    if (read.isElsewhere) return
    read.isElsewhere = true
    void alone(read.text, read.values).then(read.resolve, read.reject)
  }

  function look(): void {
    const now = performance.now()
    for (const lane of lanes) {
      const [first, ...others] = lane.reads
      if (!first || !lane.isOpen || now - Math.max(first.since, lane.answeredAt) < stuckMs) continue
      lane.isOpen = false
      pace.note(first.text, isSlowForSure, now)
      // Should they be answered here after all, that comes first or it counts for nothing.
      for (const read of others) askElsewhere(read)
    }
    if (lanes.size > 0) watch.refresh()
  }

  // After a pause of our own, answers that are there already are read first.
  const watch = setTimeout(() => setImmediate(look), stuckMs)
  watch.unref()

  return {
    read: <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) => {
      const lane = pace.isSlow(text) ? null : laneFor()
      if (!lane) return alone<Row>(text, values)
      return new Promise<pg.QueryResult<Row>>((resolve, reject) => {
        const read: Waiting = {
          ...{ text, values, since: Number.POSITIVE_INFINITY, isElsewhere: false },
          ...{ resolve: resolve as Waiting['resolve'], reject },
        }
        lane.reads.add(read)
        void send(lane, read)
      })
    },
    close: () => clearTimeout(watch),
  }
}

/** A connection that is shared at the moment; the last one gives it back. */
interface Lane {
  client: Promise<pg.PoolClient>
  /** Not answered yet, in the order in which they were sent. */
  reads: Set<Waiting>
  /** Takes more. */
  isOpen: boolean
  isBroken: boolean
  answeredAt: number
  gather(client: pg.PoolClient): void
}

interface Waiting {
  text: string
  values: readonly unknown[]
  /** When it was sent. */
  since: number
  isElsewhere: boolean
  resolve(result: pg.QueryResult): void
  reject(error: unknown): void
}

/** Whether the driver sends a statement before it has the answer to the one before. Whoever has a connection alone needs no such thing. */
function pipelining(client: pg.PoolClient, pipeline: boolean): pg.PoolClient {
  return Object.assign(client, { pipeline })
}

/** What is asked in one turn of the event loop goes out together: each write of its own costs more than what it says. */
function gatherer(): (client: pg.PoolClient) => void {
  let isGathering = false
  return (client) => {
    if (isGathering) return
    isGathering = true
    const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
    stream.cork()
    setImmediate(() => {
      isGathering = false
      stream.uncork()
    })
  }
}

/** What takes longer than this on average is slow. */
const slowMs = 25
const isSlowForSure = 1000
/** For so long it is remembered what a statement takes: tables grow and shrink. */
const rememberMs = 60_000
const maxTexts = 500

/** How long statements take, by their text. One that nobody knows is taken for quick. */
function createPace() {
  const texts = new Map<string, { average: number; until: number }>()
  return {
    isSlow(text: string): boolean {
      const known = texts.get(text)
      return known !== undefined && known.average > slowMs && known.until > performance.now()
    },
    note(text: string, took: number, now: number): void {
      let known = texts.get(text)
      if (!known || known.until <= now) {
        if (texts.size >= maxTexts) texts.clear()
        known = { average: 0, until: now + rememberMs }
        texts.set(text, known)
      }
      known.average += (took - known.average) / 8
    },
  }
}
