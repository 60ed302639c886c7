import { type Fields, textIn, timeOf } from '../../commerce/reading.ts'

const form = /^[A-Z][a-z]{2}, \d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d (?:[+-]\d{4}|GMT)$/

/** Times of v2 are those of e-mails: `Wed, 10 Jan 2018 21:05:30 +0000`. */
export function mailTimeIn(fields: Fields, name: string): string {
  const reported = textIn(fields, name)
  const at = form.test(reported) ? new Date(reported) : null
  if (at === null || Number.isNaN(at.getTime())) throw new TypeError(`"${reported}" is no time.`)
  return timeOf(at.toISOString())
}

/** A second of Greenwich, as queries write it. */
export const asked = (second: string | null): string | null => second && `${second}+00:00`
