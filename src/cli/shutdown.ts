import type { Log } from '../runtime/log.ts'

/**
 * SIGTERM and SIGINT: stop in order, and exit. A second signal exits at once. An error that nobody caught also stops in
 * order, because the state of the program is unknown from there on.
 */
export function onShutdown(
  log: Log,
  stop: () => Promise<void>,
  signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT'],
): void {
  let stopping = false

  const shutdown = (reason: string, code: number) => {
    if (stopping) {
      log.warn({ reason }, 'second signal, exiting at once')
      process.exit(code || 1)
    }
    stopping = true
    log.info({ reason }, 'stopping')
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }

  for (const signal of signals) process.on(signal, () => shutdown(signal, 0))
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    shutdown('uncaught exception', 1)
  })
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection')
    shutdown('unhandled rejection', 1)
  })
}

/** For what is opened one after the other, and closed in reverse: a signal may come while there is only half of it. */
export function closeOnShutdown(log: Log): (close: () => Promise<void>) => void {
  const opened: (() => Promise<void>)[] = []
  onShutdown(log, async () => {
    for (const close of opened.reverse()) await close()
  })
  return (close) => void opened.push(close)
}
