import type { Kysely } from 'kysely'
import type { RecordKey } from '../../../lib/sealing/record-box.ts'
import type { KeyRing } from '../../../lib/secret-box.ts'
import type { Log } from '../../log.ts'
import type { Reader } from '../lists/paginate.ts'
import type { Tables } from '../tables.gen.ts'

/**
 * The keys that customer data is sealed with: one for each integration, wrapped by the master keys, in a table of its own.
 * Whoever destroys the row has erased the data, in every copy of the database that has no copy of that table. A process
 * keeps the keys it has opened, and drops them as soon as it hears that one is gone.
 */
export interface Vault {
  keys: KeyRing
  log: Log
  /** Opened ones, those that were used longest ago first. */
  known: Map<number, KnownKey>
  /** How often some were dropped: what was read before that may be gone. */
  drops: number
}

export interface KnownKey {
  sealed: Buffer
  key: RecordKey
}

export const createVault = ({ keys, log }: Pick<Vault, 'keys' | 'log'>): Vault => ({
  ...{ keys, log },
  known: new Map(),
  drops: 0,
})

/** Whatever statements go through: a database, a transaction on it, or its reader. */
export type Through = Kysely<Tables> | Reader

const vaults = new WeakMap<object, Vault>()

/** What a transaction shares with its database is the adapter. */
const anchorOf = (through: Through): object => ('getExecutor' in through ? through.getExecutor().adapter : through)

/** From now on everything that goes through these finds the vault. */
export function bindVault(vault: Vault, ...through: readonly Through[]): void {
  for (const one of through) vaults.set(anchorOf(one), vault)
}

export function vaultOf(through: Through): Vault {
  const vault = vaults.get(anchorOf(through))
  if (!vault) throw new Error('This database was opened without keys.')
  return vault
}
