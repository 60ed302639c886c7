import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../connect.ts'
import { library } from '../library.ts'
import { send } from '../send.ts'
import type { ForwardedEvent } from './forward.ts'

export interface Following {
  appId: number
  events: readonly string[]
  signal: AbortSignal
  onOpen(listener: { id: number; secret: string }): void
  onLost(why: string): void
  onBack(): void
  /** The listener had ended before we were back: what happened meanwhile is not in the new one. */
  onGap(): void
  /** The next page is asked for when all of this one is done. */
  onEvent(event: ForwardedEvent): Promise<void>
}

const waitSeconds = 20
const longestPauseMs = 5000

/**
 * Opens a listener and hands on its events until it is told to stop. A cursor says what was handed on: whatever becomes of
 * a connection, the same page is asked for again, and nothing is left out or comes twice.
 */
export async function follow(connection: Connection, following: Following): Promise<void> {
  const { url, profile } = connection
  // An answer that is waited for is longer on its way than others; what to do when none comes is decided here.
  const auth = { token: profile.token }
  const patient = library.createUserClient({
    baseUrl: url,
    auth,
    fetch: send,
    maxAttempts: 1,
    timeoutSeconds: waitSeconds + 10,
  })
  const { signal } = following
  const appId = String(following.appId)
  const open = async () => {
    const { data } = await connection.user.call('post', '/api/2.0/user/apps/{appId}/webhooks/listeners', {
      path: { appId },
      body: { events: [...following.events] as never },
    })
    following.onOpen(data)
    return String(data.id)
  }
  let listener = await open()
  let cursor: string | undefined
  let failures = 0
  try {
    while (!signal.aborted) {
      try {
        const page = await patient.call('get', '/api/2.0/user/apps/{appId}/webhooks/listeners/{listener}/events', {
          path: { appId, listener },
          query: { wait: waitSeconds, ...(cursor === undefined ? {} : { cursor }) } as never,
          signal,
        })
        if (failures > 1) following.onBack()
        failures = 0
        for (const event of page.data) await following.onEvent(event)
        cursor = page.meta.next_cursor
      } catch (error) {
        if (signal.aborted) break
        if (error instanceof library.NotFoundError && !/route/.test(error.message)) {
          following.onGap()
          listener = await open()
          cursor = undefined
        } else if (isPassing(error)) {
          failures++
          // The first one is a matter of a moment, and not worth a word.
          if (failures === 2) following.onLost(error instanceof Error ? error.message : String(error))
          await pause(Math.min(longestPauseMs, 100 * 2 ** failures), signal)
        } else throw error
      }
    }
  } finally {
    const path = { appId, listener }
    await connection.user
      .call('delete', '/api/2.0/user/apps/{appId}/webhooks/listeners/{listener}', { path })
      // It ends by itself within an hour.
      .catch(() => undefined)
  }
}

const isPassing = (error: unknown): boolean =>
  error instanceof library.ConnectionError ||
  error instanceof library.UnavailableError ||
  error instanceof library.RateLimitError

const pause = (ms: number, signal: AbortSignal): Promise<unknown> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
