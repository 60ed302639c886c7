import type { Db } from '../../../runtime/db/connection.ts'
import type { PoolShop } from '../stock.ts'
import { variantsOf } from './catalogue-store.ts'
import { endLinks, linkedVariants, relocateLinks } from './link-store.ts'
import { placeFor, variantKey } from './match.ts'

/**
 * Another location of the shop is to be told. Links go along where the shop stocks the variant there, as if they were new: nothing is known to have
 * been told. The others end, and are conflicts until somebody says what is meant. Where a person named a location of its own, that stays.
 */
export async function moveLinks(trx: Db, shop: PoolShop, before: string | null): Promise<void> {
  const links = await linkedVariants(trx, shop.integration_id)
  const isOwn = (link: (typeof links)[number]) =>
    (link.made_by === 'hand' || link.made_by === 'file') && link.location !== (before ?? '')
  const meant = links.filter((link) => !isOwn(link) && link.location !== shop.location)
  if (meant.length === 0) return
  const variants = new Map((await variantsOf(trx, shop.integration_id)).map((one) => [variantKey(one), one]))
  const ended: number[] = []
  const moved: { id: number; location: string; shows: number | null }[] = []
  for (const link of meant) {
    const variant = variants.get(variantKey(link))
    const location = variant ? placeFor(variant, shop.location) : null
    if (variant === undefined || location === null) ended.push(link.id)
    else if (location !== link.location) {
      const shows = variant.levels.find((level) => level.location === location)?.quantity ?? null
      moved.push({ id: link.id, location, shows })
    }
  }
  await endLinks(trx, shop.integration_id, ended)
  await relocateLinks(trx, shop.integration_id, moved)
}
