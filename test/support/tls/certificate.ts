import { readFileSync } from 'node:fs'

const read = (name: string) => readFileSync(new URL(name, import.meta.url))

/** For servers of tests, and as the `ca` of their clients. */
export const certificate = { cert: read('cert.pem'), key: read('key.pem') }
