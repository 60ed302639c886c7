import type { Products } from '../../commerce/connector/parts.ts'
import type { Credentials, Settings } from './settings.ts'
import { toProduct } from './translate-product.ts'
import { getProduct, listProducts } from './variations.ts'

/** What a product of each kind must state is a form of its own at Amazon: listings are made there, not from here. */
export const products: Products<Settings, Credentials> = {
  list: listProducts,
  get: getProduct,
  translate: toProduct,
}
