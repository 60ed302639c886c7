import type { Products } from '../../commerce/connector/parts.ts'
import type { RawPage, ReadQuery } from '../../commerce/connector/reads.ts'
import { onceForShop } from '../../commerce/once-for-shop.ts'
import { type Fields, fieldsOf, idIn } from '../../commerce/reading.ts'
import { refused } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { exportProduct } from './changes/export-product.ts'
import { exportVariations } from './changes/export-variations.ts'
import { findOne, listAll, listChanged, readSetting } from './pages.ts'
import { type Credentials, productsPath, root, type Settings, type WooShop } from './settings.ts'
import { type Measures, toProduct } from './translate-product.ts'

export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: getProduct,
  translate: toProduct,
  export: {
    repeatable: true,
    async send(shop, draft) {
      const { currency } = await readMeasures(shop)
      if (draft.currency !== currency) throw refused(say('prices_in', { currency }))
      const id = draft.variants ? await exportVariations(shop, draft) : await exportProduct(shop, draft)
      return toProduct(await getProduct(shop, id))
    },
  },
  takes: ['images', 'variants'],
}

const readMeasures = onceForShop(
  async (shop: WooShop): Promise<Measures> => ({
    currency: await readSetting(shop, `${root}/settings/general/woocommerce_currency`),
    weightUnit: await readSetting(shop, `${root}/settings/products/woocommerce_weight_unit`),
  }),
)

/** A product of several variants names only their ids; they are asked for product by product. */
async function complete(shop: WooShop, product: Fields, measures: Measures): Promise<Fields> {
  const path = `${productsPath}/${idIn(product, 'id')}/variations`
  return { ...product, measures, variants: product['type'] === 'variable' ? await listAll(shop, path) : [] }
}

async function getProduct(shop: WooShop, remoteId: string): Promise<Fields | null> {
  const found = await findOne(shop, productsPath, remoteId)
  // By its own path a variation is found here too, but it is no product.
  if (found === null || found['type'] === 'variation') return null
  return await complete(shop, found, await readMeasures(shop))
}

async function listProducts(shop: WooShop, query: ReadQuery): Promise<RawPage> {
  // Few at a time: some of them cost a request of their own.
  const page = await listChanged(shop, productsPath, { ...query, limit: Math.min(query.limit, 50) })
  if (page.items.length === 0) return page
  const measures = await readMeasures(shop)
  const items: Fields[] = []
  for (const product of page.items) items.push(await complete(shop, fieldsOf(product), measures))
  return { ...page, items }
}
