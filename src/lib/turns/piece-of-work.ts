import { AsyncLocalStorage } from 'node:async_hooks'

/** Something that has an end, such as a request or a job; what it holds until then is given back whatever becomes of it. */
export interface PieceOfWork {
  /** It does so much that it has to leave most of the time to others (`turns.ts`). */
  isHeavy: boolean
  readonly isOver: boolean
  /** At once, if it is over already. */
  atEnd(release: () => void): void
}

const pieces = new AsyncLocalStorage<PieceOfWork>()

/** Whatever is called in `work` belongs to the same piece, unless it is a part of another already. */
export async function asPiece<T>(work: () => Promise<T>): Promise<T> {
  if (pieces.getStore()) return await work()
  const releases: (() => void)[] = []
  let isOver = false
  const piece: PieceOfWork = {
    isHeavy: false,
    get isOver() {
      return isOver
    },
    atEnd(release) {
      if (isOver) release()
      else releases.push(release)
    },
  }
  try {
    return await pieces.run(piece, work)
  } finally {
    isOver = true
    for (const release of releases) release()
  }
}

/** Whether this piece of work has so much to do that it takes turns. */
export const isHeavy = (): boolean => pieces.getStore()?.isHeavy ?? false

export const currentPiece = (): PieceOfWork | undefined => pieces.getStore()
