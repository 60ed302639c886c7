import type { RemoteProduct } from '../../../commerce/product.ts'
import { type Fields, fieldsIn, idIn, recordsIn, textIn } from '../../../commerce/reading.ts'
import { refused } from '../../../commerce/remote.ts'
import { say } from '../../../commerce/words/say.ts'
import { ask, change } from '../ask.ts'
import { languageOf, type VendureShop } from '../settings.ts'

const groupFields = 'id name options { id name }'
const groupsQuery = `query Choices($id: ID!) { product(id: $id) { optionGroups { ${groupFields} } } }`
const createGroup = `mutation CreateGroup($input: CreateProductOptionGroupInput!) {
  createProductOptionGroup(input: $input) { ${groupFields} }
}`
const addGroup = `mutation AddGroup($product: ID!, $group: ID!) {
  addOptionGroupToProduct(productId: $product, optionGroupId: $group) { id }
}`
const createOption = `mutation CreateOption($input: CreateProductOptionInput!) {
  createProductOption(input: $input) { id }
}`

interface Wanted {
  product: string
  sku: string
  wanted: RemoteProduct['options']
  /** It has variants already, which differ in what it has now. */
  isSold: boolean
}

/** Ids of what there is to choose, by name and value in two lines; what the product lacks is made. */
export async function optionIds(
  shop: VendureShop,
  { product, sku, wanted, isSold }: Wanted,
): Promise<ReadonlyMap<string, string>> {
  const there = recordsIn(fieldsIn(await ask(shop, groupsQuery, { id: product }), 'product'), 'optionGroups')
  const ids = new Map<string, string>()
  for (const { name, values } of wanted) {
    const known = there.find((group) => group['name'] === name)
    if (!known && isSold) throw refused(say('not_sold_by', { name }))
    const group = known ?? (await makeGroup(shop, { product, sku, name, values }))
    const options = recordsIn(group, 'options')
    for (const value of values) {
      const option = options.find((one) => one['name'] === value)
      ids.set(`${name}\n${value}`, option ? idIn(option, 'id') : await makeOption(shop, group, value))
    }
  }
  return ids
}

const translated = (shop: VendureShop, name: string) => [{ languageCode: languageOf(shop), name }]

const codeOf = (...words: string[]): string =>
  words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')

async function makeGroup(
  shop: VendureShop,
  { product, sku, name, values }: { product: string; sku: string; name: string; values: readonly string[] },
): Promise<Fields> {
  const options = values.map((value) => ({ code: codeOf(value), translations: translated(shop, value) }))
  const input = { code: codeOf(sku, name), translations: translated(shop, name), options }
  const group = await change(shop, 'createProductOptionGroup', createGroup, { input })
  await change(shop, 'addOptionGroupToProduct', addGroup, { product, group: textIn(group, 'id') })
  return group
}

async function makeOption(shop: VendureShop, group: Fields, value: string): Promise<string> {
  const input = {
    ...{ productOptionGroupId: idIn(group, 'id'), code: codeOf(value), translations: translated(shop, value) },
  }
  return textIn(await change(shop, 'createProductOption', createOption, { input }), 'id')
}
