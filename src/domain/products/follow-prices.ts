import { comparedTo, type PriceSetting } from '../../commerce/changes/price.ts'
import { decimal } from '../../commerce/decimal.ts'
import { digitsOf } from '../../commerce/money.ts'
import type { Variant } from '../../commerce/product.ts'
import type { Db } from '../../runtime/db/connection.ts'
import { repriceProducts, soldAs } from './product-store.ts'

/** A price that the shop has taken, and the product that it is of, where the shop said so. */
type TakenPrice = PriceSetting & { productId: string | null }

/** Our copy shows what was set. What we do not hold, or cannot find by product or SKU, comes with the next read. */
export async function followPrices(trx: Db, integrationId: number, taken: readonly TakenPrice[]): Promise<void> {
  if (taken.length === 0) return
  const products = await soldAs(trx, integrationId, {
    remoteIds: taken.flatMap(({ productId }) => productId ?? []),
    skus: taken.flatMap(({ sku, productId }) => (productId === null && sku ? [sku] : [])),
  })
  await repriceProducts(
    trx,
    integrationId,
    products.flatMap(({ id, variants }) => {
      const priced = variants.map((variant) => taken.filter((one) => isMeant(one, variant)).reduce(withPrice, variant))
      const [first] = priced
      if (!first?.price || priced.every((one, n) => one === variants[n])) return []
      return [{ id, variants: priced, price: first.price.amount, currency: first.price.currency }]
    }),
  )
}

const isMeant = ({ sku, variant_remote_id: id }: TakenPrice, variant: Variant): boolean =>
  id ? variant.remote_id === id : variant.sku === sku

function withPrice(variant: Variant, setting: TakenPrice): Variant {
  const { currency } = setting
  const money = (amount: string) => ({ amount: decimal(amount, digitsOf(currency)), currency })
  const before = comparedTo(setting, variant.compare_at_price?.amount ?? null)
  return { ...variant, price: money(setting.price), compare_at_price: before === null ? null : money(before) }
}
