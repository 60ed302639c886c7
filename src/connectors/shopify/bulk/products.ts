import { type Fields, fieldsIn, textIn } from '../../../commerce/reading.ts'
import { ask } from '../ask.ts'
import { maxImages, shopBooks } from '../documents/products.ts'
import type { ShopifyShop } from '../settings.ts'
import type { BulkChunk } from './bulk.ts'

export async function productsIn(shop: ShopifyShop, records: BulkChunk['records']): Promise<readonly Fields[]> {
  if (records.length === 0) return []
  // A bulk result is one list and nothing beside it: what prices are in is asked for by itself.
  const currencyCode = textIn(fieldsIn(await ask(shop, shopBooks), 'shop'), 'currencyCode')
  return records.map(({ root, parts }) => ({ ...wholeProduct(root, parts), currencyCode }))
}

/** Variants and pictures stand below their product as one list, and are distinguished by their kinds. */
function wholeProduct({ __typename: _, ...product }: Fields, parts: readonly Fields[]): Fields {
  const isVariant = ({ __typename: kind }: Fields) => kind === 'ProductVariant'
  const bare = ({ __typename: __, ...part }: Fields): Fields => part
  const pictures = parts.filter((part) => !isVariant(part)).slice(0, maxImages)
  return {
    ...product,
    media: { nodes: pictures.map(({ preview }) => ({ preview })) },
    variants: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: parts.filter(isVariant).map(bare) },
  }
}
