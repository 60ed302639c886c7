/**
 * Nobody is notified when a job that was put off comes due. Whoever works in the process that put it off looks just then;
 * for what another process put off, the worker looks every few seconds.
 */
export interface Due {
  /** A job of this name can start in so many seconds. */
  expect(name: string, seconds: number): void
  /** What to do when one of them can. */
  on(name: string, look: () => void): void
  close(): void
}

/** Later ones are found soon enough by whoever looks every few seconds. */
const maxSeconds = 60
/** Those that come due in the same moment are one look. */
const momentMs = 100

export function expectDue(): Due {
  const looks = new Map<string, () => void>()
  const timers = new Map<string, NodeJS.Timeout>()
  return {
    expect(name, seconds) {
      const look = looks.get(name)
      if (!look || seconds > maxSeconds) return
      const moment = Math.ceil((performance.now() + seconds * 1000) / momentMs) + 1
      const key = `${name} ${moment}`
      if (timers.has(key)) return
      const timer = setTimeout(
        () => {
          timers.delete(key)
          look()
        },
        moment * momentMs - performance.now(),
      )
      timers.set(key, timer.unref())
    },
    on: (name, look) => void looks.set(name, look),
    close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      looks.clear()
    },
  }
}
