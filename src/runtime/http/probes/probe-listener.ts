import cluster from 'node:cluster'
import type { ListenOptions } from 'node:net'
import { extname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { PageRoute } from '../page.ts'
import { createProbeServer, type ProbeAnswer, type ProbeQuestion } from './probe-server.ts'
import type { FromThread, ProbeThreadData, ToThread } from './probe-thread.ts'

/**
 * The probes on an address of their own, for whoever watches over the process: floods at the other one do not reach it, and in a
 * thread of their own nothing that holds the main thread does either. `/live` says no when that has been held for so long
 * that only a restart helps.
 */
export interface ProbeListener {
  listen(host: string, port: number): Promise<number>
  close(): Promise<void>
}

/** Nothing of ours holds the main thread for a second: what holds it for so long will not let go of it. */
const usualStuckMs = 30_000
const signEveryMs = 250

export function createProbeListener(pages: readonly PageRoute[], { stuckMs = usualStuckMs } = {}): ProbeListener {
  const answer = answerBy(pages)
  let close = async () => {}
  return {
    async listen(host, port) {
      // The processes of one service share the port.
      const shared = cluster.isWorker ? { reusePort: true } : {}
      const begin = async () => await openThread({ host, port, ...shared }, { stuckMs, answer })
      const opened = await begin().catch(async (error: NodeJS.ErrnoException) => {
        // Not on every system can threads share one; then these processes answer as they answer everything else.
        if (!cluster.isWorker || error.code !== 'ENOTSUP') throw error
        const server = createProbeServer(answer)
        return { port: await server.listen({ host, port }), close: () => server.close() }
      })
      close = opened.close
      return opened.port
    },
    close: () => close(),
  }
}

type Answering = (question: ProbeQuestion) => Promise<ProbeAnswer | null>

function answerBy(pages: readonly PageRoute[]): Answering {
  return async ({ path, headers: asked, peer }) => {
    const page = pages.find((each) => each.path === path)
    if (!page) return null
    const { status, headers = {}, body } = await page.handle({ header: (name) => asked[name], peer, params: {} })
    return { status, headers: { ...headers }, text: typeof body === 'string' ? body : JSON.stringify(body) }
  }
}

/** It needs next to nothing, and nothing of what we know. */
const bounds = { env: {}, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 2 } }

async function openThread(where: ListenOptions, { stuckMs, answer }: { stuckMs: number; answer: Answering }) {
  const sign = new SharedArrayBuffer(8)
  const signs = new BigInt64Array(sign)
  const giveSign = () => void Atomics.store(signs, 0, process.hrtime.bigint())
  giveSign()
  const workerData: ProbeThreadData = { where, sign, stuckMs }
  // As source, and as it is packaged.
  const file = new URL(`probe-thread${extname(import.meta.url)}`, import.meta.url)
  const thread = new Worker(file, { ...bounds, name: 'probes', workerData })
  const timer = setInterval(giveSign, signEveryMs).unref()
  const close = async () => {
    clearInterval(timer)
    await thread.terminate()
  }
  const reply = async (id: number, question: ProbeQuestion) => {
    const given = await answer(question).catch((): ProbeAnswer => ({ status: 500, headers: {}, text: '' }))
    const message: ToThread = { id, answer: given }
    thread.postMessage(message)
  }
  try {
    const port = await new Promise<number>((resolve, reject) => {
      thread.on('message', (message: FromThread) => {
        if (message.kind === 'question') void reply(message.id, message.question)
        else if (message.kind === 'listening') resolve(message.port)
        else reject(Object.assign(new Error(message.message), { code: message.code }))
      })
      // Later on there is nobody to hear it, and it ends the process: one that nobody can watch is started again.
      thread.once('error', reject)
    })
    return { port, close }
  } catch (error) {
    await close()
    throw error
  }
}
