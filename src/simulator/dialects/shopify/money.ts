import { convert, decimal } from '../../amounts.ts'
import { objectType, of } from './graphql/types.ts'

export interface Amount {
  units: number
  /** What the buyer saw; the books are in euros. */
  presentment: string
}

export const books = 'EUR'

const money = objectType<{ units: number; currency: string }>('MoneyV2', {
  amount: ({ units, currency }) => decimal(units, currency),
  currencyCode: ({ currency }) => currency,
})

const moneyBag = objectType<Amount>('MoneyBag', {
  shopMoney: of(
    () => money,
    ({ units }) => ({ units, currency: books }),
  ),
  presentmentMoney: of(
    () => money,
    ({ units, presentment }) => ({ units: convert(units, presentment), currency: presentment }),
  ),
})

/** A field of money, by how to reckon it. */
export const amount = <Source>(reckon: (source: Source) => Amount) =>
  of<Source>(
    () => moneyBag,
    (source) => reckon(source),
  )
