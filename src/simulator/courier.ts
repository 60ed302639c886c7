import type { Ledger, WebhookEntry } from './ledger.ts'
import { hashText, mix } from './random.ts'
import type { WeatherSource } from './weather.ts'

/** A signed message on its way. */
export interface Post {
  topic: string
  /** What it is about; messages about an unlucky one are all lost. */
  subject: string
  delivery: string
  url: string
  headers: Readonly<Record<string, string>>
  body: string
  /** It is not tried again. */
  once?: boolean
  /** After the last attempt. */
  done(delivered: boolean): void
}

export type Courier = ReturnType<typeof createCourier>

const atOnce = 8
const retryAfterMs = [1000, 3000]

export function createCourier(weather: WeatherSource, ledger: Ledger, seed: number) {
  const stopped = new AbortController()
  const waiting: (() => Promise<void>)[] = []
  const idlers: (() => void)[] = []
  let running = 0
  let held = 0

  const settle = () => {
    if (running + held + waiting.length > 0) return
    for (const resolve of idlers.splice(0)) resolve()
  }
  const pump = () => {
    while (running < atOnce) {
      const job = waiting.shift()
      if (!job) break
      running++
      void job().finally(() => {
        running--
        pump()
      })
    }
    settle()
  }
  const later = (milliseconds: number, job: () => Promise<void>) => {
    held++
    setTimeout(() => {
      held--
      if (!stopped.signal.aborted) waiting.push(job)
      pump()
    }, milliseconds).unref()
  }

  const entryOf = (post: Post, attempt: number, duplicate: boolean, outcome: WebhookEntry['outcome']) => {
    const { delivery, topic, subject, url } = post
    return ledger.webhook({ delivery, topic, subject, url, attempt, outcome, status: null, duplicate })
  }
  const attempt = (post: Post, number: number, duplicate: boolean) => async (): Promise<void> => {
    const entry = entryOf(post, number, duplicate, 'under way')
    entry.status = await deliver(post, stopped.signal)
    const delivered = entry.status !== null && entry.status >= 200 && entry.status < 300
    entry.outcome = delivered ? 'delivered' : 'refused'
    const wait = post.once ? undefined : retryAfterMs[number - 1]
    if (delivered || wait === undefined) post.done(delivered)
    else later(wait, attempt(post, number + 1, duplicate))
  }

  return {
    send(post: Post): void {
      const unlucky = mix(hashText(post.subject), seed) / 4294967296 < weather.now().lost_webhooks
      if (unlucky) {
        entryOf(post, 1, false, 'lost')
        return
      }
      const copies = weather.chance('duplicate_webhooks') ? 2 : 1
      for (let copy = 0; copy < copies; copy++) {
        const job = attempt(post, 1, copy > 0)
        if (weather.chance('reordered_webhooks')) later(200 + weather.dice.below(1500), job)
        else waiting.push(job)
      }
      pump()
    },
    /** Resolves when nothing is on its way any more. */
    idle: () =>
      new Promise<void>((resolve) => {
        idlers.push(resolve)
        settle()
      }),
    stop: () => {
      stopped.abort()
      waiting.length = 0
    },
  }
}

/** The status, or null if there was none. A shop that is not real speaks to this machine only. */
async function deliver({ url, headers, body }: Post, stopped: AbortSignal): Promise<number | null> {
  if (!isLoopback(url)) return null
  try {
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(5000)])
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await response.body?.cancel()
    return response.status
  } catch {
    return null
  }
}

export const isLoopback = (address: string): boolean =>
  /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(URL.parse(address)?.hostname ?? '')
