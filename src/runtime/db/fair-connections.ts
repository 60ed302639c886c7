import type pg from 'pg'
import { currentPiece, type PieceOfWork } from '../../lib/turns/piece-of-work.ts'

interface Waiting {
  piece: PieceOfWork
  go(isFree: boolean): void
}

interface Holding {
  /** Pieces of work that have connections, and how many. */
  pieces: Map<PieceOfWork, number>
  queue: Waiting[]
}

/**
 * Requests of one caller hold connections for so many at once; more of them wait, without one. Statements of one tenant may wait for each other, such as
 * for the row that says whose turn is next: whoever sends twenty such requests together would else have all connections, and everybody else none. A
 * request that holds one is given others, so that none waits for itself.
 */
export function fairConnections(most: number, waitMs: number): () => Promise<() => void> {
  const owners = new Map<string, Holding>()

  const take = ({ pieces }: Holding, piece: PieceOfWork) => void pieces.set(piece, (pieces.get(piece) ?? 0) + 1)

  /** The first that waits, and whatever else waits for the same request. */
  function admitNext(known: Holding): void {
    const [first] = known.queue
    const next = known.queue.filter(({ piece }) => piece === first?.piece)
    known.queue = known.queue.filter((one) => !next.includes(one))
    for (const { piece, go } of next) {
      take(known, piece)
      go(true)
    }
  }

  function leave(owner: string, known: Holding, piece: PieceOfWork): void {
    const left = (known.pieces.get(piece) ?? 1) - 1
    if (left > 0) return void known.pieces.set(piece, left)
    known.pieces.delete(piece)
    admitNext(known)
    if (known.pieces.size === 0) owners.delete(owner)
  }

  async function enter(owner: string, piece: PieceOfWork): Promise<() => void> {
    const known = owners.get(owner) ?? { pieces: new Map(), queue: [] }
    owners.set(owner, known)
    if (known.pieces.has(piece) || known.pieces.size < most) take(known, piece)
    else if (!(await waitIn(known, piece))) throw new Error('timeout exceeded when trying to connect')
    return () => leave(owner, known, piece)
  }

  /** Whoever waits for too long is told what a pool says that has none left. */
  const waitIn = (known: Holding, piece: PieceOfWork) =>
    new Promise<boolean>((go) => {
      const waiting = { piece, go }
      known.queue.push(waiting)
      setTimeout(() => {
        known.queue = known.queue.filter((one) => one !== waiting)
        go(false)
      }, waitMs).unref()
    })

  return async () => {
    const piece = currentPiece()
    return piece?.owner ? await enter(piece.owner, piece) : free
  }
}

const free = () => undefined

/** A connection, and how it is given back. */
export type Connect = () => Promise<{ client: pg.PoolClient; release(broken: boolean): void }>

/** A quarter of the connections is for others than whoever holds most. */
const forOthers = (max: number) => Math.max(1, Math.floor(max / 4))

export function connectFairly(pool: pg.Pool, waitMs: number): Connect {
  const enter = fairConnections(Math.max(1, pool.options.max - forOthers(pool.options.max)), waitMs)
  return async () => {
    const leave = await enter()
    try {
      const client = await pool.connect()
      return {
        client,
        release(broken) {
          client.release(broken)
          leave()
        },
      }
    } catch (error) {
      leave()
      throw error
    }
  }
}
