import type pg from 'pg'
import { unavailable } from '../../../lib/fault.ts'
import { currentPiece, type PieceOfWork } from '../../../lib/turns/piece-of-work.ts'
import type { Connections } from './ready-connections.ts'

interface Caller {
  /** With those that are promised. */
  held: number
  waiting: Set<() => void>
}

/**
 * So many connections are held for one caller at once, and no more: whoever asks for much, or for what takes long, waits for himself, and the rest
 * are there for others. A piece of work that holds one has a further one at once, since it may not give back the first without it.
 */
export function fairConnections(
  pool: pg.Pool,
  connections: Connections,
  { share, patienceMs }: { share: number; patienceMs: number },
): Connections {
  const callers = new Map<string, Caller>()
  const heldBy = new WeakMap<PieceOfWork, number>()
  const holders = new WeakMap<pg.PoolClient, { piece: PieceOfWork; whose: string }>()

  const count = (piece: PieceOfWork, by: 1 | -1) => heldBy.set(piece, (heldBy.get(piece) ?? 0) + by)

  async function enter(piece: PieceOfWork, whose: string): Promise<void> {
    const caller = callers.get(whose) ?? { held: 0, waiting: new Set() }
    callers.set(whose, caller)
    const holdsOne = (heldBy.get(piece) ?? 0) > 0
    if (caller.held < share || holdsOne) caller.held++
    else await turnOf(caller, patienceMs)
    count(piece, 1)
  }

  function leave(piece: PieceOfWork, whose: string): void {
    count(piece, -1)
    const caller = callers.get(whose)
    if (!caller) return
    const [next] = caller.held > share ? [] : caller.waiting
    if (next) next()
    else caller.held--
    if (caller.held === 0) callers.delete(whose)
  }

  pool.on('release', (_error, client) => {
    const holder = holders.get(client)
    if (!holder) return
    holders.delete(client)
    leave(holder.piece, holder.whose)
  })

  return {
    async take() {
      const piece = currentPiece()
      // What is still done when it is over is done for everybody, such as saying what has changed.
      if (!piece || piece.isOver || piece.whose === null) return await connections.take()
      const { whose } = piece
      await enter(piece, whose)
      try {
        const client = await connections.take()
        holders.set(client, { piece, whose })
        return client
      } catch (error) {
        leave(piece, whose)
        throw error
      }
    },
  }
}

/** Until somebody leaves whose place it gets, in the order of coming. */
function turnOf({ waiting }: Caller, patienceMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const go = () => {
    clearTimeout(timer)
    waiting.delete(go)
    resolve()
  }
  const timer = setTimeout(() => {
    waiting.delete(go)
    reject(unavailable())
  }, patienceMs)
  waiting.add(go)
  return promise
}
