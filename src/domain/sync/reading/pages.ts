import { hasLargeAnswer } from '../../shop/shares/traffic.ts'
import type { FetchedPage } from './fetch-page.ts'

/** Pages of the shop in their order. One person takes them. */
export interface Pages {
  /** Whether there is one to take. */
  readonly coming: boolean
  take(): Promise<FetchedPage>
}

/**
 * The page after the one that is taken is asked for at once, so that the shop works on it while we translate: one page
 * ahead and no more, and none once the turn is over, or where pages are so large that one of them is enough to hold.
 */
export function pagesFrom(
  first: Promise<FetchedPage>,
  read: (next: string) => Promise<FetchedPage>,
  turn: { pages: number },
): Pages {
  let coming: Promise<FetchedPage> | null = null
  const expect = (page: Promise<FetchedPage> | null) => {
    coming = page
    // It is waited for later; until then its failure is nobody's.
    page?.catch(() => undefined)
  }
  expect(first)
  return {
    get coming() {
      return coming !== null
    },
    async take() {
      if (!coming) throw new Error('There is no page left.')
      const page = await coming.finally(() => expect(null))
      if (page.next !== null && !hasLargeAnswer() && turn.pages-- > 0) expect(read(page.next))
      return page
    },
  }
}
