import type { Db } from '../../runtime/db/connection.ts'
import { type Article, partsOf } from './articles/article-store.ts'
import { type Link, linksOfArticles } from './articles/link-store.ts'
import { balancesOf, type Standing, sumOf } from './ledger-store.ts'
import type { Part } from './stock.ts'

export interface ArticleStock {
  standing: Standing
  parts: readonly Part[]
  links: readonly Link[]
}

/** Articles with what is there and what shops show of them, in three statements however many they are. */
export async function stockOf(db: Db, articles: readonly Article[]): Promise<Map<number, ArticleStock>> {
  const ids = articles.map(({ id }) => id)
  const parts = await partsOf(db, ids)
  const needed = [...new Set([...ids, ...[...parts.values()].flat().map((part) => part.article_id)])]
  const balances = await balancesOf(db, needed)
  const links = await linksOfArticles(db, ids)
  const standingOf = (id: number) => sumOf(balances.filter((one) => one.article_id === id))
  return new Map(
    ids.map((id) => {
      const own = parts.get(id) ?? []
      return [
        id,
        {
          standing: own.length === 0 ? standingOf(id) : togetherOf(own, standingOf),
          parts: own,
          links: links.filter((link) => link.article_id === id),
        },
      ]
    }),
  )
}

/** How many bundles can be put together. Nothing is reserved of a bundle: its parts are. */
function togetherOf(parts: readonly Part[], standingOf: (id: number) => Standing): Standing {
  const least = (figure: 'on_hand' | 'available') =>
    Math.min(...parts.map((part) => Math.floor(standingOf(part.article_id)[figure] / part.quantity)))
  const [onHand, available] = [least('on_hand'), least('available')]
  return { on_hand: onHand, reserved: onHand - available, available }
}
