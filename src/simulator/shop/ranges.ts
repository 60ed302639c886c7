import { day, type Moment } from '../clock.ts'
import { draws, mix } from '../random.ts'
import { locations, type Product, type Variant } from './goods.ts'

/** What shops sell that are to look like somebody's: by range, an article a line with its kinds and its price in cents. */
const tables = {
  home: {
    ...{ prefix: 'LO', vendor: 'Linden & Oak', type: 'Furniture' },
    text: `Oak dining table | 160 cm, 200 cm | 74900
Wishbone chair | Natural, Black | 18900
Linen cushion cover | Sand, Moss, Rust | 2490
Wool throw | Grey, Cream | 8900
Ceramic table lamp | White, Terracotta | 9900
Floating shelf | 60 cm, 90 cm | 4490
Jute rug | 120 × 180 cm, 160 × 230 cm | 15900
Beeswax candle, set of 4 | | 1890
Walnut serving board | Small, Large | 3290
Steel coat rack | Black, White | 12900
Stoneware mug | Sand, Slate, Ivory | 1690
Bed linen, washed cotton | 135 × 200 cm, 200 × 200 cm | 11900
Rattan basket | S, M, L | 3490
Wall mirror, round | 60 cm, 80 cm | 13900
Desk organiser | | 4290`,
  },
  coffee: {
    ...{ prefix: 'HM', vendor: 'Hafen Rösterei', type: 'Coffee' },
    text: `Harbour Blend espresso | 250 g, 1 kg | 990
Ethiopia Yirgacheffe | 250 g, 1 kg | 1290
Colombia Huila decaf | 250 g, 1 kg | 1190
Guatemala Antigua | 250 g, 1 kg | 1250
Cold brew concentrate | 500 ml, 1 l | 1490
Pour-over dripper | White, Black | 2490
Paper filters, 100 | Size 02, Size 04 | 690
Hand grinder | | 6900
Gooseneck kettle | 0.8 l, 1.2 l | 8900
Double-wall glass, pair | 80 ml, 250 ml | 1990
Milk jug | 350 ml, 600 ml | 2290
Tasting box, 5 coffees | Filter, Espresso | 3490
Dark chocolate 72 % | | 450
Travel tumbler | Navy, Olive | 2790`,
  },
  outdoor: {
    ...{ prefix: 'NB', vendor: 'Northbound', type: 'Outdoor' },
    text: `Two-person tent, 2.1 kg | Forest, Orange | 32900
Down sleeping bag, −5 °C | Regular, Long | 24900
Trekking backpack 50 l | S/M, M/L | 17900
Merino base layer | S, M, L, XL | 7900
Titanium pot 900 ml | | 5490
Gas stove | | 4290
Head torch 400 lm | | 3990
Trail running shoe | 40, 41, 42, 43, 44 | 13900
Water filter | | 4490
Folding trekking poles | 110 cm, 130 cm | 8990
Insulated bottle | 0.5 l, 0.75 l, 1 l | 2990
First-aid kit | | 2490
Hammock | Blue, Green | 6990`,
  },
  paper: {
    ...{ prefix: 'SH', vendor: 'Studio Halden', type: 'Stationery' },
    text: `Dotted notebook A5 | Ink, Clay, Sage | 1690
Weekly planner | Undated | 2490
Fountain pen | Fine, Medium | 3900
Ink 50 ml | Black, Teal, Burgundy | 1450
Greeting card, set of 6 | Birthday, Thank you | 1290
Washi tape, 3 rolls | Warm, Cool | 890
Desk mat | Grey, Tan | 4900
Art print A3 | Harbour, Forest, Dunes | 2900
Brass ruler | | 1990
Letter paper, 40 sheets | | 1590`,
  },
} as const

export type RangeName = keyof typeof tables
export const rangeNames = Object.keys(tables) as RangeName[]

const articlesIn = (name: RangeName) =>
  tables[name].text.split('\n').map((line) => {
    const [title = '', kinds = '', price = ''] = line.split(/\s*\|\s*/)
    return { title, kinds: kinds === '' ? [] : kinds.split(', '), price: Number(price) }
  })

export const rangeSize = (name: RangeName): number => articlesIn(name).length

const optionOf = (type: string, kind: string) =>
  /^\d|^X*[SML](\/|$)|^X*[SL]$/.test(kind) ? 'Size' : type === 'Coffee' ? 'Kind' : 'Colour'

/** An article of the range. Where a platform knows no variants, its first kind stands for all. */
export function productOf(name: RangeName, index: number, facts: { seed: number; before: Moment; simple: boolean }) {
  const { prefix, vendor, type } = tables[name]
  const article = articlesIn(name)[index % rangeSize(name)] ?? { title: '', kinds: [], price: 1000 }
  const { below, chance } = draws(mix(facts.seed, 7_000_000 + index))
  const kinds = facts.simple ? article.kinds.slice(0, 1) : article.kinds
  const createdAt = facts.before - (40 + below(300)) * day
  const changedAt = createdAt + below(40) * day
  const several = kinds.length > 1
  const variants = (kinds.length === 0 ? [''] : kinds).map(
    (kind, position): Variant => ({
      ...{ product: index, position, barcode: String(4_006_381_000_000 + index * 100 + position) },
      sku: `${prefix}-${1001 + index}${several ? `-${position + 1}` : ''}`,
      title: several ? kind : 'Default Title',
      options: several ? [{ name: optionOf(type, kind), value: kind }] : [],
      price: article.price + (/\d/.test(kind) && several ? Math.round((position * article.price) / 500) * 100 : 0),
      compareAt: chance(0.15) ? Math.round(article.price * 1.2) : null,
      grams: 100 + below(4000),
      stock: locations.map((_, place) => (place === 2 ? below(6) : below(60))),
      stockUpdatedAt: changedAt,
    }),
  )
  return {
    ...{ index, title: article.title, html: `<p>${article.title} by ${vendor}.</p>`, status: 'active', vendor, type },
    ...{ tags: chance(0.2) ? ['new'] : [], images: [] },
    ...{ variants, createdAt, updatedAt: changedAt, version: 1, deleted: false },
  } satisfies Product
}
