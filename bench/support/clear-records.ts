import { registerHooks } from 'node:module'

/**
 * Preloaded by a worker: the program as it would be if customer data were not sealed. Records are packed as they are, since
 * PostgreSQL packed them before; nothing is encrypted, compared by a keyed hash or indexed word by word.
 */
const clear = `
  import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
  const [head, foot] = [Buffer.alloc(12), Buffer.alloc(16)]
  export const recordKey = (secret) => ({ mark: secret.subarray(0, 4) })
  export function sealRecord(key, plain) {
    const bytes = typeof plain === 'string' ? Buffer.from(plain) : plain
    const isPacked = bytes.length >= 1024
    return Buffer.concat([Buffer.of(isPacked ? 2 : 1), key.mark, head, isPacked ? zstdCompressSync(bytes) : bytes, foot])
  }
  export function openRecord(key, sealed) {
    const body = sealed.subarray(17, -16)
    return sealed[0] === 2 ? zstdDecompressSync(body) : body
  }
  export const isSealedWith = () => true
  export const digestOf = () => foot
  export const blindWord = () => 0
`

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('/src/lib/sealing/record-box.ts')) return next(url, context)
    return { format: 'module', shortCircuit: true, source: clear }
  },
})
