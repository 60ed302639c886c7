import type pg from 'pg'

/** Opens one more connection than is needed, for whoever comes next. */
export function keepSpare(pool: pg.Pool): void {
  let isOpening = false
  pool.on('acquire', () => {
    if (isOpening || pool.idleCount > 0 || pool.totalCount >= pool.options.max) return
    isOpening = true
    pool
      .connect()
      .then(
        (client) => client.release(),
        // Whoever needs one will be told.
        () => undefined,
      )
      .finally(() => {
        isOpening = false
      })
  })
}
