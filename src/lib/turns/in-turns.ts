import { takeTurns } from './turns.ts'

/** Goes through a list that somebody else made, and lets others have their turn in between. */
export async function inTurns<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  const turns = takeTurns()
  for (const item of items) {
    work(item)
    const rest = turns.yield()
    if (rest) await rest
  }
}
