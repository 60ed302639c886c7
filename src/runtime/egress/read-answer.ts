import { promisify } from 'node:util'
import { brotliDecompress, gunzip, type InputType, inflate, inflateRaw, type ZlibOptions } from 'node:zlib'
import { nextInLine } from '../../lib/turns/turns.ts'
import { away, oversized } from './egress-faults.ts'

/** A body may be this many times what came over the wire, and no more. Honest JSON stays below a hundred. */
const maxRatio = 1_000
const minLimitBytes = 64 * 1024

/** Most pages of most shops are smaller. */
const largeBytes = 512 * 1024
const usualRatio = 8

/** What is cut off is mostly cut off before that. */
const firstBytes = 2 * 1024 * 1024

interface Reading {
  maxBytes: number
  /** What the server says, which may be anything. */
  announcedBytes?: number | undefined
  onLarge?: (() => Promise<void>) | undefined
  watch?: (() => ((bytes: Buffer) => void) | undefined) | undefined
}

/** Many pieces may be there at once: whoever looks at them lets others have their turn after so long. */
const turnMs = 5

/** All bytes of a body, unpacked; not one more than `maxBytes` is ever held, packed or unpacked. */
export async function readBytes(
  body: AsyncIterable<Buffer>,
  encoding: string | undefined,
  { maxBytes, announcedBytes, onLarge, watch }: Reading,
): Promise<Buffer> {
  let chunks: Buffer[] = []
  let gathered: Gathered | null = null
  let size = 0
  // What is packed may be large in a few bytes.
  const mayGrow = encoding !== undefined && encoding !== '' && encoding !== 'identity'
  const largeFrom = mayGrow ? largeBytes / usualRatio : largeBytes
  let look: ((bytes: Buffer) => void) | undefined
  let lookedMs = 0
  for await (const chunk of body) {
    if (size <= largeFrom && size + chunk.length > largeFrom) {
      await onLarge?.()
      look = mayGrow ? undefined : watch?.()
      gathered = gather(maxBytes, announcedBytes)
      for (const earlier of chunks) {
        look?.(earlier)
        gathered.add(earlier)
      }
      chunks = []
    }
    size += chunk.length
    if (size > maxBytes) throw oversized()
    if (gathered) gathered.add(chunk)
    else chunks.push(chunk)
    if (!look) continue
    const begun = performance.now()
    look(chunk)
    lookedMs += performance.now() - begun
    if (lookedMs < turnMs) continue
    lookedMs = 0
    await nextInLine()
  }
  const packed = gathered ? gathered.whole() : Buffer.concat(chunks, size)
  return await unpack(packed, encoding?.trim().toLowerCase() ?? '', maxBytes)
}

interface Gathered {
  add(chunk: Buffer): void
  whole(): Buffer
}

/**
 * Copied together as they come: pieces that nobody holds are gone with the next small collection. Held to the end they would be taken for
 * old, and lie about until the next large one. What has become too small goes at once, for the same reason.
 */
function gather(maxBytes: number, announcedBytes = 0): Gathered {
  let held = new ArrayBuffer(Math.min(maxBytes, firstBytes))
  let bytes = Buffer.from(held)
  let end = 0
  return {
    add(chunk) {
      const needed = end + chunk.length
      if (needed > bytes.length) {
        const room = Math.min(maxBytes, Math.max(needed, announcedBytes > needed ? announcedBytes : 2 * bytes.length))
        held = held.transfer(room)
        bytes = Buffer.from(held)
      }
      end += chunk.copy(bytes, end)
    },
    whole: () => bytes.subarray(0, end),
  }
}

/** The first bytes of a body, as far as they have come. What follows is not read: the connection is closed instead. */
export function readStart(body: AsyncIterable<Buffer>, maxBytes: number): { soFar(): Buffer; done: Promise<void> } {
  const chunks: Buffer[] = []
  let size = 0
  const read = async () => {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > maxBytes) break
    }
  }
  return { soFar: () => Buffer.concat(chunks, size).subarray(0, maxBytes), done: read() }
}

async function unpack(packed: Buffer, encoding: string, maxBytes: number): Promise<Buffer> {
  if (packed.length === 0 || encoding === '' || encoding === 'identity') return packed
  const decode = decoderFor(encoding, packed)
  // Packed several times over, or in a way we did not offer.
  if (!decode) throw away(new Error('the answer has an unknown content encoding'))
  const limit = Math.min(maxBytes, Math.max(minLimitBytes, packed.length * maxRatio))
  try {
    return await decode(packed, { maxOutputLength: limit, chunkSize: minLimitBytes })
  } catch (error) {
    if (error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw oversized()
    throw away(error)
  }
}

type Decode = (packed: InputType, options: ZlibOptions) => Promise<Buffer>

/** What we say that we understand. */
export const acceptedEncodings = 'gzip, deflate, br'

const unzip: Decode = promisify<InputType, ZlibOptions, Buffer>(gunzip)
const unbrotli: Decode = promisify<InputType, ZlibOptions, Buffer>(brotliDecompress)
const undeflate: Decode = promisify<InputType, ZlibOptions, Buffer>(inflate)
const undeflateRaw: Decode = promisify<InputType, ZlibOptions, Buffer>(inflateRaw)

function decoderFor(encoding: string, packed: Buffer): Decode | null {
  if (encoding === 'gzip' || encoding === 'x-gzip') return unzip
  if (encoding === 'br') return unbrotli
  // By the standard it has a zlib header; some servers leave it out.
  if (encoding === 'deflate') return ((packed[0] ?? 0) & 0x0f) === 8 ? undeflate : undeflateRaw
  return null
}
