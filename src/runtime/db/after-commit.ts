import type { Kysely } from 'kysely'
import type { Tables } from './tables.gen.ts'

type Db = Kysely<Tables>
type Task = (database: Db) => void

/** What each open transaction leaves to be done once it has committed. */
const tasksOf = new WeakMap<Db, Task[]>()

/**
 * Does something in this process as soon as the transaction has committed, and nothing if it does not. Given a database
 * that is no transaction, what was written is committed already: it is done at once.
 */
export function afterCommit(db: Db, task: Task): void {
  const tasks = tasksOf.get(db)
  if (tasks) tasks.push(task)
  else task(db)
}

/** Runs a transaction, and then what it has left to be done. */
export async function committed<T>(database: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  const tasks: Task[] = []
  const result = await database.transaction().execute((trx) => {
    tasksOf.set(trx, tasks)
    return work(trx)
  })
  for (const task of tasks) task(database)
  return result
}
