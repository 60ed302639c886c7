import type { Log } from '../log.ts'
import type { Recurring } from './job.ts'
import type { Queue } from './queue.ts'
import { quietly } from './queue-errors.ts'

/** Every worker keeps the time; the database lets only one of them start the job of an interval. */
export async function startRecurring<Context>({
  queue: { boss },
  recurring,
  context,
  log,
  wake,
}: {
  queue: Queue
  recurring: readonly Recurring<Context>[]
  context: Context
  log: Log
  /** Nobody is notified of these, and whoever has sent one works as well. */
  wake(name: string): void
}): Promise<{ stop(): void }> {
  const report = quietly(log)
  const timers = new Map<Recurring<Context>, NodeJS.Timeout>()
  let isStopped = false

  for (const each of recurring) {
    const { interval, job, input, key } = each
    const options = { singletonKey: key, group: { id: key } }
    if (typeof interval === 'string') {
      // What came due while nobody kept the time is made up for: a service that rests at night would else never do what is done at night.
      await boss.schedule(job.name, interval, { input }, { ...options, tz: 'UTC', missed: 'once' })
      continue
    }
    // The finished job is the mark that its interval is taken, so it stays longer than that.
    const once = { singletonSeconds: interval, deleteAfterSeconds: Math.max(3600, 2 * interval) }
    /** Whether this interval is settled: somebody else may have sent the job of it, and might not be there for the next one. */
    const start = async (): Promise<boolean> => {
      if (job.hasWork && !(await job.hasWork(context))) return true
      const id = await boss.send(job.name, { input }, { ...options, ...once })
      if (id !== null) wake(job.name)
      return id !== null
    }
    const tick = async () => {
      const isSettled = await start().catch((error: unknown) => {
        report(error)
        return false
      })
      if (!isStopped) timers.set(each, setTimeout(() => void tick(), interval * (isSettled ? 1000 : 500)).unref())
    }
    void tick()
  }
  return {
    stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
