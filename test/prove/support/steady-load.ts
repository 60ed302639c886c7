import { setTimeout as sleep } from 'node:timers/promises'
import { type Call, type HttpClient, httpClient } from './http.ts'

export interface Sent {
  /** Its number, by which `next` made it. */
  n: number
  /** Milliseconds on the clock of `performance.now()`. */
  sentAt: number
  answeredAt: number
  /** 0 if there was no answer. */
  status: number
  what: string
  problem?: string
}

export interface SteadyLoad {
  sent: readonly Sent[]
  /** Ends when the last answer is in. */
  stop(): Promise<void>
}

/** So many requests a second, whether earlier ones have been answered or not: a stalled server meets a growing crowd. */
export function steadyLoad(options: {
  perSecond: number
  next: (n: number) => Call & { url: string }
  http?: HttpClient
}): SteadyLoad {
  const { perSecond, next } = options
  const http = options.http ?? httpClient(200)
  const sent: Sent[] = []
  const underWay = new Set<Promise<void>>()
  let running = true

  async function send(n: number): Promise<void> {
    const { url, ...call } = next(n)
    const sentAt = performance.now()
    const what = `${call.method ?? 'GET'} ${new URL(url, 'http://any').pathname}`
    try {
      const { status } = await http.call(url, call)
      sent.push({ n, sentAt, answeredAt: performance.now(), status, what })
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error)
      sent.push({ n, sentAt, answeredAt: performance.now(), status: 0, what, problem })
    }
  }

  async function run(): Promise<void> {
    const begun = performance.now()
    for (let n = 0; running; n++) {
      const request = send(n).finally(() => underWay.delete(request))
      underWay.add(request)
      await sleep(Math.max(0, begun + ((n + 1) * 1000) / perSecond - performance.now()))
    }
  }
  const loop = run()

  return {
    sent,
    async stop() {
      running = false
      await loop
      await Promise.all(underWay)
      await http.close()
    },
  }
}

/** "4210 × 200, 96 × 503" */
export function countStatuses(sent: readonly Sent[]): string {
  const counts = new Map<number, number>()
  for (const { status } of sent) counts.set(status, (counts.get(status) ?? 0) + 1)
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${count} × ${status === 0 ? 'no answer' : status}`)
    .join(', ')
}
