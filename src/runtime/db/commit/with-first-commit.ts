import type { Db } from '../connection.ts'

/**
 * Done in somebody else's transaction, after their work and just before it commits; `result` is what the work gave. What it
 * gives back is called once it has committed.
 */
export type CommitStep = (trx: Db, result: unknown) => Promise<(() => void) | undefined>

type Transaction = <T>(work: (trx: Db) => Promise<T>) => Promise<T>

/**
 * The same transactions, the first of which also takes these steps: they are written if, and only if, what that transaction
 * does is. While none has committed, each takes them. They come last, so that what they lock is locked shortly.
 */
export function withFirstCommit(transaction: Transaction, steps: readonly CommitStep[]): Transaction {
  let committed = false
  return async (work) => {
    if (committed) return await transaction(work)
    let afterwards: (() => void)[] = []
    const result = await transaction(async (trx) => {
      afterwards = []
      const done = await work(trx)
      for (const step of steps) afterwards.push((await step(trx, done)) ?? nothing)
      return done
    })
    committed = true
    for (const task of afterwards) task()
    return result
  }
}

const nothing = () => undefined
