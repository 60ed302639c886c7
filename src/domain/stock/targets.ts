import type { Db } from '../../runtime/db/connection.ts'
import { announceStock } from '../levels/stock-mark-store.ts'
import { bundlesWith, partsOf } from './articles/article-store.ts'
import { type LinkWithRule, lockLinks, setTargets, type Target } from './articles/link-store.ts'
import { balancesOf } from './ledger-store.ts'
import { checkAfterSeconds, quantityOf, scarce } from './stock.ts'

/** What there is plenty of waits a moment, and is told once for all that happens meanwhile. */
const plentyWaitsSeconds = 0.5

/**
 * What shops are to show of these articles, and of bundles with them, after something was booked or a rule was changed: one row for each link, in
 * which the last value stands. Part of the transaction that made the change, after it.
 */
export async function aimAt(
  trx: Db,
  poolId: number,
  of: { articleIds: readonly number[] } | { integrationId: number },
): Promise<void> {
  const which =
    'articleIds' in of
      ? { articleIds: [...new Set([...of.articleIds, ...(await bundlesWith(trx, of.articleIds))])] }
      : of
  const links = await lockLinks(trx, poolId, which)
  const targets = await targetsOf(trx, links)
  await setTargets(trx, targets.filter(isNews(links)))
  const due = new Set(targets.filter(({ due_in: dueIn }) => dueIn !== null).map(({ id }) => id))
  for (const shop of new Set(links.filter(({ id }) => due.has(id)).map((link) => link.integration_id)))
    await announceStock(trx, 'tell', shop)
}

/** What the links should show by what is available at this moment. */
export async function targetsOf(db: Db, links: readonly LinkWithRule[]): Promise<Target[]> {
  const articles = [...new Set(links.map((link) => link.article_id))]
  const parts = await partsOf(db, articles)
  const partsIn = (id: number) => parts.get(id) ?? [{ article_id: id, quantity: 1 }]
  const available = new Map<number, number>()
  for (const one of await balancesOf(db, [...new Set(articles.flatMap(partsIn).map((part) => part.article_id))]))
    available.set(one.article_id, (available.get(one.article_id) ?? 0) + one.available)
  return links.map((link) => {
    const wanted = quantityOf(partsIn(link.article_id), (id) => available.get(id) ?? 0, link.rule)
    const differs = wanted !== null && wanted !== link.shows
    const isScarce = wanted !== null && Math.min(wanted, link.shows ?? 0) < scarce
    const isNew = wanted !== link.wanted
    // What was put off after a failure stays so, unless there is something else to say.
    const dueIn = differs
      ? isScarce
        ? 0
        : plentyWaitsSeconds
      : link.doubt && wanted !== null
        ? checkAfterSeconds
        : null
    return { id: link.id, wanted, shows: link.shows, due_in: dueIn, is_new: isNew }
  })
}

const isNews = (links: readonly LinkWithRule[]) => {
  const held = new Map(links.map((link) => [link.id, link]))
  return ({ id, wanted, due_in: dueIn, is_new: isNew }: Target): boolean => {
    const link = held.get(id)
    return isNew || link?.wanted !== wanted || (link?.due_at === null) !== (dueIn === null)
  }
}
