import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

/** Counts what goes to the database from this process: every statement, on whatever connection, as it is sent. */
export function watchStatements() {
  const { query } = pg.Client.prototype
  const asking = new AsyncLocalStorage<string[]>()
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    const [first] = given
    asking.getStore()?.push(typeof first === 'string' ? first : String((first as { text?: unknown }).text))
    return Reflect.apply(query, this, given)
  } as typeof query
  return {
    /** What `work` sends, and what it gives; not what the program does in the background meanwhile. */
    async during<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[] }> {
      const sent: string[] = []
      const result = await asking.run(sent, work)
      return { result, statements: [...sent] }
    },
    stop() {
      pg.Client.prototype.query = query
    },
  }
}
