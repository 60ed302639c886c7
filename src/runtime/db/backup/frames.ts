import type { Readable } from 'node:stream'

/**
 * How a backup is laid out, before it is compressed: a line of JSON that names what follows, and the bytes that belong to
 * it, each with its length before it. The last line says that it is whole.
 */
export type Frame =
  | { kind: 'line'; value: unknown }
  /** A piece of what PostgreSQL's COPY gave, for the table that the line before has named. */
  | { kind: 'data'; bytes: Buffer }

const marks = { line: 0x4c, data: 0x44 } as const
const headBytes = 5
/** No piece that we write is nearly as large: one that claims to be is damaged, or nobody's. */
const maxBytes = 256 * 1024 * 1024

export class BackupError extends Error {}

export function encodeFrame(frame: Frame): Buffer[] {
  const bytes = frame.kind === 'line' ? Buffer.from(JSON.stringify(frame.value)) : frame.bytes
  const head = Buffer.alloc(headBytes)
  head.writeUInt8(marks[frame.kind], 0)
  head.writeUInt32BE(bytes.length, 1)
  return [head, bytes]
}

export async function* decodeFrames(source: Readable | AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let pending: Buffer[] = []
  let length = 0
  const take = (bytes: number): Buffer => {
    const all = pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending)
    pending = [all.subarray(bytes)]
    length -= bytes
    return all.subarray(0, bytes)
  }
  let head: { mark: number; bytes: number } | null = null
  for await (const chunk of source) {
    pending.push(chunk)
    length += chunk.length
    for (;;) {
      if (!head) {
        if (length < headBytes) break
        const bytes = take(headBytes)
        head = { mark: bytes.readUInt8(0), bytes: bytes.readUInt32BE(1) }
        if ((head.mark !== marks.line && head.mark !== marks.data) || head.bytes > maxBytes) {
          throw new BackupError('This is not a backup of Entrepot, or it is damaged.')
        }
      }
      if (length < head.bytes) break
      const bytes = take(head.bytes)
      yield head.mark === marks.line ? { kind: 'line', value: JSON.parse(bytes.toString()) } : { kind: 'data', bytes }
      head = null
    }
  }
  if (head || length > 0) throw new BackupError('The backup ends in the middle: it is not whole.')
}
