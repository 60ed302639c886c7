import type { FieldErrors } from '../../lib/fault.ts'

/** The sentences that complaints about definitions are made of. */
export const badFormat = (path: string, why: string): FieldErrors => ({
  [path]: [`The ${path} field format is invalid. ${why}`],
})
/** Of headers that are not for descriptions to set. */
export const carriesMessage = 'It says how a message is carried.'
export const required = (path: string): FieldErrors => ({ [path]: [`The ${path} field is required.`] })
export const prohibited = (path: string): FieldErrors => ({ [path]: [`The ${path} field is prohibited.`] })
export const mustBe = (path: string, what: string): FieldErrors => ({ [path]: [`The ${path} field ${what}.`] })

export const merged = (all: readonly FieldErrors[]): FieldErrors => Object.assign({}, ...all)

export const repeated = (words: readonly string[], place: string, field: string): FieldErrors =>
  merged(
    words.flatMap((word, n) => {
      const at = `${place}.${n}.${field}`
      return words.indexOf(word) === n ? [] : [{ [at]: [`The ${at} field has a duplicate value.`] }]
    }),
  )
