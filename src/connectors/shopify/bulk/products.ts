import type { RawPage } from '../../../commerce/connector.ts'
import { type Fields, fieldsIn, textIn } from '../../../commerce/reading.ts'
import { ask } from '../ask.ts'
import { maxImages, shopBooks } from '../documents/products.ts'
import type { ShopifyShop } from '../settings.ts'
import { readBulk } from './bulk.ts'
import { type BulkPlace, cursorOf, fromTheBeginning } from './cursor.ts'

/** A page of products out of a bulk result. Where none has come of it, the products are read page by page instead. */
export async function bulkPage(shop: ShopifyShop, place: BulkPlace, limit: number): Promise<RawPage> {
  const chunk = await readBulk(shop, place, limit)
  if (chunk === null) return { items: [], next: cursorOf(fromTheBeginning), total: null }
  // A bulk result is one list and nothing beside it: what prices are in is asked for by itself.
  const currencyCode =
    chunk.records.length === 0 ? '' : textIn(fieldsIn(await ask(shop, shopBooks), 'shop'), 'currencyCode')
  return {
    items: chunk.records.map(({ root, parts }) => ({ ...wholeProduct(root, parts), currencyCode })),
    next: chunk.next === null ? null : cursorOf({ ...place, offset: chunk.next }),
    total: null,
  }
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
