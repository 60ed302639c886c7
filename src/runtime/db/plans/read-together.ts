import type { Writable } from 'node:stream'
import type pg from 'pg'
import { isDatabaseAway } from '../database-away.ts'
import type { Ask } from './plan-once.ts'

/** Sends a statement, and brings its rows. */
export type Read = <Row extends pg.QueryResultRow>(
  text: string,
  values?: readonly unknown[],
) => Promise<pg.QueryResult<Row>>

export interface TogetherOptions {
  pool: pg.Pool
  ask: Ask
  /** A pooler may give each statement another connection: then none goes together with another. */
  pooled: boolean
}

/** Behind a statement that takes longer than was expected stand no more than the others of these. */
const most = 6
/** What waits is dealt out to so many connections: to fewer, one would hold up many; to more, each would go almost alone. */
const shares = 4

/**
 * For statements that only read. Each stands in line for a connection of the pool, as any does; but whoever gets one takes along what
 * stands behind it, a few, in one packet: PostgreSQL goes on to the next without waiting for us, and we are woken once. Only where all
 * connections are taken, so that nobody is kept from one that is free, and only of statements that are known to be quick.
 *
 * Nobody waits longer than without it: each keeps its own place in the line of the pool, and none is sent twice, but for those whose
 * connection broke under somebody else's.
 */
export function readTogether({ pool, ask, pooled }: TogetherOptions): Read {
  const line = new Set<Waiting>()
  const pace = createPace()

  async function standInLine(mine: Waiting): Promise<void> {
    let client: pg.PoolClient
    try {
      client = await pool.connect()
    } catch (error) {
      // One that somebody else has taken along is answered there.
      if (line.delete(mine)) mine.reject(error)
      return
    }
    const batch = take()
    if (batch.length === 0) return client.release()
    const isBroken = batch.length === 1 ? await askOne(client, batch[0] as Waiting) : await askAll(client, batch)
    client.release(isBroken)
  }

  /** The first, and of those behind it its share. */
  function take(): Waiting[] {
    const isCrowded = !pooled && pool.idleCount === 0 && pool.totalCount >= pool.options.max
    const share = isCrowded ? Math.min(most, Math.ceil(line.size / shares)) : 1
    const batch: Waiting[] = []
    for (const one of line) {
      if (batch.length > 0 && !pace.isQuick(one.text)) break
      line.delete(one)
      batch.push(one)
      if (batch.length >= share || !pace.isQuick(one.text)) break
    }
    return batch
  }

  /** Whether the connection is of no more use. */
  async function askOne(client: pg.PoolClient, { text, values, resolve, reject }: Waiting): Promise<boolean> {
    const begun = performance.now()
    try {
      resolve(await ask(client, text, values))
      pace.note(text, performance.now() - begun)
      return false
    } catch (error) {
      reject(error)
      return isDatabaseAway(error)
    }
  }

  async function askAll(client: pg.PoolClient, batch: readonly Waiting[]): Promise<boolean> {
    const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
    const sending = client as pg.PoolClient & { pipeline: boolean }
    let since = performance.now()
    let isBroken = false
    sending.pipeline = true
    stream.cork()
    const answers = batch.map(async (one) => {
      try {
        one.resolve(await ask(client, one.text, one.values))
        const now = performance.now()
        pace.note(one.text, now - since)
        since = now
      } catch (error) {
        // It may have been the first that broke it: the others are asked once more.
        const isOther = isBroken && !one.isAgain
        if (isDatabaseAway(error)) isBroken = true
        if (isOther && isDatabaseAway(error)) begin({ ...one, isAgain: true })
        else one.reject(error)
      }
    })
    stream.uncork()
    await Promise.all(answers)
    sending.pipeline = false
    return isBroken
  }

  function begin(one: Waiting): void {
    line.add(one)
    void standInLine(one)
  }

  return <Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []) =>
    new Promise<pg.QueryResult<Row>>((resolve, reject) => {
      begin({ text, values, isAgain: false, resolve: resolve as Waiting['resolve'], reject })
    })
}

interface Waiting {
  text: string
  values: readonly unknown[]
  isAgain: boolean
  resolve(result: pg.QueryResult): void
  reject(error: unknown): void
}

/** What takes longer than this on average holds up whoever stands behind it. */
const quickMs = 25
/** So often it has to have been seen. */
const seenTimes = 3
const maxTexts = 500

/** How long statements take, by their text. One that nobody knows may take for ever. */
function createPace() {
  const texts = new Map<string, { times: number; average: number }>()
  return {
    isQuick(text: string): boolean {
      const known = texts.get(text)
      return known !== undefined && known.times >= seenTimes && known.average <= quickMs
    },
    note(text: string, took: number): void {
      let known = texts.get(text)
      if (!known) {
        if (texts.size >= maxTexts) texts.clear()
        known = { times: 0, average: 0 }
        texts.set(text, known)
      }
      known.times++
      known.average += (took - known.average) / Math.min(known.times, 8)
    },
  }
}
