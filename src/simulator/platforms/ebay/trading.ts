import { decimal, unitsOf } from '../../amounts.ts'
import { type Answer, answer, type Call, type Recorder, type RouteRow } from '../../http/route.ts'
import { type Product, totalOf, type Variant } from '../../shop/goods.ts'
import type { World } from '../../world.ts'
import { listingIdOf, marketplace } from './orders.ts'

const atOnce = 4

/** The older interface for listings, whatever they were made with: everything at one address, and status 200 for all. */
export function tradingRoute({ shop: { stockroom } }: World, isKnown: (token: string | null) => boolean): RouteRow {
  const listed = () => stockroom.articles().map(({ product }) => product)
  const listings = () =>
    [...new Set(listed())].filter(({ status }) => status === 'active').sort((a, b) => a.index - b.index)

  function reviseAll(xml: string, record: Recorder): string {
    const wanted = inner(xml, 'InventoryStatus')
    if (wanted.length > atOnce) return failure(21_919_188, 'The maximum number of InventoryStatus is 4.')
    const refusals = wanted.filter((one) => !revise(one, record))
    return refusals.length === 0 ? '' : failure(21_916_750, 'The SKU or ItemID was not found.')
  }
  function revise(status: string, record: Recorder): boolean {
    const [id, sku, quantity, price] = ['ItemID', 'SKU', 'Quantity', 'StartPrice'].map((tag) => inner(status, tag)[0])
    const product = listings().find(({ index }) => listingIdOf(index) === id)
    const variant = product?.variants.find((one) => one.sku === (sku ?? product.variants[0]?.sku))
    if (!variant) return false
    if (quantity !== undefined && stockroom.setTotal(variant, Number(quantity)))
      record.effect('inventory.set', variant.sku)
    const units = price === undefined ? null : unitsOf(price, marketplace.currency)
    if (units !== null && stockroom.reprice(variant, units)) record.effect('price.set', variant.sku)
    return true
  }

  function active(xml: string): string {
    const [size, page] = ['EntriesPerPage', 'PageNumber'].map((tag) => Number(inner(xml, tag)[0] ?? 1)) as [
      number,
      number,
    ]
    const all = listings()
    const items = all.slice((page - 1) * size, page * size).map((product) => tag('Item', view(product, false)))
    const counts = tag('TotalNumberOfPages', Math.ceil(all.length / size)) + tag('TotalNumberOfEntries', all.length)
    return tag('ActiveList', tag('ItemArray', items.join('')) + tag('PaginationResult', counts))
  }
  function item(xml: string): string {
    const product = listings().find(({ index }) => listingIdOf(index) === inner(xml, 'ItemID')[0])
    return product
      ? tag('Item', view(product, true))
      : failure(17, 'This item cannot be accessed because the listing has been deleted.')
  }

  const calls: Readonly<Record<string, (xml: string, record: Recorder) => string>> = {
    ...{ GetMyeBaySelling: active, GetItem: item, ReviseInventoryStatus: reviseAll },
  }
  function handle(call: Call, record: Recorder): Answer {
    const name = call.header('x-ebay-api-call-name') ?? ''
    const token = call.header('x-ebay-api-iaf-token')
    const made = isKnown(token)
      ? (calls[name]?.(call.raw.toString(), record) ?? failure(2, 'Unsupported API call.'))
      : failure(21_916_984, 'Invalid IAF token.')
    const ack = made.startsWith('<Errors>') ? 'Failure' : 'Success'
    const body = `<${name}Response xmlns="urn:ebay:apis:eBLBaseComponents">${tag('Ack', ack)}${made}</${name}Response>`
    return answer(200, body, { 'content-type': 'text/xml' })
  }
  return ['POST', '/ws/api.dll', 'trading.call', handle, { open: true }]
}

const tag = (name: string, content: string | number, attributes = ''): string =>
  `<${name}${attributes}>${content}</${name}>`
const safe = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const inner = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>(.*?)</${name}>`, 'gs'))].map(([, content = '']) => content)
const failure = (code: number, message: string) =>
  tag('Errors', tag('LongMessage', message) + tag('ErrorCode', code) + tag('SeverityCode', 'Error'))
const price = (name: string, { price: units }: Variant) =>
  tag(name, decimal(units, marketplace.currency), ` currencyID="${marketplace.currency}"`)

/** Lists say how many can be bought of a listing; everything else says how many there ever were, and how many are sold. */
function view({ index, title, variants }: Product, isWhole: boolean): string {
  const [first] = variants
  if (!first) return ''
  const counts = (variant: Variant) =>
    tag('Quantity', totalOf(variant) + 2) + tag('SellingStatus', tag('QuantitySold', 2))
  const one = isWhole ? counts(first) : tag('QuantityAvailable', totalOf(first))
  const several = variants.map((variant) =>
    tag(
      'Variation',
      tag('SKU', safe(variant.sku)) +
        price('StartPrice', variant) +
        counts(variant) +
        tag('VariationSpecifics', tag('NameValueList', tag('Name', 'Colour') + tag('Value', safe(variant.title)))),
    ),
  )
  return (
    tag('ItemID', listingIdOf(index)) +
    tag('Title', safe(title)) +
    tag('ListingType', 'FixedPriceItem') +
    (variants.length > 1
      ? tag('Variations', several.join(''))
      : tag('SKU', safe(first.sku)) + price('StartPrice', first) + one)
  )
}
