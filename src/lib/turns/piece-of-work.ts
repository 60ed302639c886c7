import { AsyncLocalStorage } from 'node:async_hooks'

/** Something that has an end, such as a request or a job; what it holds until then is given back whatever becomes of it. */
export interface PieceOfWork {
  /** It does so much that it has to leave most of the time to others (`turns.ts`). */
  isHeavy: boolean
  /** The caller for whom it is done; null where nobody asked. */
  readonly whose: string | null
  readonly isOver: boolean
  /** At once, if it is over already. */
  atEnd(release: () => void): void
}

const pieces = new AsyncLocalStorage<PieceOfWork>()

/** How many are under way, and when the last one ended. */
let underWay = 0
let lastEndAt = Number.NEGATIVE_INFINITY

/** Who asks for something comes again: for so long after the last piece of work of others, this process is not alone. */
const companyMs = 1000

/** Whether anybody else is at work in this process, or was just now. Nobody gains by the rest of one who is alone. */
export const hasCompany = (): boolean => underWay > 1 || performance.now() - lastEndAt < companyMs

/** Whatever is called in `work` belongs to the same piece, unless it is a part of another already. */
export async function asPiece<T>(work: () => Promise<T>, whose: string | null = null): Promise<T> {
  if (pieces.getStore()) return await work()
  const releases: (() => void)[] = []
  let isOver = false
  const piece: PieceOfWork = {
    isHeavy: false,
    whose,
    get isOver() {
      return isOver
    },
    atEnd(release) {
      if (isOver) release()
      else releases.push(release)
    },
  }
  underWay++
  try {
    return await pieces.run(piece, work)
  } finally {
    underWay--
    lastEndAt = performance.now()
    isOver = true
    for (const release of releases) release()
  }
}

/** Whether this piece of work has so much to do that it takes turns. */
export const isHeavy = (): boolean => pieces.getStore()?.isHeavy ?? false

/** What is done for several at once belongs to none of them. */
export const asNobodys = <T>(work: () => T): T => pieces.exit(work)

export const currentPiece = (): PieceOfWork | undefined => pieces.getStore()
