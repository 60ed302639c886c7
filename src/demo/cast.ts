import type { RangeName } from '../simulator/shop/ranges.ts'

/** The shops of a demo. What they sell, to whom and how much is the same in each; the seed decides the rest. */
export interface DemoShop {
  slug: string
  name: string
  /** The type of its connector. */
  platform: string
  /** The merchant it belongs to. */
  merchant: 'linden' | 'harbour' | 'northbound'
  range: RangeName
  countries: readonly string[]
  orders: number
  everySeconds: number
  /** Its keys open it until the demo is there, and no longer. */
  breaks?: true
}

export const merchants: ReadonlyMap<DemoShop['merchant'], string> = new Map([
  ['linden', 'Linden & Oak GmbH'],
  ['harbour', 'Harbour Goods Ltd'],
  ['northbound', 'Northbound Outdoor Inc.'],
])

export const cast: readonly DemoShop[] = [
  {
    ...{ slug: 'linden-oak', name: 'Linden & Oak', platform: 'shopify', merchant: 'linden', range: 'home' },
    ...{ countries: ['DE', 'FR', 'CH'], orders: 96, everySeconds: 40 },
  },
  {
    ...{ slug: 'hafen-roesterei', name: 'Hafen Rösterei', platform: 'woocommerce', merchant: 'harbour' },
    ...{ range: 'coffee', countries: ['DE', 'SE', 'PL'], orders: 72, everySeconds: 55 },
  },
  {
    // Sells what Linden & Oak sells: the two share one stock.
    ...{ slug: 'maison-tilleul', name: 'Maison Tilleul', platform: 'prestashop', merchant: 'linden', range: 'home' },
    ...{ countries: ['FR', 'CH'], orders: 48, everySeconds: 150 },
  },
  {
    ...{ slug: 'northbound', name: 'Northbound Outdoor', platform: 'magento', merchant: 'northbound' },
    ...{ range: 'outdoor', countries: ['US', 'CA', 'GB'], orders: 56, everySeconds: 95 },
  },
  {
    ...{ slug: 'studio-halden', name: 'Studio Halden', platform: 'medusa', merchant: 'linden', range: 'paper' },
    ...{ countries: ['SE', 'DE', 'GB'], orders: 32, everySeconds: 0, breaks: true },
  },
]
