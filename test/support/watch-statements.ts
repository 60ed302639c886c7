import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'

export interface Sent {
  text: string
  values: readonly unknown[]
}

/** Counts what goes to the database from this process: every statement, on whatever connection, as it is sent. */
export function watchStatements() {
  const { query } = pg.Client.prototype
  const asking = new AsyncLocalStorage<Sent[]>()
  pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
    asking.getStore()?.push(read(given))
    return Reflect.apply(query, this, given)
  } as typeof query
  return {
    /** What `work` sends, and what it gives; not what the program does in the background meanwhile. */
    async during<T>(work: () => Promise<T>): Promise<{ result: T; statements: string[]; sent: Sent[] }> {
      const sent: Sent[] = []
      const result = await asking.run(sent, work)
      return { result, statements: sent.map(({ text }) => text), sent: [...sent] }
    },
    stop() {
      pg.Client.prototype.query = query
    },
  }
}

function read([first, second]: readonly unknown[]): Sent {
  const { text, values = second } = typeof first === 'string' ? { text: first } : (first as Partial<Sent>)
  return { text: String(text), values: Array.isArray(values) ? values : [] }
}
