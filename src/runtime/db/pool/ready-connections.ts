import type pg from 'pg'

/** The connections of a pool, so that nobody waits for a new one who could have another: opening takes 50 ms and more on a busy machine. */
export interface Connections {
  /** One that is free, or else the first that is given back or has been opened. */
  take(): Promise<pg.PoolClient>
}

/**
 * So many are opened with the first, one after the other so that they keep the processors from nobody, and stay open; and a further one whenever the
 * last free one is taken. The pool by itself opens one when it is needed, and lets whoever needs it wait for that very one: of lists beside many
 * other requests one in a hundred took four times as long. Where some stay open they take turns while nobody else asks: the server has
 * yet to read what a statement is about, and to plan it, on each that is new.
 */
export function readyConnections(pool: pg.Pool, ready: number): Connections {
  const { max } = pool.options
  const waiting: PromiseWithResolvers<void>[] = []
  /** Never fewer than wait. */
  let opening = 0
  const open = (): void => {
    opening++
    // The pool opens none while one is free, so that these are asked for with it.
    const free = Math.max(0, pool.idleCount - pool.waitingCount)
    for (let n = 0; n < free; n++) pool.connect().then(giveBack, () => undefined)
    pool.connect().then(
      (client) => {
        opening--
        client.release()
        if (opening === 0 && pool.totalCount < ready && !pool.ending) open()
      },
      (error: unknown) => {
        opening--
        waiting.shift()?.reject(error)
      },
    )
  }
  const giveBack = (client: pg.PoolClient) => client.release()
  // Those that are free may have been promised already.
  const canOpen = () => pool.idleCount <= pool.waitingCount && pool.totalCount < max && !pool.ending

  if (ready > 0) takeTurns(pool)
  // It is free once whoever gives it back has done so.
  pool.on('release', () => waiting.shift()?.resolve())
  pool.on('acquire', () => {
    if (ready > 0 && opening === 0 && canOpen()) open()
  })

  return {
    async take() {
      // The first of all has nothing to wait for.
      while (pool.totalCount > 0 && canOpen()) {
        const given = Promise.withResolvers<void>()
        waiting.push(given)
        if (opening < waiting.length) open()
        await given.promise
      }
      return await pool.connect()
    },
  }
}

/**
 * By itself the pool gives the one that was given back last. Among many requests that is best, since what a server’s process did a moment ago is at
 * hand; one by one they would leave the others as they were opened.
 */
function takeTurns(pool: pg.Pool): void {
  const free: unknown = Reflect.get(pool, '_idle')
  if (!Array.isArray(free)) return
  free.pop = () => (free.length === pool.totalCount ? free.shift() : Array.prototype.pop.call(free))
}
