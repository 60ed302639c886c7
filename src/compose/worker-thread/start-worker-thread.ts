import { getCompileCacheDir } from 'node:module'
import { dirname, extname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { DemoShops } from '../../demo/demo-shops.ts'
import type { InThread } from '../../domain/context.ts'
import { unavailable } from '../../lib/fault.ts'
import { type Log, standardOutput } from '../../runtime/log.ts'
import type { Figures } from '../../runtime/metrics.ts'
import { type Line, openLine } from '../../runtime/threads/line.ts'
import type { OfMain, OfThread, ThreadData } from './calls.ts'
import { answersOfInsideShops } from './inside-shops.ts'

export interface WorkerThread extends InThread {
  figures(): Promise<Figures>
  /** What is under way comes to its end. */
  close(): Promise<void>
}

export interface WorkerThreadOptions {
  databaseUrl: Promise<string>
  works: boolean
  /** Those that live in this thread. */
  demoShops: Pick<DemoShops, 'around'> | null
  log: Log
  /** Where they are not those of the process. */
  settings?: Readonly<Record<string, string>>
  /** Held for longer than this by one thing, it will not let go of it. */
  stuckMs?: number
}

const usualStuckMs = 30_000
const againMs = 500

/**
 * Starts the thread of the worker, and another one whenever it has ended by itself: out of memory, by an error that nobody caught, or
 * ended by us because it was stuck. What it had begun is taken up again as that of a worker that was killed.
 */
export function startWorkerThread(options: WorkerThreadOptions): WorkerThread {
  const { log, stuckMs = usualStuckMs } = options
  let isClosing = false
  let current = open()

  function open() {
    const opened = openThread(options)
    const watch = setInterval(() => {
      const ms = opened.silentMs()
      if (ms <= stuckMs) return
      clearInterval(watch)
      log.error({ seconds: Math.round(ms / 1000) }, 'the thread of the worker is stuck, ending it')
      void opened.thread.terminate()
    }, stuckMs / 10).unref()
    opened.thread.once('exit', async (code) => {
      clearInterval(watch)
      if (isClosing) return
      log.error({ code }, 'the thread of the worker ended, starting another')
      await sleep(againMs)
      if (!isClosing) current = open()
    })
    opened.thread.on('error', (error) => log.error({ err: error }, 'the thread of the worker failed'))
    return opened
  }

  return {
    read: (action) => current.line.ask('read', action),
    estimate: (run) => current.line.ask('estimate', run),
    figures: () => current.line.ask('figures', null),
    async close() {
      isClosing = true
      await current.line.ask('stop', null).catch(() => undefined)
      await current.thread.terminate()
    },
  }
}

function openThread({ databaseUrl, works, demoShops, settings }: WorkerThreadOptions) {
  const sign = new SharedArrayBuffer(8)
  const signs = new BigInt64Array(sign)
  signs[0] = process.hrtime.bigint()
  // As source, and as it is packaged.
  const file = new URL(`thread${extname(import.meta.url)}`, import.meta.url)
  const workerData: ThreadData = { works, sign, compiled: compiledFolder() }
  const thread = new Worker(file, { name: 'worker', workerData, ...(settings && { env: settings }) })
  const answers: OfMain = {
    databaseUrl: () => databaseUrl,
    ...answersOfInsideShops(demoShops),
    log: (line) => standardOutput().write(line),
  }
  const line: Line<OfThread> = openLine<OfThread>(thread, answers)
  thread.once('exit', () => line.end(unavailable()))
  return { thread, line, silentMs: () => Number((process.hrtime.bigint() - Atomics.load(signs, 0)) / 1_000_000n) }
}

/** Each version of Node has a folder of its own in it. */
function compiledFolder(): string | undefined {
  const own = getCompileCacheDir()
  return own === undefined ? undefined : dirname(own)
}

/** For those that only serve: begun when a shop is first read. */
export function startWhenAsked(options: Omit<WorkerThreadOptions, 'works'>): WorkerThread {
  let thread: WorkerThread | null = null
  const begun = () => {
    thread ??= startWorkerThread({ ...options, works: false })
    return thread
  }
  return {
    read: async (action) => await begun().read(action),
    estimate: async (run) => await begun().estimate(run),
    figures: async () => (await thread?.figures()) ?? [],
    close: async () => await thread?.close(),
  }
}
