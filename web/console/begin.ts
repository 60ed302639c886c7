import { expectOverview } from './pages/overview-data.ts'
import { root } from './router.ts'
import { type Me, readMe } from './session.ts'

/**
 * What the console begins with. Asked before the rest of it is even read: who is signed in and, where somebody was and comes to the first page, what that shows. The
 * rest is on its way at the same time, but takes a slow processor a while: whatever is imported here makes people wait.
 */

/** Left by whoever was signed in when the console was last open. */
export const signedIn = 'entrepot.signed-in'

if (localStorage.getItem(signedIn) !== null && location.pathname.replace(/\/$/, '') === root)
  expectOverview(new URLSearchParams(location.search))

let first: Promise<Me | null> | null = readMe()
// Whoever waits for it hears of it.
first.catch(() => undefined)

/** The answer that was asked for at the very beginning, once; from then on a new one. */
export function whoIsHere(): Promise<Me | null> {
  const begun = first
  first = null
  return begun ?? readMe()
}

void import('./main.ts')
