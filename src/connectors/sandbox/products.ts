import type { Products } from '../../commerce/connector/parts.ts'
import { readOne, readPage, write } from './pages.ts'
import type { Credentials, Settings } from './settings.ts'
import { toProduct } from './translate-product.ts'

export const products: Products<Settings, Credentials> = {
  list: readPage('/products'),
  get: readOne('/products'),
  translate: toProduct,
  takes: ['images'],
  export: {
    repeatable: true,
    send: async (shop, draft, operation) => toProduct(await write(shop, 'PUT', '/products', draft, operation)),
  },
}
