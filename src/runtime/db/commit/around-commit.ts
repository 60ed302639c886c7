import type { Kysely } from 'kysely'
import type { Tables } from '../tables.gen.ts'

type Db = Kysely<Tables>
type Task = (database: Db) => void
/** What is done once for all that a transaction has gathered for its end. */
export type Ending<Item> = (trx: Db, items: readonly Item[]) => Promise<void>

/** What an open transaction leaves to be done just before it commits, and once it has. */
interface Left {
  endings: Map<Ending<never>, { items: unknown[]; run(): Promise<void> }>
  tasks: Task[]
}

const leftBy = new WeakMap<Db, Left>()

/**
 * Gathers something for the end of the transaction, where `ending` gets all of it at once: what it locks is locked shortly,
 * however long the work before took. Given a database that is no transaction, it is done at once.
 */
export async function beforeCommit<Item>(db: Db, ending: Ending<Item>, item: Item): Promise<void> {
  const left = leftBy.get(db)
  if (!left) return await ending(db, [item])
  const begun = left.endings.get(ending)
  if (begun) return void begun.items.push(item)
  const items = [item]
  left.endings.set(ending, { items, run: () => ending(db, items) })
}

/**
 * Does something in this process as soon as the transaction has committed, and nothing if it does not. Given a database
 * that is no transaction, what was written is committed already: it is done at once.
 */
export function afterCommit(db: Db, task: Task): void {
  const left = leftBy.get(db)
  if (left) left.tasks.push(task)
  else task(db)
}

/** Runs a transaction with what it leaves for its end, and then what it has left to be done. */
export async function committed<T>(database: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  const left: Left = { endings: new Map(), tasks: [] }
  const result = await database.transaction().execute(async (trx) => {
    leftBy.set(trx, left)
    const done = await work(trx)
    for (const ending of left.endings.values()) await ending.run()
    return done
  })
  for (const task of left.tasks) task(database)
  return result
}
