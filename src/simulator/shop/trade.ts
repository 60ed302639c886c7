import type { Moment } from '../clock.ts'
import { draws, mix } from '../random.ts'
import { changeOrder } from './change-shop.ts'
import type { OrderBook } from './order-book.ts'
import type { Story } from './story.ts'

/** A shop that has gone on for so long, some days, stands still: it must not grow without end. */
const maxHappenings = 8_000

/**
 * Lets happen what is due by now. What and when follows from the seed alone, so that a shop that was closed goes on as if it
 * had not been, in every process that has it.
 */
export function createTrade(book: OrderBook, seed: number, { openedAt, everySeconds }: Story) {
  let done = 0
  return (now: Moment): void => {
    const every = everySeconds * 1_000_000
    const due = every === 0 ? 0 : Math.min(maxHappenings, Math.floor((now - openedAt) / every))
    for (; done < due; done++) {
      const dice = draws(mix(mix(seed, 5_000_011), done))
      const at = openedAt + (done + 1) * every
      if (dice.chance(0.55)) book.add(undefined, dice.chance(0.85) ? 'paid' : 'unpaid', at)
      else changeOrder(book, Math.max(0, book.size() - 1 - dice.below(40)), dice, at)
    }
  }
}
