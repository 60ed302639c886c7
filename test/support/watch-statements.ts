import pg from 'pg'

/** Counts what goes to the database from this process: every statement, on whatever connection, as it is sent. */
export function watchStatements() {
  const { query } = pg.Client.prototype
  const sent: string[] = []
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    sent.push(typeof first === 'string' ? first : String((first as { text?: unknown }).text))
    return Reflect.apply(query, this, given)
  } as typeof query
  return {
    /** What `work` sends, and what it gives. */
    async during<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
      const start = sent.length
      const result = await work()
      return { result, statements: sent.slice(start) }
    },
    stop() {
      pg.Client.prototype.query = query
    },
  }
}
