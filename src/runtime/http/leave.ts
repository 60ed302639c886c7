import type { Server } from 'node:net'
import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { lookedFor } from '../../lib/turns/looking.ts'

/**
 * Leaving without losing a request. A socket that stops listening resets what waits to be accepted, and one that closes
 * an idle connection may cross a request on its way. So a server that has to stop keeps answering, ends each
 * connection with its next answer, and goes when nothing but probes has come for a while, and whoever asks `/ready` has
 * heard that it says no: one who deals out requests and is busy may be silent for a moment, and then come with all of them.
 */
export interface Leaving {
  /** For every request. */
  see(request: FastifyRequest, reply: FastifyReply): void
  /** Resolves when it is time to close. */
  leave(): Promise<void>
}

const quietMs = 500
const maxMs = 5_000
const stepMs = 20
/** Somebody who has asked `/ready` in this time will ask again. */
const watchedMs = 10_000

const probes: ReadonlySet<string | undefined> = new Set(['/live', '/ready', '/metrics'])

export function createLeaving(server: Server): Leaving {
  let leaving = false
  /** Since the last request, as far as this process could look. */
  let quietFor = 0
  /** When `/ready` was last asked. */
  let lastLook = Number.NEGATIVE_INFINITY

  return {
    see(request, reply) {
      if (request.routeOptions.url === '/ready') lastLook = performance.now()
      if (!leaving) return
      // HTTP/2 notifies its clients by other means.
      if (request.raw.httpVersionMajor === 1) reply.header('connection', 'close')
      if (!probes.has(request.routeOptions.url)) quietFor = 0
    },
    async leave() {
      const begun = performance.now()
      leaving = true
      quietFor = 0
      // Whoever has just connected is let in first.
      await nextRound()
      if ((await countConnections(server)) === 0) return
      const isWatched = begun - lastLook < watchedMs
      const isHeard = () => !isWatched || lastLook > begun
      while ((quietFor < quietMs || !isHeard()) && performance.now() - begun < maxMs) {
        const since = performance.now()
        await sleep(stepMs)
        quietFor += lookedFor(since, stepMs)
      }
      // What arrived before that is read.
      await nextRound()
    },
  }
}

const countConnections = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)))
