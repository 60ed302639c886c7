import type { Db } from '../../runtime/db/connection.ts'
import { announceStock } from '../levels/stock-mark-store.ts'
import { bundlesWith, partsOf } from './articles/article-store.ts'
import { articlesBelow, type Link, lockLinks, setTargets, type Target } from './articles/link-store.ts'
import { deal, type Hand } from './deal.ts'
import { balancesOf } from './ledger-store.ts'
import { readPool, rulesOf } from './pool-store.ts'
import {
  checkAfterSeconds,
  confirmAfterSeconds,
  everything,
  type PoolShop,
  quantityOf,
  type Rule,
  scarce,
  wholeIn,
} from './stock.ts'

/** What there is plenty of waits a moment, and is told once for all that happens meanwhile. */
const plentyWaitsSeconds = 0.5

type LinkWithRule = Link & { rule: PoolShop }

/** Whoever means all articles of a shop holds the pool. */
type Meant = { articleIds: readonly number[] } | { integrationId: number }

/**
 * What shops are to show of these articles, and of bundles with them, after something was booked or a rule was changed: one row for each link, in
 * which the last value stands. Part of the transaction that made the change, after it.
 */
export async function aimAt(trx: Db, poolId: number, of: Meant): Promise<void> {
  const held = await lockLinks(trx, poolId, await meant(trx, poolId, of))
  // Only now: whoever changed the pool or a rule had the links before us, and would be undone by what was read earlier.
  const { deal_below: below } = await readPool(trx, poolId)
  const rules = await rulesOf(trx, [...new Set(held.map((link) => link.integration_id))])
  const links = held.flatMap((link): LinkWithRule[] => {
    const rule = rules.get(link.integration_id)
    return rule ? [{ ...link, rule }] : []
  })
  const targets = await targetsOf(trx, links, below)
  await setTargets(trx, targets.filter(isNews(links)))
  const due = new Set(targets.filter(({ due_in: dueIn }) => dueIn !== null).map(({ id }) => id))
  for (const shop of new Set(links.filter(({ id }) => due.has(id)).map((link) => link.integration_id)))
    await announceStock(trx, 'tell', shop)
}

/**
 * Whoever changes what shops show of articles, or what is there of them, waits here for others who do, before anything else of them is locked: always the links first, in their order,
 * then the ledger. Two shops that sell the same article at the same moment would else wait for each other.
 */
export async function holdArticles(trx: Db, poolId: number, articleIds: readonly number[]): Promise<void> {
  if (articleIds.length > 0) await lockLinks(trx, poolId, await meant(trx, poolId, { articleIds }))
}

/** Bundles with the articles; where a shop is meant, the others as well with which it shares the last pieces. */
async function meant(trx: Db, poolId: number, of: Meant) {
  if ('articleIds' in of)
    return { articleIds: [...new Set([...of.articleIds, ...(await bundlesWith(trx, of.articleIds))])] }
  const { deal_below: below } = await readPool(trx, poolId)
  return { ...of, articleIds: below === 0 ? [] : await articlesBelow(trx, of.integrationId, below) }
}

/** What the links should show by what is available at this moment; fewer than `below` are dealt out. */
async function targetsOf(db: Db, links: readonly LinkWithRule[], below: number): Promise<Target[]> {
  const articles = [...new Set(links.map((link) => link.article_id))]
  const parts = await partsOf(db, articles)
  const partsIn = (id: number) => parts.get(id) ?? [{ article_id: id, quantity: 1 }]
  const available = new Map<number, number>()
  for (const one of await balancesOf(db, [...new Set(articles.flatMap(partsIn).map((part) => part.article_id))]))
    available.set(one.article_id, (available.get(one.article_id) ?? 0) + one.available)
  const byRule = (link: LinkWithRule, rule: Rule = link.rule) =>
    quantityOf(partsIn(link.article_id), (id) => available.get(id) ?? 0, rule)
  const dealt = dealtOut(links, below, byRule)
  return links.map((link) => {
    const wanted = dealt.get(link.id) ?? byRule(link)
    // What was put off after a failure stays so, unless there is something else to say.
    const isNew = wanted !== link.wanted
    return { id: link.id, wanted, shows: link.shows, due_in: dueIn(link, wanted), is_new: isNew }
  })
}

/** Seconds until the shop is told, or looked at; null where there is nothing to tell it. */
function dueIn(
  { shows, doubt, accepted_at: accepted, confirmed_at: confirmed, due_at: due }: Link,
  wanted: number | null,
) {
  if (wanted === null) return null
  if (wanted !== shows) return Math.min(wanted, shows ?? 0) < scarce ? 0 : plentyWaitsSeconds
  if (doubt) return checkAfterSeconds
  const isUnconfirmed = accepted !== null && confirmed === null && due !== null
  return isUnconfirmed ? confirmAfterSeconds : null
}

/** Of articles of which little is left: what each link is to show, by the rule of its shop and as its part of the last pieces. */
function dealtOut(
  links: readonly LinkWithRule[],
  below: number,
  byRule: (link: LinkWithRule, rule?: Rule) => number | null,
): Map<number, number> {
  const parts = new Map<number, number>()
  if (below === 0) return parts
  for (const ofArticle of Map.groupBy(links, (link) => link.article_id).values()) {
    const [first] = ofArticle
    const available = (first && byRule(first, everything)) ?? 0
    if (available >= below) continue
    const hands = ofArticle.flatMap((link): Hand[] => {
      const most = byRule(link)
      const { id, shows, seen, doubt, rule } = link
      const exposed = shows === null || doubt ? null : Math.max(0, shows, seen ?? 0)
      const offers = Math.max(0, shows ?? link.wanted ?? 0)
      return most === null ? [] : [{ id, most, weight: rule.share_percent, offers, exposed }]
    })
    const dealt = deal(available, hands)
    for (const { id, rule } of ofArticle) {
      const part = dealt.get(id)
      if (part !== undefined) parts.set(id, wholeIn(part, rule))
    }
  }
  return parts
}

const isNews = (links: readonly LinkWithRule[]) => {
  const held = new Map(links.map((link) => [link.id, link]))
  return ({ id, wanted, due_in: dueIn, is_new: isNew }: Target): boolean => {
    const link = held.get(id)
    return isNew || link?.wanted !== wanted || (link?.due_at === null) !== (dueIn === null)
  }
}
