import { takeTurns } from './turns.ts'

/** So many bytes are decoded in one go: a few milliseconds, whatever the charset. */
const pieceLength = 256 * 1024

/** Bytes of a foreign text, in turns with others: some charsets take a hundred times as long as UTF-8. An unknown one is UTF-8. */
export async function decodeInTurns(bytes: Buffer, charset: string): Promise<string> {
  const decoder = decoderFor(charset)
  if (bytes.length <= pieceLength) return decoder.decode(bytes)
  const turns = takeTurns()
  const parts: string[] = []
  const isUtf8 = decoder.encoding === 'utf-8'
  for (let at = 0; at < bytes.length; ) {
    const end = isUtf8 ? characterEnd(bytes, at + pieceLength) : Math.min(bytes.length, at + pieceLength)
    const piece = bytes.subarray(at, end)
    // Node decodes UTF-8 fast where no more is to come, and whole characters need no memory of the last piece.
    if (isUtf8) parts.push((at === 0 ? decoder : further).decode(piece))
    else parts.push(decoder.decode(piece, { stream: end < bytes.length }))
    at = end
    const rest = turns.yield()
    if (rest) await rest
  }
  return parts.join('')
}

/** A mark of byte order is one at the beginning only. */
const further = new TextDecoder('utf-8', { ignoreBOM: true })

function decoderFor(charset: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

/** Before the first byte of a character, at that place or up to three bytes before it. */
function characterEnd(bytes: Buffer, wanted: number): number {
  if (wanted >= bytes.length) return bytes.length
  for (let end = wanted; end > wanted - 4; end--) if (((bytes[end] ?? 0) & 0xc0) !== 0x80) return end
  return wanted
}
