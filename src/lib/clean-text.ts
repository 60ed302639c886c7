/** The database's text holds neither NUL nor half a character. */
export const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

export const cut = (text: string, length: number): string => clean(text).slice(0, length)

const maxReasonLength = 1000

/** Why something failed, in a sentence that can be kept. */
export const reasonOf = (error: unknown): string =>
  cut(error instanceof Error ? error.message : String(error), maxReasonLength)
