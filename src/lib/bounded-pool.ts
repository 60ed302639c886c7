import { unavailable } from './fault.ts'

/** Runs at most `running` tasks at once and lets at most `waiting` wait; whoever comes after that is refused. */
export function boundedPool(options: { running: number; waiting: number }) {
  let running = 0
  const queue: (() => void)[] = []

  return async function run<T>(task: () => Promise<T>): Promise<T> {
    if (running >= options.running) {
      if (queue.length >= options.waiting) {
        throw unavailable(2)
      }
      await new Promise<void>((resolve) => queue.push(resolve))
    } else {
      running++
    }
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
