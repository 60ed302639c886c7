import { Type } from 'typebox'
import type { FieldWordings } from '../../lib/fault.ts'
import { complaint } from '../../lib/validation/complaints.ts'

/** How many pieces of a line, or how much of it: goods that are sold by weight or length have fractions. */

/** Finer than any platform counts, and coarse enough that sums of fractions are exact again. */
const perPiece = 1_000_000

export const quantitySchema = Type.Number({ description: 'Whole pieces, but for goods by weight or length' })

/** What somebody asks for. Whether parts of a piece make sense is the platform's to say: `fractionErrors`. */
export const wantedQuantity = Type.Number({ minimum: 1 / perPiece, maximum: 1_000_000 })

/** 0.3 − 0.1 is 0.2. */
export const exactQuantity = (quantity: number): number => Math.round(quantity * perPiece) / perPiece

export const sumQuantities = (parts: readonly { quantity: number }[]): number =>
  exactQuantity(parts.reduce((sum, { quantity }) => sum + quantity, 0))

/** What speaks against parts of a piece, where the platform counts in whole ones. */
export const fractionErrors = (
  parts: readonly { quantity: number }[] | null | undefined,
  { field, fractions }: { field: string; fractions: boolean },
): FieldWordings =>
  Object.fromEntries(
    (parts ?? []).flatMap(({ quantity }, n) => {
      const name = `${field}.${n}.quantity`
      return fractions || Number.isInteger(quantity) ? [] : [[name, [complaint('field_integer', { field: name })]]]
    }),
  )
