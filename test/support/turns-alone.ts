import { asPiece, currentPiece } from '../../src/lib/turns/piece-of-work.ts'
import { takeTurns } from '../../src/lib/turns/turns.ts'
import { standStill } from './stand-still.ts'

/** A process of its own, in which nothing of other tests is under way: says how often others could go on while heavy work let them. */
async function turnsOfOthers(): Promise<number> {
  const piece = currentPiece()
  if (!piece) throw new Error('Not a piece of work.')
  piece.isHeavy = true
  const turns = takeTurns({ isBegun: true })
  standStill(50)
  let isOver = false
  let count = 0
  const loop = () => {
    count++
    if (!isOver) setImmediate(loop)
  }
  setImmediate(loop)
  await turns.yield()
  isOver = true
  return count
}

const alone = await asPiece(turnsOfOthers)
const company = Promise.withResolvers<void>()
const others = asPiece(() => company.promise)
const beside = await asPiece(turnsOfOthers)
company.resolve()
await others
// Who asked for something just now will ask again.
const afterwards = await asPiece(turnsOfOthers)
process.stdout.write(JSON.stringify({ alone, beside, afterwards }))
