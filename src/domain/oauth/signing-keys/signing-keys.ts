import { type CryptoKey, exportJWK, exportPKCS8, generateKeyPair, importJWK, importPKCS8 } from 'jose'
import { randomSecret } from '../../../lib/secret.ts'
import { open, rewrap, seal, sealedWith } from '../../../lib/secret-box.ts'
import type { Db } from '../../../runtime/db/connection.ts'
import type { Context } from '../../context.ts'
import {
  insertSigningKey,
  readCurrentKeyId,
  readPublicKey,
  readPublicKeys,
  readSigningKey,
  readSigningKeys,
  replaceSealedKey,
  retireCurrentKey,
} from './signing-key-store.ts'

/**
 * Ed25519 keys for access tokens. Which one signs is asked of the database each time, so that a rotation is heeded by
 * every process at once; the keys themselves never change and are kept by their random id.
 */
const algorithm = 'EdDSA'
const signing = new Map<string, CryptoKey>()
const verifying = new Map<string, CryptoKey>()
/** Keys in memory; a program that sees more databases than this in its life is a test run. */
const maxKept = 100

type KeyContext = Pick<Context, 'db' | 'keys'>

const place = (kid: string) => `signing_keys|private_key|${kid}`

/** The key to sign with, made on first need. */
export async function currentSigningKey(context: KeyContext): Promise<{ kid: string; key: CryptoKey }> {
  const kid = (await readCurrentKeyId(context.db)) ?? (await makeFirstKey(context))
  const known = signing.get(kid)
  if (known) return { kid, key: known }
  const stored = await readSigningKey(context.db, kid)
  const key = await importPKCS8(open(context.keys, stored.private_key, place(kid)), algorithm)
  return { kid, key: keep(signing, kid, key) }
}

async function makeFirstKey(context: KeyContext): Promise<string> {
  const made = await makeKey(context)
  if (await insertSigningKey(context.db, made)) return made.kid
  const other = await readCurrentKeyId(context.db)
  if (other === null) throw new Error('There is no signing key, and none could be made.')
  return other
}

/** A new key signs from now on; what the old ones signed stays valid until it expires. */
export async function rotateSigningKey(context: KeyContext & Pick<Context, 'transaction'>): Promise<string> {
  const made = await makeKey(context)
  await context.transaction(async (trx) => {
    await retireCurrentKey(trx)
    await insertSigningKey(trx, made)
  })
  return (await readCurrentKeyId(context.db)) ?? made.kid
}

async function makeKey(context: KeyContext) {
  const { publicKey, privateKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true })
  const kid = randomSecret(22)
  const { kty, crv, x } = await exportJWK(publicKey)
  if (!kty || !crv || !x) throw new Error('The key that was made is not an Ed25519 key.')
  return {
    kid,
    publicJwk: { kty, crv, x },
    privateKey: seal(context.keys, await exportPKCS8(privateKey), place(kid)),
  }
}

/** Seals every signing key with the newest master key, so that older ones can be thrown away. Returns how many. */
export async function rewrapSigningKeys(context: KeyContext): Promise<number> {
  const stored = await readSigningKeys(context.db)
  const old = stored.filter(({ private_key }) => sealedWith(private_key) !== context.keys[0].id)
  for (const { kid, private_key } of old) {
    await replaceSealedKey(context.db, kid, rewrap(context.keys, private_key, place(kid)))
  }
  return old.length
}

/** The key that verifies a token which names `kid`, or null if we never had it or no longer trust it. */
export async function verificationKey(db: Db, kid: string): Promise<CryptoKey | null> {
  const known = verifying.get(kid)
  if (known) return known
  if (!/^[A-Za-z0-9]{22}$/.test(kid)) return null
  const jwk = await readPublicKey(db, kid)
  if (jwk === null) return null
  const key = await importJWK({ ...jwk }, algorithm)
  return key instanceof Uint8Array ? null : keep(verifying, kid, key)
}

/** The public half of every key in use, for those who verify our tokens themselves. */
export async function publicKeys(db: Db) {
  const keys = await readPublicKeys(db)
  return keys.map(({ kid, publicJwk }) => ({ ...publicJwk, kid, use: 'sig', alg: algorithm }))
}

function keep(keys: Map<string, CryptoKey>, kid: string, key: CryptoKey): CryptoKey {
  if (keys.size >= maxKept) keys.clear()
  keys.set(kid, key)
  return key
}
