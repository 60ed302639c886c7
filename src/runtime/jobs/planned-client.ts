import pg from 'pg'
import { planOnce } from '../db/plans/plan-once.ts'

type Done = (error: Error | null, result?: pg.QueryResult) => void

/**
 * What pg-boss asks over and over, planned once: to claim a job and to say that it is done are long statements over a table
 * with ten indexes, and planning them is most of what they cost. It has a connection of its own to the server, never a pooler's.
 */
export function plannedClient(): typeof pg.Client {
  const ask = planOnce({ pooled: false })
  return class extends pg.Client {
    // As the pool calls it.
    override query(...given: [unknown, ...unknown[]]): never {
      const [text, values = [], done] = given
      if (typeof text !== 'string' || !Array.isArray(values) || typeof done !== 'function' || isSeveral(text)) {
        return super.query(...(given as [never])) as never
      }
      const tell = done as Done
      ask(this, text, values).then((result) => tell(null, result), tell)
      return undefined as never
    }
  }
}

/** Of several statements in one text none can have a name. */
const isSeveral = (text: string): boolean => /;\s*\S/.test(text)
