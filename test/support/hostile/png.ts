import { buffer } from 'node:stream/consumers'
import { crc32, createDeflate } from 'node:zlib'

/** Hand-made PNG files, to say in them what no encoder would. */

export const pngMagic = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

export function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

interface Header {
  width: number
  height: number
  bitDepth?: number
  colourType?: number
  interlace?: number
}

export function header({ width, height, bitDepth = 8, colourType = 2, interlace = 0 }: Header): Buffer {
  const data = Buffer.alloc(13)
  data.writeUInt32BE(width, 0)
  data.writeUInt32BE(height, 4)
  data[8] = bitDepth
  data[9] = colourType
  data[12] = interlace
  return chunk('IHDR', data)
}

export const end = chunk('IEND', Buffer.alloc(0))

/** All black, so that millions of pixels fit into a few kilobytes. */
export async function blackPng(size: Header): Promise<Buffer> {
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[size.colourType ?? 2] ?? 3
  const row = 1 + Math.ceil((size.width * channels * (size.bitDepth ?? 8)) / 8)
  // Interlaced pictures have more rows, though shorter ones; each begins with a byte of its own.
  const pixels = await packedZeros(row * size.height + (size.interlace === 1 ? size.height * 2 : 0))
  return Buffer.concat([pngMagic, header(size), chunk('IDAT', pixels), end])
}

/** Compressed piece by piece: the tests watch the memory, so the files are made without any. */
export async function packedZeros(length: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 9 })
  const packed = buffer(deflate)
  const piece = Buffer.alloc(65_536)
  for (let left = length; left > 0; left -= piece.length) {
    const more = deflate.write(left < piece.length ? piece.subarray(0, left) : piece)
    if (!more) await new Promise((resolve) => deflate.once('drain', resolve))
  }
  deflate.end()
  return await packed
}

/** Puts chunks right behind the header of a finished PNG. */
export const withChunks = (png: Buffer, chunks: readonly Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)])
