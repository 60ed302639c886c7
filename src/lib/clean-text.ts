/** The database's text holds neither NUL nor half a character. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** They let a text show in another order than it is kept in, so that one name passes for another. */
const bidiControls = '\\u202a-\\u202e\\u2066-\\u2069'

export const withoutBidiControls = `^[^${bidiControls}]*$`

export const cut = (text: string, length: number): string => clean(text).slice(0, length)

const maxReasonLength = 1000

/** Why something failed, in a sentence that can be kept. */
export const reasonOf = (error: unknown): string =>
  cut(error instanceof Error ? error.message : String(error), maxReasonLength)
