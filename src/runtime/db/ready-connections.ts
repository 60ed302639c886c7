import type pg from 'pg'

/**
 * Opens connections before somebody needs them: so many with the first, and a further one whenever the last free one is taken. Opening takes 50 ms
 * and more on a busy machine, and the pool lets whoever finds none free wait for a new one, also if another is given back meanwhile: one list in
 * a hundred took four times as long as the others.
 */
export function keepReady(pool: pg.Pool, ready: number): void {
  let opening = 0
  pool.on('acquire', () => {
    if (pool.idleCount > 0 || opening > 0 || pool.ending) return
    const missing = Math.min(Math.max(1, ready - pool.totalCount), pool.options.max - pool.totalCount)
    for (let n = 0; n < missing; n++) {
      opening++
      void open(pool).finally(() => opening--)
    }
  })
}

/** Whoever needs one finds out by himself that the database is away. */
const open = (pool: pg.Pool): Promise<void> =>
  pool.connect().then(
    (client) => client.release(),
    () => undefined,
  )
