import { type Fields, fieldsOf, listOf, textOf } from '../json.ts'
import type { Product } from './goods.ts'
import type { Address } from './order.ts'
import type { ProductWords } from './stockroom.ts'

/** Reads addresses by what the platform calls their parts; what is not told is left out. */
export const addressReader =
  (names: Readonly<Partial<Record<keyof Address, string>>>) =>
  (value: unknown): Partial<Address> => {
    const input = fieldsOf(value)
    const told = Object.entries(names).map(([part, name]) => [part, textOf(input[name])] as const)
    return Object.fromEntries(told.filter(([, text]) => text !== null))
  }

/** Without what was not told. */
export const wordsTold = (words: { [Name in keyof ProductWords]: ProductWords[Name] | null }): ProductWords =>
  Object.fromEntries(Object.entries(words).filter(([, value]) => value != null))

/** Images by their addresses; what has none is no image. */
export const imagesIn = (list: unknown, read: (image: Fields) => { url: unknown; alt: unknown }): Product['images'] =>
  listOf(list).flatMap((value) => {
    const { url, alt } = read(fieldsOf(value))
    const address = textOf(url)
    return address === null ? [] : [{ url: address, alt: textOf(alt) }]
  })
