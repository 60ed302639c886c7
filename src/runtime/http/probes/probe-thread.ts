import type { ListenOptions } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import {
  createProbeServer,
  maxAsking,
  type ProbeAnswer,
  type ProbeQuestion,
  patienceMs,
  probeAnswer,
} from './probe-server.ts'

/**
 * The thread of the probes. `/live` it answers itself, by when the main thread last gave a sign; everything else the main
 * thread has to know, and if that does not answer in time nobody is told that it is ready.
 */
export interface ProbeThreadData {
  where: ListenOptions
  /** When the main thread last gave a sign, by the clock that both share: nanoseconds. */
  sign: SharedArrayBuffer
  /** Held for longer than this, the main thread is stuck. */
  stuckMs: number
}

export type FromThread =
  | { kind: 'listening'; port: number }
  | { kind: 'failed'; code: string; message: string }
  | { kind: 'question'; id: number; question: ProbeQuestion }

export interface ToThread {
  id: number
  answer: ProbeAnswer | null
}

const { where, sign, stuckMs } = workerData as ProbeThreadData
const signs = new BigInt64Array(sign)
const say = (message: FromThread) => parentPort?.postMessage(message)

/** What the main thread has not yet answered, whether somebody still waits for it or not. */
const asked = new Map<number, (answer: ProbeAnswer | null) => void>()
let questions = 0

parentPort?.on('message', ({ id, answer }: ToThread) => {
  asked.get(id)?.(answer)
  asked.delete(id)
})

function live(): ProbeAnswer {
  const heldMs = Number((process.hrtime.bigint() - Atomics.load(signs, 0)) / 1_000_000n)
  if (heldMs <= stuckMs) return probeAnswer(200, { status: 'ok' })
  return probeAnswer(503, { status: 'stuck', seconds: Math.round(heldMs / 1000) })
}

const unavailable = probeAnswer(503, { status: 'unavailable' })

async function askMainThread(question: ProbeQuestion): Promise<ProbeAnswer | null> {
  if (asked.size >= maxAsking) return unavailable
  const id = ++questions
  return await new Promise((resolve) => {
    const late = setTimeout(() => resolve(unavailable), patienceMs)
    asked.set(id, (answer) => {
      clearTimeout(late)
      resolve(answer)
    })
    say({ kind: 'question', id, question })
  })
}

const server = createProbeServer(async (question) =>
  question.path === '/live' ? live() : await askMainThread(question),
)
server.listen(where).then(
  (port) => say({ kind: 'listening', port }),
  (error: NodeJS.ErrnoException) => say({ kind: 'failed', code: error.code ?? '', message: error.message }),
)
