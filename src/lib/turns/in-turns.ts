import { takeTurns } from './turns.ts'

/** So few are begun at once. */
const few = 8

/** Goes through a list that somebody else made, and lets others have their turn in between. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  const turns = takeTurns({ isBegun: items.length <= few })
  for (const item of items) {
    const rest = turns.yield()
    if (rest) await rest
    work(item)
  }
  await turns.yield()
}
