import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomFillSync,
} from 'node:crypto'
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { utf8Of } from '../text/utf8.ts'
import { type ShortKey, shortHmac, shortKey } from './short-hmac.ts'

/**
 * Records that are sealed by one key for all of an owner's, so that a page of them opens fast and destroying the key
 * forgets them all. `place` says whose record it is and where it lives; one that was moved elsewhere does not open.
 *
 * Layout: how it is packed (1 byte), mark of the key (4), nonce (12), ciphertext, tag (16).
 */
export interface RecordKey {
  /** Tells which key a record was sealed with, and nothing about it. */
  mark: Buffer
  sealing: KeyObject
  hashing: KeyObject
  /** The same as `hashing`, prepared for words. */
  words: ShortKey
}

const algorithm = 'aes-256-gcm'
const packings = { plain: 1, zstd: 2 } as const
const headLength = 1 + 4
const nonceLength = 12
const tagLength = 16

const hmac = (secret: Buffer | KeyObject, text: string) => createHmac('sha256', secret).update(text).digest()

/** Sealing and hashing have keys of their own, made from the one that is kept. */
export function recordKey(secret: Buffer): RecordKey {
  const hashing = hmac(secret, 'hashing')
  return {
    mark: hmac(secret, 'mark').subarray(0, 4),
    sealing: createSecretKey(hmac(secret, 'sealing')),
    hashing: createSecretKey(hashing),
    words: shortKey(hashing),
  }
}

/** Shorter ones do not get any shorter. */
const minPacked = 1024

/** Room for what comes out: the standard is so large that making it takes as long as packing a small record. */
const roomFor = (bytes: number) => ({ chunkSize: Math.min(Math.max(bytes, 4096), 65_536) })

/** Looks back no further than there is anything: to make room for more takes a third of the time, for a small record. */
const windowFor = (bytes: number) => ({
  [constants.ZSTD_c_windowLog]: Math.min(Math.max(Math.ceil(Math.log2(bytes)), 10), 21),
})

const nonces = Buffer.alloc(nonceLength * 256)
let drawn = nonces.length

/** Drawn many at a time, which costs as much as one; each is used once. */
function newNonce(): Buffer {
  if (drawn === nonces.length) {
    randomFillSync(nonces)
    drawn = 0
  }
  drawn += nonceLength
  return nonces.subarray(drawn - nonceLength, drawn)
}

export function sealRecord(key: RecordKey, plain: string | Buffer, place: string): Buffer {
  const bytes = typeof plain === 'string' ? utf8Of(plain) : plain
  const packed = bytes.length >= minPacked
  const nonce = newNonce()
  const cipher = createCipheriv(algorithm, key.sealing, nonce).setAAD(Buffer.from(place))
  const body = cipher.update(
    packed ? zstdCompressSync(bytes, { ...roomFor(bytes.length), params: windowFor(bytes.length) }) : bytes,
  )
  cipher.final()
  const packing = Buffer.of(packed ? packings.zstd : packings.plain)
  return Buffer.concat([packing, key.mark, nonce, body, cipher.getAuthTag()])
}

/** Fails for a record that was sealed with another key, for another place, or changed since. */
export function openRecord(key: RecordKey, sealed: Buffer, place: string): Buffer {
  if (!isSealedWith(key, sealed)) throw new Error('The record was sealed with another key.')
  const start = headLength + nonceLength
  const decipher = createDecipheriv(algorithm, key.sealing, sealed.subarray(headLength, start), {
    authTagLength: tagLength,
  })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(-tagLength))
  const body = decipher.update(sealed.subarray(start, -tagLength))
  decipher.final()
  if (sealed[0] === packings.plain) return body
  if (sealed[0] === packings.zstd) return zstdDecompressSync(body, roomFor(4 * body.length))
  throw new Error('The record has an unknown layout.')
}

export const isSealedWith = ({ mark }: RecordKey, sealed: Buffer): boolean =>
  sealed.length >= headLength + nonceLength + tagLength && mark.readUInt32BE() === sealed.readUInt32BE(1)

/** The same for the same text under the same key, and nothing that could be guessed without it. */
export const digestOf = (key: RecordKey, text: string): Buffer => hmac(key.hashing, `record ${text}`).subarray(0, 16)

/** A word for an index that nobody can read without the key: as many bits as a number holds exactly. */
export const blindWord = (key: RecordKey, word: string): number =>
  shortHmac(key.words, `word ${word}`) ?? Number(hmac(key.hashing, `word ${word}`).readBigUInt64BE() >> 11n)
