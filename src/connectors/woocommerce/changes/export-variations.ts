import { type ArticleDraft, articlesOf, optionsOf, type ProductDraft } from '../../../commerce/product.ts'
import { bodyOf, type Fields, fieldsOf, idIn, isFields, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { type Article, findBySku } from '../find-by-sku.ts'
import { findOne } from '../pages.ts'
import { productsPath, type WooShop } from '../settings.ts'
import { plain } from '../values.ts'
import { changedWords, imagesOf, put, shownOf, soldOf } from './export-product.ts'

/**
 * The id of a product with several variations. The product is made first and its variations after it: whoever was
 * interrupted in between finds the product by its own number.
 */
export async function exportVariations(shop: WooShop, draft: ProductDraft): Promise<string> {
  const articles = articlesOf(draft)
  const skus = articles.map(({ sku }) => sku)
  const found = await findBySku(shop, [draft.sku, ...skus])
  const product = await ownerOf(shop, found, { draft, skus })
  const parent = product ?? (await makeParent(shop, draft, articles))
  if (product)
    await put(shop, pathOf(product), product, { ...changedWords(draft, product), ...choices(product, articles) })
  const known = new Map(found.map((article) => [article.sku, article]))
  const create = articles.filter(({ sku }) => !known.has(sku)).map((one) => newVariation(one, draft, parent))
  const update = articles.flatMap((one) => {
    const { row, variationId: id } = known.get(one.sku) ?? {}
    if (!row || !id) return []
    const changes = Object.entries(soldOf(one, draft, row)).filter(([name, value]) => row[name] !== value)
    return changes.length === 0 ? [] : [{ id: Number(id), ...Object.fromEntries(changes) }]
  })
  if (create.length + update.length > 0) await sendBatch(shop, parent, { create, update })
  return idIn(parent, 'id')
}

const pathOf = (product: Fields): string => `${productsPath}/${idIn(product, 'id')}`

/** The product that has the variations, or the number of the product; null where the shop has neither. */
async function ownerOf(
  shop: WooShop,
  found: readonly Article[],
  { draft, skus }: { draft: ProductDraft; skus: readonly string[] },
): Promise<Fields | null> {
  if (new Set(found.map(({ sku }) => sku)).size < found.length) throw refused(say('skus_ambiguous'))
  const alone = found.find(({ sku, row }) => row['type'] !== 'variable' && sku === draft.sku && !skus.includes(sku))
  const simple = alone ?? found.find(({ sku, variationId }) => variationId === null && skus.includes(sku ?? ''))
  if (simple) throw refused(say('no_variants', { sku: simple.sku }))
  const [id, ...others] = new Set(found.map(({ productId }) => productId))
  if (others.length > 0) throw refused(say('several_products'))
  return id === undefined ? null : fieldsOf(await findOne(shop, productsPath, id))
}

async function makeParent(
  { remote }: WooShop,
  draft: ProductDraft,
  articles: readonly ArticleDraft[],
): Promise<Fields> {
  const body = { type: 'variable', sku: draft.sku, ...shownOf(draft), ...imagesOf(draft), ...choices({}, articles) }
  return fieldsOf(bodyOf(await remote.request({ method: 'POST', path: productsPath, body })))
}

/** The attributes that variations differ in, with all their values; those of others stay. Nothing where all are there. */
function choices(product: Fields, articles: readonly ArticleDraft[]): Fields {
  const there = attributesOf(product)
  const wanted = optionsOf(articles)
  const values = (attribute: Fields) =>
    Array.isArray(attribute['options']) ? attribute['options'].map(String).map(plain) : []
  const isThere = ({ name, values: all }: (typeof wanted)[number]) =>
    there.some((one) => one['name'] === name && one['variation'] === true && all.every((v) => values(one).includes(v)))
  if (wanted.every(isThere)) return {}
  const kept = there.map((one) => {
    const more = wanted.find(({ name }) => name === one['name'])
    return more ? { ...one, variation: true, options: [...new Set([...values(one), ...more.values])] } : one
  })
  const added = wanted
    .filter(({ name }) => !there.some((one) => one['name'] === name))
    .map(({ name, values: options }) => ({ name, visible: true, variation: true, options }))
  return { attributes: [...kept, ...added] }
}

const attributesOf = (product: Fields): readonly Fields[] => recordsIn({ attributes: [], ...product }, 'attributes')

function newVariation(article: ArticleDraft, draft: ProductDraft, parent: Fields): Fields {
  const shared = attributesOf(parent)
  const attributes = article.options.map(({ name, value }) => {
    // Attributes that all products share are known by their number.
    const id = Number(shared.find((one) => one['name'] === name)?.['id'] ?? 0)
    return { ...(id > 0 ? { id } : { name }), option: value }
  })
  return { sku: article.sku, ...soldOf(article, draft), attributes }
}

/** What is wrong with one of them is told in its place, with status 200. */
async function sendBatch({ remote }: WooShop, parent: Fields, body: Fields): Promise<void> {
  const answer = await remote.request({ method: 'POST', path: `${pathOf(parent)}/variations/batch`, body })
  const rows = Object.values(fieldsOf(bodyOf(answer))).flatMap((some) =>
    Array.isArray(some) ? some.filter(isFields) : [],
  )
  const wrong = rows.find((row) => isFields(row['error']))
  if (wrong) throw refused(textIn(fieldsOf(wrong['error']), 'message'))
}
