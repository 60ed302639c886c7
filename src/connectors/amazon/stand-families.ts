import { arrayIn, type Fields } from '../../commerce/reading.ts'

export const standMarketplace = 'A1PA6795UKMFR9'

export interface StandListing extends Record<string, unknown> {
  sku: string
  summaries: (Fields & { lastUpdatedDate: string })[]
  fulfillmentAvailability: { fulfillmentChannelCode: string; quantity?: number }[]
}

/** Which listings are kinds of which: the last is of a listing that the seller does not have. */
const families = [
  { parent: 45, children: [41, 42, 54] },
  { parent: 12, children: [11, 13, 14] },
  // More kinds than come on one page.
  { parent: 50, children: [...Array(21).keys()].map((n) => 18 + n) },
]
const orphan = 47

const colours = ['blue', 'red', 'green']

const related = (told: Fields) => [
  {
    marketplaceId: standMarketplace,
    relationships: [
      { type: 'PACKAGE_HIERARCHY', childSkus: ['SOME-BOX'] },
      { type: 'VARIATION', variationTheme: { attributes: ['color'], theme: 'COLOR' }, ...told },
    ],
  },
]

/** Some of the listings as families. */
export function withFamilies(listings: StandListing[]): StandListing[] {
  const skuOf = (n: number) => listings[n]?.sku ?? ''
  for (const { parent, children } of families) {
    const head = listings[parent]
    if (head) {
      head['relationships'] = related({ childSkus: children.map(skuOf) })
      head['offers'] = []
      head.fulfillmentAvailability = []
      head.summaries = head.summaries.map((summary) => ({ ...summary, status: ['DISCOVERABLE'] }))
    }
    children.forEach((n, at) => {
      const child = listings[n]
      if (!child) return
      child['relationships'] = related({ parentSkus: [skuOf(parent)] })
      child['attributes'] = { ...(child['attributes'] as Fields), color: [{ value: colours[at % 3] }] }
    })
  }
  const alone = listings[orphan]
  if (alone) alone['relationships'] = related({ parentSkus: ['NOT-MINE'] })
  return listings
}

/** Whether a listing is a kind of another; of that one, if it is named. */
export function isKindOf({ relationships }: StandListing, parent?: string): boolean {
  const told = Array.isArray(relationships) ? (relationships as { relationships: Fields[] }[]) : []
  const parents = told
    .flatMap((one) => one.relationships)
    .flatMap((one) => (one['parentSkus'] == null ? [] : arrayIn(one, 'parentSkus')))
  return parent === undefined ? parents.some((sku) => sku !== 'NOT-MINE') : parents.includes(parent)
}
