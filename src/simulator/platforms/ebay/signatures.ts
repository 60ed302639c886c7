import { createPrivateKey, createPublicKey, hash, sign, verify } from 'node:crypto'
import type { Call } from '../../http/route.ts'

/** What an app has for signing what it sends: the pair that eBay prints for trying it out, which is that of RFC 9421. */
export const signingKeys = {
  jwe: [
    'eyJ6aXAiOiJERUYiLCJlbmMiOiJBMjU2R0NNIiwidGFnIjoiSGdLcjNSSWFlZll0Mkd4blBUUTEwUSIsImFsZyI6IkEyNTZHQ01LVyIsIml2IjoiQTVOQXFYUXlITkNIT01GVSJ9',
    'z3JcS0vvxrYboqpySAq_Znww-3V6AllxmJP5JEMkuLY',
    'K1f4MVMEc8ylbfSS',
    'fASwJyMCk2tXZsNWk13IcuVgSWTOcynSdAoJrK4WApZANlxAP9J0qr0Jz_4aFldFDSZ5tfuxLGqzJmWU7CiZWwNjk2XoVy8q5ogMrFNFwFXP4SrX1XORhNLZPTyS5DEqLDPYn2NX944xendEwfcxxXsTSeNCUnmSyfitiscUC04GYOfn0UWQ2buSWx7Yod0IR2GtTGUsM9o3J-riuNDKhw',
    'rRsWM1Sl_2stTnZLJkWVmQ',
  ].join('.'),
  privateKey: 'MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF',
}

const keyOf = (base64: string) => createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' })
const verifying = createPublicKey(keyOf(signingKeys.privateKey))

const covered = ['content-digest', 'x-ebay-signature-key', '@method', '@path', '@authority']

/** Whether a call carries the signature that sellers in the EU and the United Kingdom owe where money goes back. */
export function isSigned(call: Call): boolean {
  const [, listed = '', created] = /^sig1=\(([^)]*)\);created=(\d+)$/.exec(call.header('signature-input') ?? '') ?? []
  const authority = URL.parse(call.origin)?.host ?? ''
  const derived: Readonly<Record<string, string>> = {
    ...{ '@method': call.method, '@path': call.path, '@authority': authority },
  }
  const names = [...listed.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
  const base = [
    ...names.map((name) => `"${name}": ${derived[name] ?? call.header(name)}`),
    `"@signature-params": (${listed});created=${created}`,
  ].join('\n')
  const signature = Buffer.from(/^sig1=:(.+):$/.exec(call.header('signature') ?? '')?.[1] ?? '', 'base64')
  return (
    covered.every((name) => names.includes(name)) &&
    call.header('content-digest') === `sha-256=:${hash('sha256', call.raw, 'base64')}:` &&
    call.header('x-ebay-signature-key') === signingKeys.jwe &&
    verify(null, Buffer.from(base), verifying, signature)
  )
}

/** What eBay itself signs with, made for this: the same in every simulator, so that all sign alike. */
const own = keyOf(
  'MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg0iXv/tucIcLwjkGvZMYBBG1KcwkdP+lSx8fh7qpo+lehRANCAAQTThP+YBF1ZniOFfwmhCWfKac0xIEt8tI39J2VkhUovUp07MkkNxOjoMEeu/WBLVkn2P62y7HvFbIZJJDuSY0e',
)
export const ownKeyId = '9936261a-7d7b-4621-a0f1-96ccb428af49'
const ownPublic = createPublicKey(own).export({ format: 'der', type: 'spki' }).toString('base64')

export const publicKeyView = {
  ...{ algorithm: 'ECDSA', digest: 'SHA1' },
  key: `-----BEGIN PUBLIC KEY-----${ownPublic}-----END PUBLIC KEY-----`,
}

export function signatureOf(body: string): string {
  const signature = sign('SHA1', Buffer.from(body), own).toString('base64')
  return Buffer.from(JSON.stringify({ alg: 'ecdsa', kid: ownKeyId, signature, digest: 'SHA1' })).toString('base64')
}
