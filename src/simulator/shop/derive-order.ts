import { convert } from '../amounts.ts'
import { type Moment, minute } from '../clock.ts'
import { draws, mix } from '../random.ts'
import type { Good } from './goods.ts'
import { type Address, type BaseLine, isSent, type OrderBase, type Parcel, type ShopOrder } from './order.ts'
import { carriers, countries, notes } from './people.ts'

/**
 * Orders are not kept: all that never changes about one is made anew from the seed and its number each time it is asked
 * for. So a shop of 200,000 orders fits into a few megabytes.
 */
export function deriveOrder(
  seed: number,
  index: number,
  goods: readonly Good[],
  books: string | null,
  living?: readonly string[],
): OrderBase {
  const { below, chance, pick } = draws(mix(seed, index))
  const country = pick(living ? countries.filter(({ code }) => living.includes(code)) : countries)
  const currency = books ?? country.currency
  const firstName = pick(country.firstNames)
  const lastName = pick(country.lastNames)
  const customer = chance(0.25) ? null : below(50_000)
  const place = (): Address => {
    const where = pick(country.places)
    return {
      ...{ firstName, lastName, ...where },
      company: chance(0.1) ? `${lastName} & Co.` : null,
      street: `${pick(country.streets)} ${1 + below(240)}`,
      extra: chance(0.15) ? `Etage ${1 + below(9)}` : null,
      country: country.name,
      countryCode: country.code,
      phone: `${country.dial}${100_000_000 + below(800_000_000)}`,
    }
  }
  const shipTo = place()
  const mail = living ? mailOf : (_first: string, _last: string, number: number) => `buyer${number}@mail.example`
  const reduced = chance(0.2)
  const lines = Array.from({ length: 1 + below(4) }, (): BaseLine => {
    const good = pick(goods)
    const quantity = chance(0.7) ? 1 : 2 + below(4)
    const unitPrice = convert(good.price, currency)
    const discount = reduced ? Math.floor((unitPrice * quantity) / 10) : 0
    const { product, position, sku, title, variantTitle } = good
    return { product, position, sku, title, variantTitle, quantity, unitPrice, discount }
  })
  const express = chance(0.3)
  return {
    currency,
    presentment: country.currency,
    taxIncluded: country.taxIncluded,
    taxRate: country.tax,
    buyer: {
      id: customer,
      firstName,
      lastName,
      email: mail(firstName, lastName, customer ?? index),
      phone: shipTo.phone,
    },
    shipTo,
    billTo: chance(0.15) ? place() : shipTo,
    lines,
    shipping: convert(express ? 1290 : chance(0.3) ? 0 : 490, currency),
    shippingMethod: express ? 'Express' : 'Standard',
    note: chance(0.2) ? pick(notes) : null,
    tags: chance(0.2) ? ['vip'] : [],
    reference: null,
  }
}

/** Umlauts and the like without their marks, in lower case; the number where nothing is left of a name. */
function mailOf(first: string, last: string, number: number): string {
  const plain = [first, last].map((name) =>
    name
      .normalize('NFKD')
      .replaceAll('ß', 'ss')
      .replaceAll('ł', 'l')
      .replaceAll('Ł', 'L')
      .replace(/[^A-Za-z]/g, '')
      .toLowerCase(),
  )
  const name = plain.filter((part) => part !== '').join('.')
  return `${name === '' ? 'buyer' : name}${number % 97}@mail.example`
}

const unitsIn = (lines: readonly BaseLine[]): number => lines.reduce((sum, { quantity }) => sum + quantity, 0)

/** Every third order with more than one thing in it goes out in two parcels, and so passes through `part_sent`. */
export const goesInTwo = (index: number, lines: readonly BaseLine[]): boolean => index % 3 === 0 && unitsIn(lines) > 1

/** The parcels of an order that the shop sent by itself. */
export function deriveParcels(
  order: Pick<ShopOrder, 'index' | 'stage' | 'placedAt'> & { packing: Moment },
  lines: readonly BaseLine[],
): Parcel[] {
  const { index, stage, placedAt, packing } = order
  if (stage !== 'part_sent' && !isSent(stage)) return []
  const all = lines.map(({ quantity }, i) => ({ line: i + 1, quantity }))
  if (!goesInTwo(index, lines)) return [parcelOf(order, 1, all, placedAt + packing)]
  const [head = { line: 1, quantity: 1 }, ...tail] = all
  const first = tail.length > 0 ? head.quantity : Math.ceil(head.quantity / 2)
  const left = head.quantity - first
  const rest = left > 0 ? [{ line: 1, quantity: left }, ...tail] : tail
  const parcels = [parcelOf(order, 1, [{ line: 1, quantity: first }], placedAt + packing)]
  return stage === 'part_sent' ? parcels : [...parcels, parcelOf(order, 2, rest, placedAt + packing + minute)]
}

function parcelOf({ index }: { index: number }, parcel: number, lines: Parcel['lines'], sentAt: number): Parcel {
  const [carrierCode, carrier, page] = carriers[index % carriers.length] ?? carriers[0]
  const trackingNumber = `TR${String(index + 1).padStart(8, '0')}${parcel}`
  return {
    parcel,
    carrierCode,
    carrier,
    trackingNumber,
    trackingUrl: page + trackingNumber,
    sentAt,
    delivered: false,
    place: index % 3,
    outside: false,
    reference: null,
    lines,
  }
}
