import type { Log } from '../log.ts'
import type { Recurring } from './job.ts'
import type { Queue } from './queue.ts'
import { quietly } from './queue-errors.ts'

/** Every worker keeps the time; the database lets only one of them start the job of an interval. */
export async function startRecurring({
  queue: { boss },
  recurring,
  log,
  wake,
}: {
  queue: Queue
  recurring: readonly Recurring[]
  log: Log
  /** Nobody is notified of these, and whoever has sent one works as well. */
  wake(name: string): void
}): Promise<{ stop(): void }> {
  const report = quietly(log)
  const timers: NodeJS.Timeout[] = []
  for (const { interval, job, input, key } of recurring) {
    const options = { singletonKey: key, group: { id: key } }
    if (typeof interval === 'string') {
      await boss.schedule(job.name, interval, { input }, { ...options, tz: 'UTC' })
      continue
    }
    // The finished job is the mark that its interval is taken, so it stays longer than that.
    const once = { singletonSeconds: interval, deleteAfterSeconds: Math.max(3600, 2 * interval) }
    const tick = () => {
      const sent = boss.send(job.name, { input }, { ...options, ...once })
      sent.then((id) => id !== null && wake(job.name)).catch(report)
    }
    tick()
    // Twice in each interval, so that none is missed when timers and intervals drift apart.
    timers.push(setInterval(tick, interval * 500).unref())
  }
  return {
    stop() {
      for (const timer of timers) clearInterval(timer)
    },
  }
}
