import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { type Fields, fieldsOf, textIn } from '../../commerce/reading.ts'
import { refusalReason } from '../../commerce/remote.ts'
import { codeOf, dataOf, isId } from './ask.ts'
import { listListings } from './listings.ts'
import type { Credentials, Settings, TikTokShop } from './settings.ts'
import { toProduct } from './translate-product.ts'

export const products: Products<Settings, Credentials> = { list: listProducts, get: getProduct, translate: toProduct }

/** Lists tell neither words nor pictures, nor by what variants differ: each product is asked for. */
async function listProducts(shop: TikTokShop, query: ReadQuery): Promise<RawPage> {
  const page = await listListings(shop, query)
  const items: Fields[] = []
  for (const listed of page.items) {
    const whole = await wholeOf(shop, listed)
    if (whole !== null) items.push(whole)
  }
  return { ...page, items }
}

/** What TikTok has frozen, or refuses to tell more of, is as it was listed: one product does not keep out the others. */
async function wholeOf(shop: TikTokShop, listed: Fields): Promise<Fields | null> {
  if (listed['status'] === 'FREEZE') return listed
  let found: Fields | null = null
  const refusal = await refusalReason(async () => {
    found = await getProduct(shop, textIn(listed, 'id'))
  })
  return refusal === null ? found : listed
}

const noSuchProduct: readonly number[] = [12_052_031, 12_052_032, 12_052_048]

async function getProduct({ remote }: TikTokShop, id: string): Promise<Fields | null> {
  if (!isId(id)) return null
  const answer = await remote.request({ method: 'GET', path: `/product/202309/products/${id}` })
  if (answer.status < 500 && noSuchProduct.includes(codeOf(fieldsOf(answer.body)))) return null
  return dataOf(answer)
}
