import type { ReactiveController, ReactiveControllerHost } from 'lit'
import type { paths } from '../lib/api-types.gen.ts'
import { type EventStream, openEventStream } from '../lib/event-stream.ts'
import { ofUser, sessionBegun, sessionEnded } from './api.ts'

type Lists = '/api/2.0/user/apps/{appId}/runs' | '/api/2.0/user/apps/{appId}/orders'
type RowOf<List extends Lists> = paths[List]['get']['responses'][200]['content']['application/json']['data'][number]

export type LiveRun = RowOf<'/api/2.0/user/apps/{appId}/runs'>
export type LiveOrder = RowOf<'/api/2.0/user/apps/{appId}/orders'>
export interface LiveShop {
  integration: LiveRun['integration']
  status: string
  status_reason: string | null
}

export type News =
  | { type: 'run'; data: LiveRun }
  | { type: 'order'; data: LiveOrder }
  | { type: 'shop'; data: LiveShop }
  | { type: 'orders'; data: Pick<LiveShop, 'integration'> }
  | { type: 'gap' }

interface Options {
  /** Null while it is not known, or nobody should follow. */
  app: () => string | null
  onNews: (news: News) => void
}

/** Follows what happens in an app for as long as its page is there. `isOpen` says whether it is heard just now. */
export class Following implements ReactiveController {
  isOpen = false
  #host: ReactiveControllerHost
  #options: Options
  #stream: EventStream | null = null
  #app: string | null = null
  #isThere = false

  constructor(host: ReactiveControllerHost, options: Options) {
    this.#host = host
    this.#options = options
    host.addController(this)
  }

  hostConnected(): void {
    this.#isThere = true
    addEventListener(sessionBegun, this.#again)
  }

  hostUpdated(): void {
    // A page is drawn once more after somebody has left it.
    const app = this.#isThere ? this.#options.app() : null
    if (app === this.#app) return
    this.#close()
    this.#app = app
    if (app !== null) this.#stream = this.#open(app)
  }

  hostDisconnected(): void {
    this.#isThere = false
    removeEventListener(sessionBegun, this.#again)
    this.#close()
    this.#app = null
  }

  /** From here on nothing is followed; the next time its page is drawn, what that is about then. */
  #again = () => {
    this.#close()
    this.#app = null
    this.#host.requestUpdate()
  }

  #close(): void {
    this.#stream?.close()
    this.#stream = null
    this.isOpen = false
  }

  #open(app: string): EventStream {
    return openEventStream({
      url: `${location.origin}/api/2.0/user/apps/${encodeURIComponent(app)}/live`,
      headers: ofUser,
      onEvent: ({ type, data }) => {
        const news = { type, data: JSON.parse(data) } as News
        if (app === this.#app) this.#options.onNews(news)
      },
      onState: (isOpen) => {
        if (app !== this.#app) return
        this.isOpen = isOpen
        this.#host.requestUpdate()
      },
      onRefused: (status) => {
        if (status === 401) dispatchEvent(new Event(sessionEnded))
      },
    })
  }
}

/** However often it is asked for, once in so many milliseconds; the last time counts. */
export function atMostEvery(ms: number, work: () => void): () => void {
  let next = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return () => {
    if (timer !== undefined) return
    const wait = Math.max(0, next - performance.now())
    timer = setTimeout(() => {
      timer = undefined
      next = performance.now() + ms
      work()
    }, wait)
  }
}
