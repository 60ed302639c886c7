import { createPublicKey, hash, verify } from 'node:crypto'
import type { RemoteAnswer } from '../../commerce/remote.ts'
import type { StandCall } from '../../commerce/stand.ts'

/** The key pair that eBay prints for trying signatures out; it is the one of RFC 9421 as well. */
export const testKeys = {
  jwe: [
    'eyJ6aXAiOiJERUYiLCJlbmMiOiJBMjU2R0NNIiwidGFnIjoiSGdLcjNSSWFlZll0Mkd4blBUUTEwUSIsImFsZyI6IkEyNTZHQ01LVyIsIml2IjoiQTVOQXFYUXlITkNIT01GVSJ9',
    'z3JcS0vvxrYboqpySAq_Znww-3V6AllxmJP5JEMkuLY',
    'K1f4MVMEc8ylbfSS',
    'fASwJyMCk2tXZsNWk13IcuVgSWTOcynSdAoJrK4WApZANlxAP9J0qr0Jz_4aFldFDSZ5tfuxLGqzJmWU7CiZWwNjk2XoVy8q5ogMrFNFwFXP4SrX1XORhNLZPTyS5DEqLDPYn2NX944xendEwfcxxXsTSeNCUnmSyfitiscUC04GYOfn0UWQ2buSWx7Yod0IR2GtTGUsM9o3J-riuNDKhw',
    'rRsWM1Sl_2stTnZLJkWVmQ',
  ].join('.'),
  privateKey: 'MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF',
}

const publicKey = createPublicKey(
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAJrQLj5P/89iXES9+vFgrIy29clF9CC/oPPsw3c5D0bs=\n-----END PUBLIC KEY-----',
)

/** What eBay says to a message that should be signed and is not; null if it is. The seller lives in the EU. */
export function signatureRefusal({ url, request: { method, headers = {}, body } }: StandCall): RemoteAnswer | null {
  const [, listed = '', created] = /^sig1=\(([^)]*)\);created=(\d+)$/.exec(headers['signature-input'] ?? '') ?? []
  const { pathname, host } = new URL(url)
  const known: Readonly<Record<string, string | undefined>> = {
    ...headers,
    '@method': method,
    '@path': pathname,
    '@authority': host,
  }
  const names = [...listed.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name)
  const base = [
    ...names.map((name) => `"${name}": ${known[name]}`),
    `"@signature-params": (${listed});created=${created}`,
  ]
  const digest = typeof body === 'string' ? `sha-256=:${hash('sha256', body, 'base64')}:` : undefined
  const signature = Buffer.from(/^sig1=:(.+):$/.exec(headers['signature'] ?? '')?.[1] ?? '', 'base64')
  const covers = ['content-digest', 'x-ebay-signature-key', '@method', '@path', '@authority'].every((name) =>
    names.includes(name),
  )
  const isRight =
    covers &&
    headers['content-digest'] === digest &&
    headers['x-ebay-signature-key'] === testKeys.jwe &&
    verify(null, Buffer.from(base.join('\n')), publicKey, signature)
  const error = { errorId: 215_001, message: 'The message signature is missing or wrong.' }
  return isRight ? null : { status: 403, headers: {}, body: { errors: [error] } }
}
