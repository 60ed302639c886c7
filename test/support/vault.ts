import { randomBytes } from 'node:crypto'
import type { KeyRing } from '../../src/lib/secret-box.ts'
import { createVault, type Vault } from '../../src/runtime/db/vault/vault.ts'
import { createLog } from '../../src/runtime/log.ts'

export const newKeys = (): KeyRing => [{ id: 'test', key: randomBytes(32) }]

/** For a database of its own: what is sealed with it opens with nothing else. */
export const newVault = (keys: KeyRing = newKeys()): Vault => createVault({ keys, log: createLog('silent') })
