import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/**
 * Envelope encryption. Every value gets a data key of its own, wrapped by a master key whose id stands in the value,
 * so that rotating the master key re-wraps 32 bytes and never touches the ciphertext. `place` says where the value
 * lives (table, column, row, tenant) and is authenticated: a ciphertext moved elsewhere does not open.
 */
export interface MasterKey {
  id: string
  key: Buffer
}

/** Newest first: the first seals, all of them open. */
export type KeyRing = readonly [MasterKey, ...MasterKey[]]

const algorithm = 'aes-256-gcm'
const version = 1

function encrypt(key: Buffer, plain: Buffer, place: string): Buffer {
  const nonce = randomBytes(12)
  const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(place))
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
}

function decrypt(key: Buffer, sealed: Buffer, place: string): Buffer {
  if (sealed.length < 28) throw new Error('Sealed value is too short.')
  const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, 12), { authTagLength: 16 })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(12, -16)), decipher.final()])
}

/** Layout: version, length of the key id, key id, wrapped data key (60 bytes), ciphertext. */
const wrappedLength = 12 + 32 + 16

/** `bound`: what else must be the same for it to open. A rotation needs to know only the place. */
export function seal(ring: KeyRing, plain: string, place: string, bound = ''): Buffer {
  const [master] = ring
  const dataKey = randomBytes(32)
  return Buffer.concat([
    header(master.id),
    encrypt(master.key, dataKey, place),
    encrypt(dataKey, Buffer.from(plain), place + bound),
  ])
}

export function open(ring: KeyRing, sealed: Buffer, place: string, bound = ''): string {
  const { keyId, wrapped, body } = split(sealed)
  return decrypt(decrypt(keyOf(ring, keyId), wrapped, place), body, place + bound).toString()
}

/** The same value under the newest master key. */
export function rewrap(ring: KeyRing, sealed: Buffer, place: string): Buffer {
  const { keyId, wrapped, body } = split(sealed)
  const dataKey = decrypt(keyOf(ring, keyId), wrapped, place)
  return Buffer.concat([header(ring[0].id), encrypt(ring[0].key, dataKey, place), body])
}

export const sealedWith = (sealed: Buffer): string => split(sealed).keyId

function header(keyId: string): Buffer {
  const id = Buffer.from(keyId)
  return Buffer.concat([Buffer.from([version, id.length]), id])
}

function split(sealed: Buffer) {
  if (sealed[0] !== version) throw new Error('Sealed value has an unknown layout.')
  const start = 2 + (sealed[1] ?? 0)
  return {
    keyId: sealed.subarray(2, start).toString(),
    wrapped: sealed.subarray(start, start + wrappedLength),
    body: sealed.subarray(start + wrappedLength),
  }
}

function keyOf(ring: KeyRing, id: string): Buffer {
  const master = ring.find((candidate) => candidate.id === id)
  if (!master) throw new Error(`Master key "${id}" is not among ENTREPOT_MASTER_KEYS.`)
  return master.key
}
