import { portionsOf } from '../../../lib/foreign/portions.ts'
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
 * ahead and no more, and none once the turn is over, or where pages are so large that one of them is enough to hold. Such a
 * page comes in parts, so that what is made of one is gone before the next.
 */
export function pagesFrom(
  first: Promise<FetchedPage>,
  read: (next: string) => Promise<FetchedPage>,
  turn: { pages: number },
): Pages {
  let coming: Promise<FetchedPage> | null = null
  let parts: FetchedPage[] = []
  const expect = (page: Promise<FetchedPage> | null) => {
    coming = page
    // It is waited for later; until then its failure is nobody's.
    page?.catch(() => undefined)
  }
  expect(first)
  return {
    get coming() {
      return parts.length > 0 || coming !== null
    },
    async take() {
      const begun = parts.shift()
      if (begun) return begun
      if (!coming) throw new Error('There is no page left.')
      const page = await coming.finally(() => expect(null))
      if (!hasLargeAnswer()) {
        if (page.next !== null && turn.pages-- > 0) expect(read(page.next))
        return page
      }
      const [part = page, ...others] = await partsOf(page)
      parts = others
      return part
    },
  }
}

/** What the page says as a whole is said with its last part. */
async function partsOf(page: FetchedPage): Promise<FetchedPage[]> {
  const portions = await portionsOf(page.raws)
  return portions.map((raws, n) =>
    n === portions.length - 1
      ? { ...page, raws }
      : { raws, seen: [], next: null, total: page.total, count: {}, isPart: true },
  )
}
