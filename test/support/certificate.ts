import { createSign, generateKeyPairSync } from 'node:crypto'

/** A certificate of our own for some names, made on the spot so that no key lies in the repository. */
export function makeCertificate(names: readonly string[]): { cert: string; key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
  const name = sequence(node(0x31, sequence(oid(0x55, 0x04, 0x03), node(0x0c, Buffer.from('entrepot tests')))))
  const alternatives = node(0x04, sequence(...names.map((each) => node(0x82, Buffer.from(each)))))
  const body = sequence(
    node(0xa0, integer(2)),
    integer(1),
    algorithm,
    name,
    sequence(node(0x17, Buffer.from('200101000000Z')), node(0x17, Buffer.from('491231235959Z'))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    node(0xa3, sequence(sequence(oid(0x55, 0x1d, 0x11), alternatives))),
  )
  const signature = createSign('sha256').update(body).sign(privateKey)
  const der = sequence(body, algorithm, node(0x03, Buffer.concat([Buffer.of(0), signature])))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function node(tag: number, content: Buffer): Buffer {
  const { length } = content
  const header = length < 128 ? [tag, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(header), content])
}

const sequence = (...parts: Buffer[]) => node(0x30, Buffer.concat(parts))
const oid = (...bytes: number[]) => node(0x06, Buffer.from(bytes))
const integer = (value: number) => node(0x02, Buffer.of(value))
