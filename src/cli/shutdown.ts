import { isSignalledTwice } from '../config.ts'
import type { Log } from '../runtime/log.ts'

/** Ctrl-C reaches every process of the terminal, and npm hands it on besides: within this time it is the same one. */
const sameSignalMs = 1000

/**
 * SIGTERM and SIGINT: stop in order, and exit. A second signal exits at once; SIGHUP, by which we learn that whoever
 * started us is gone, is never the second. An error that nobody caught also stops in order, because the state of the
 * program is unknown from there on.
 */
export function onShutdown(
  log: Log,
  stop: () => Promise<void>,
  signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT', 'SIGHUP'],
): void {
  let stoppingSince: number | null = null

  const shutdown = (reason: string, code: number) => {
    if (stoppingSince !== null) {
      log.warn({ reason }, 'second signal, exiting at once')
      process.exit(code || 1)
    }
    stoppingSince = performance.now()
    log.info({ reason }, 'stopping')
    stop().then(
      () => process.exit(code),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed')
        process.exit(1)
      },
    )
  }

  const isRepeated = (signal: NodeJS.Signals) =>
    stoppingSince !== null &&
    (signal === 'SIGHUP' || (isSignalledTwice() && performance.now() < stoppingSince + sameSignalMs))
  for (const signal of signals) {
    process.on(signal, () => {
      if (!isRepeated(signal)) shutdown(signal, 0)
    })
  }
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
