/**
 * HMAC-SHA-256 (RFC 2104) of short texts under keys that are kept, as far as an index of words needs it: 53 bits. Somebody who is
 * looked for in a thousand shops is hashed a thousand times under as many keys, and a call into the library costs ten times what
 * these two blocks do: most of the search would be that. Whatever else is hashed is longer, and left to the library.
 */
export interface ShortKey {
  /** What SHA-256 has come to after the block that the key fills. */
  inner: Int32Array
  outer: Int32Array
}

const blockLength = 64
/** Behind a text there is a bit, and its length in eight bytes. */
export const maxShort = blockLength - 9

/** Of the fractions of roots of the first primes, so many bits: the constants of SHA-256. */
const primes: number[] = []
for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n)
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0
const start = Int32Array.from(primes.slice(0, 8), (prime) => fraction(Math.sqrt(prime)))
const rounds = Int32Array.from(primes, (prime) => fraction(Math.cbrt(prime)))

/** The block that is worked on, in its first sixteen words. */
const words = new Int32Array(64)
const between = new Int32Array(8)
const result = new Int32Array(8)

export function shortKey(secret: Buffer): ShortKey {
  if (secret.length > blockLength) throw new Error('A key for hashing is too long.')
  return { inner: keyBlock(secret, 0x36), outer: keyBlock(secret, 0x5c) }
}

function keyBlock(secret: Buffer, pad: number): Int32Array {
  const block = Buffer.alloc(blockLength, pad)
  for (const [n, byte] of secret.entries()) block[n] = byte ^ pad
  for (let n = 0; n < 16; n++) words[n] = block.readInt32BE(n * 4)
  const state = new Int32Array(8)
  compress(start, state)
  return state
}

/** The first 53 bits, which a number holds exactly; null for a text that is too long, or of other letters than ASCII. */
export function shortHmac({ inner, outer }: ShortKey, text: string): number | null {
  if (text.length > maxShort) return null
  words.fill(0, 0, 16)
  for (let n = 0; n < text.length; n++) {
    const code = text.charCodeAt(n)
    if (code > 127) return null
    put(n, code)
  }
  put(text.length, 0x80)
  words[15] = (blockLength + text.length) * 8
  compress(inner, between)
  words.fill(0, 0, 16)
  words.set(between)
  words[8] = 0x80000000 | 0
  words[15] = (blockLength + 32) * 8
  compress(outer, result)
  return ((result[0] ?? 0) >>> 0) * 2 ** 21 + ((result[1] ?? 0) >>> 11)
}

const put = (at: number, byte: number): void => {
  words[at >> 2] = (words[at >> 2] ?? 0) | (byte << (24 - (at & 3) * 8))
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/** One block of SHA-256 (FIPS 180-4, 6.2.2), written out: with lists and loops in their place it takes three times as long. */
function compress(from: Int32Array, to: Int32Array): void {
  for (let n = 16; n < 64; n++) {
    const early = words[n - 15] ?? 0
    const late = words[n - 2] ?? 0
    const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)
    const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)
    words[n] = ((words[n - 16] ?? 0) + first + (words[n - 7] ?? 0) + second) | 0
  }
  let a = from[0] ?? 0
  let b = from[1] ?? 0
  let c = from[2] ?? 0
  let d = from[3] ?? 0
  let e = from[4] ?? 0
  let f = from[5] ?? 0
  let g = from[6] ?? 0
  let h = from[7] ?? 0
  for (let n = 0; n < 64; n++) {
    const chosen = (e & f) ^ (~e & g)
    const most = (a & b) ^ (a & c) ^ (b & c)
    const first = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + chosen + (rounds[n] ?? 0) + (words[n] ?? 0)) | 0
    const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + most) | 0
    h = g
    g = f
    f = e
    e = (d + first) | 0
    d = c
    c = b
    b = a
    a = (first + second) | 0
  }
  to[0] = (from[0] ?? 0) + a
  to[1] = (from[1] ?? 0) + b
  to[2] = (from[2] ?? 0) + c
  to[3] = (from[3] ?? 0) + d
  to[4] = (from[4] ?? 0) + e
  to[5] = (from[5] ?? 0) + f
  to[6] = (from[6] ?? 0) + g
  to[7] = (from[7] ?? 0) + h
}
