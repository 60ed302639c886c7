import type { ProductDraft } from '../../../commerce/product.ts'
import { type Fields, idIn, maybeText } from '../../../commerce/reading.ts'
import { ask, askPage } from '../ask.ts'
import type { BigShop } from '../settings.ts'

type Images = NonNullable<ProductDraft['images']>

/**
 * The pictures of a product that is there. The platform fetches and keeps them under names of its own, which begin as
 * theirs did: where all are there by name, in this order, nothing is sent. Otherwise the new ones come before the old ones go.
 */
export async function setImages(shop: BigShop, productId: string, images: Images): Promise<void> {
  const path = `/v3/catalog/products/${productId}/images`
  const { rows } = await askPage(shop, path, { limit: 250 })
  const there = rows.toSorted((a, b) => Number(a['sort_order'] ?? 0) - Number(b['sort_order'] ?? 0))
  if (there.length === images.length && images.every((image, n) => isOf(there[n] ?? {}, image))) return
  for (const [n, { url, alt }] of images.entries()) {
    const body = { image_url: url, description: alt ?? '', sort_order: n, is_thumbnail: n === 0 }
    await ask(shop, { method: 'POST', path, body, repeatable: true })
  }
  for (const image of there)
    await ask(shop, { method: 'DELETE', path: `${path}/${idIn(image, 'id')}`, repeatable: true })
}

const fileIn = (path: string): string => path.split(/[?#]/)[0]?.split('/').at(-1) ?? ''

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

function isOf(image: Fields, { url, alt }: Images[number]): boolean {
  const [stem] = fileIn(url).split(/\.\w+$/)
  const kept = fileIn(maybeText(image, 'image_file') ?? '')
  return plain(stem ?? '') !== '' && plain(kept).startsWith(plain(stem ?? '')) && image['description'] === (alt ?? '')
}
