import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** An authenticator of the W3C's Web Authentication, without a browser around it: so it can also be a bad one. */

interface Ceremony {
  challenge: string
}

export interface Slips {
  origin?: string
  rpId?: string
  /** Whether it has seen the person. */
  verified?: boolean
  counter?: number
  type?: string
  userHandle?: string
}

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** CBOR of a text or of bytes: their kind and length, and they themselves. */
function cbor(kind: 2 | 3, content: Buffer): Buffer {
  const { length } = content
  const head = length < 24 ? [(kind << 5) | length] : [(kind << 5) | 25, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}
const text = (word: string) => cbor(3, Buffer.from(word))

export function softwareAuthenticator(origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 0x20]), Buffer.from(value, 'base64url')])
  const coseKey = Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x),
    coordinate(0x22, y),
  ])
  const credentialId = randomBytes(32)
  const id = base64url(credentialId)
  let uses = 0
  let handle: string | undefined

  const clientData = (type: string, { challenge }: Ceremony, slips: Slips) =>
    Buffer.from(
      JSON.stringify({ type: slips.type ?? type, challenge, origin: slips.origin ?? origin, crossOrigin: false }),
    )

  function authenticatorData(slips: Slips, attested: Buffer = Buffer.alloc(0)): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(slips.counter ?? uses)
    const flags = 0x01 | (slips.verified === false ? 0 : 0x04) | (attested.length > 0 ? 0x40 : 0)
    const rpId = slips.rpId ?? new URL(origin).hostname
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, attested])
  }

  return {
    id,
    register(options: Ceremony & { user: { id: string } }, slips: Slips = {}) {
      handle = options.user.id
      uses++
      const length = Buffer.from([0, credentialId.length])
      const data = authenticatorData(slips, Buffer.concat([Buffer.alloc(16), length, credentialId, coseKey]))
      const attestation = [
        Buffer.from([0xa3]),
        ...[text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0]), text('authData'), cbor(2, data)],
      ]
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', options, slips)),
          attestationObject: base64url(Buffer.concat(attestation)),
        },
      }
    },
    prove(options: Ceremony, slips: Slips = {}) {
      uses++
      const client = clientData('webauthn.get', options, slips)
      const data = authenticatorData(slips)
      const userHandle = slips.userHandle ?? handle
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(client),
          authenticatorData: base64url(data),
          signature: base64url(sign('sha256', Buffer.concat([data, sha256(client)]), privateKey)),
          ...(userHandle !== undefined && { userHandle }),
        },
      }
    },
  }
}
