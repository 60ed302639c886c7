import { hash } from 'node:crypto'
import { utf8Of } from '../../../lib/text/utf8.ts'
import { keptBytes } from './kept-bytes.ts'

/** A record as the bytes in which it is sent. To whoever takes an answer apart, or writes it once more, it is the record. */
export class Written {
  readonly bytes: Buffer

  constructor(record: unknown) {
    this.bytes = utf8Of(JSON.stringify(record))
  }

  toJSON(): unknown {
    return JSON.parse(this.bytes.toString())
  }
}

export interface WrittenPage {
  bytes: Buffer
  tag: string
}

/** What tells one answer from every other. */
export const tagOf = (bytes: Buffer): string => hash('sha256', bytes, 'base64url').slice(0, 27)

/** Of the same records, and with the same links: half of the time goes into putting them together and finding out their tag. */
const pages = keptBytes<WrittenPage>({ maxBytes: 8 * 1024 * 1024, maxAgeMs: 60_000 })

const start = Buffer.from('{"data":[')
const comma = Buffer.from(',')

/** What `JSON.stringify` would make of it, where all records are written already; null where one is not. */
export function writtenPage({ data, ...rest }: { data: readonly unknown[] }): WrittenPage | null {
  if (data.length === 0 || !data.every((record) => record instanceof Written)) return null
  const end = JSON.stringify(rest)
  const known = pages.get(end, data)
  if (known) return known
  const records = data.flatMap(({ bytes }, place) => (place === 0 ? [bytes] : [comma, bytes]))
  const bytes = Buffer.concat([start, ...records, Buffer.from(`],${end.slice(1)}`)])
  const page = { bytes, tag: tagOf(bytes) }
  pages.keep(end, data, page)
  return page
}
