import { shopAway } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { currentPiece, isHeavy, type PieceOfWork } from '../../../lib/turns/piece-of-work.ts'

/**
 * What the shops of one tenant may hold of this process at once. A shop decides how long it lets us wait and how much it
 * sends; with shares, it is its own tenant who then waits, or is asked to come back.
 */
export interface Traffic {
  /** A place for a request; what is returned gives it back. Fails when there is none in time. */
  enter(holder: string): Promise<() => void>
  /**
   * Room for a large answer, and all that is made of it: one piece of work of a tenant has some at a time, until it is over.
   * Of several large answers to one piece of work, which asks for them side by side, one is read at a time: what is returned lets the
   * next one in, also one of the piece that comes next: of what a piece has asked for side by side, some may still be read when it is over. Waits for as long as it takes: whoever asks has a deadline.
   */
  room(holder: string): Promise<() => void>
  /** For metrics: requests under way, waiting for a place, turned away so far; pieces with and waiting for room. */
  figures(): Figures
}

export interface Figures {
  requests: number
  waiting: number
  refused: number
  large: number
  waitingLarge: number
}

export interface TrafficLimits {
  /** Requests of one tenant under way. */
  requests: number
  waitMs: number
  /** Pieces of work with large answers, of all tenants. */
  large: number
  /** From one of them to the next of the same tenant, at least; twice as long as the last one took, up to eight times as long. */
  restMs: number
}

/** Half of what messages have slots for; other work has shares of its own slots (`share.ts`). */
const usual: TrafficLimits = { requests: 16, waitMs: 2000, large: 4, restMs: 250 }

/** In so many seconds some of those that are under way have their answer, or none. */
const againInSeconds = 10

export function createTraffic(limits: Partial<TrafficLimits> = {}): Traffic {
  const { requests, waitMs, large, restMs } = { ...usual, ...limits }
  const places = new Map<string, { taken: number; queue: ((isFree: boolean) => void)[] }>()
  let waiting = 0
  let refused = 0
  const rooms = createRooms(large, restMs)

  function leave(holder: string): void {
    const known = places.get(holder)
    if (!known) return
    const next = known.queue.shift()
    if (next) next(true)
    else known.taken--
    if (known.taken === 0) places.delete(holder)
  }

  return {
    async enter(holder) {
      const known = places.get(holder) ?? { taken: 0, queue: [] }
      places.set(holder, known)
      if (known.taken < requests) known.taken++
      else {
        waiting++
        const isFree = await new Promise<boolean>((resolve) => {
          known.queue.push(resolve)
          setTimeout(() => {
            known.queue = known.queue.filter((one) => one !== resolve)
            resolve(false)
          }, waitMs).unref()
        })
        waiting--
        if (!isFree) {
          refused++
          throw shopAway(againInSeconds, undefined, say('too_many_waiting', { requests }))
        }
      }
      let isHere = true
      return () => {
        if (isHere) leave(holder)
        isHere = false
      }
    },
    room: rooms.take,
    figures: () => ({
      requests: [...places.values()].reduce((sum, { taken }) => sum + taken, 0),
      waiting,
      refused,
      ...rooms.figures(),
    }),
  }
}

/**
 * One piece of work for each holder, and so many in all; the others in the order in which they came. Large answers that come one after the
 * other cost everybody the more the faster they come, refused or not: in between a holder rests.
 */
function createRooms(most: number, restMs: number) {
  const holders = new Map<string, PieceOfWork>()
  const resting = new Set<string>()
  const readAlone = createLine()
  let queue: { holder: string; piece: PieceOfWork; go: () => void }[] = []

  const isFree = (holder: string) => holders.size < most && !holders.has(holder) && !resting.has(holder)

  function give(holder: string, piece: PieceOfWork): void {
    const begun = performance.now()
    holders.set(holder, piece)
    piece.isHeavy = true
    piece.atEnd(() => {
      holders.delete(holder)
      rest(holder, Math.min(8 * restMs, Math.max(restMs, 2 * (performance.now() - begun))))
      admit()
    })
  }

  function rest(holder: string, forMs: number): void {
    if (forMs === 0) return
    resting.add(holder)
    setTimeout(() => {
      resting.delete(holder)
      admit()
    }, forMs).unref()
  }

  function admit(): void {
    for (const next of queue) {
      // What is over already gives its room back at once, and others are let in from there.
      if (!queue.includes(next)) continue
      const hasRoom = holders.get(next.holder) === next.piece
      if (!hasRoom && !isFree(next.holder)) continue
      queue = queue.filter((one) => one !== next)
      if (!hasRoom) give(next.holder, next.piece)
      next.go()
    }
  }

  async function takeRoom(holder: string): Promise<void> {
    const piece = currentPiece()
    if (!piece || holders.get(holder) === piece) return
    if (isFree(holder)) give(holder, piece)
    else await new Promise<void>((go) => queue.push({ holder, piece, go }))
  }

  return {
    async take(holder: string): Promise<() => void> {
      await takeRoom(holder)
      return await readAlone(holder)
    },
    figures: () => ({ large: holders.size, waitingLarge: queue.length }),
  }
}

/** One after the other, in the order in which they came. */
function createLine() {
  const last = new Map<string, Promise<void>>()
  return async (name: string): Promise<() => void> => {
    const before = last.get(name)
    const { promise, resolve } = Promise.withResolvers<void>()
    last.set(name, promise)
    await before
    return () => {
      if (last.get(name) === promise) last.delete(name)
      resolve()
    }
  }
}

/** Whether this piece of work has had a large answer: then it asks for nothing ahead. */
export const hasLargeAnswer = isHeavy
