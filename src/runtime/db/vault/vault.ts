import { randomBytes } from 'node:crypto'
import { CompiledQuery, sql } from 'kysely'
import { Fault, notFound, unavailable } from '../../../lib/fault.ts'
import { isSealedWith, openRecord, type RecordKey, recordKey } from '../../../lib/sealing/record-box.ts'
import { type KeyRing, open, seal } from '../../../lib/secret-box.ts'
import { takeTurns } from '../../../lib/turns/turns.ts'
import { afterCommit } from '../commit/around-commit.ts'
import type { Db } from '../connection.ts'
import type { Listener } from '../listener.ts'
import { type KnownKey, type Through, type Vault, vaultOf } from './bind-vault.ts'

export { createVault, type KnownKey, type Through, type Vault } from './bind-vault.ts'

const maxKnown = 5000

export const privacyKeyPlace = (integrationId: number): string => `privacy_keys.sealed/${integrationId}`

interface KeyRow {
  integration_id: number
  sealed: Buffer
  /** How many had been dropped when it was read. */
  drops: number
}

/** The same statement, whatever it goes through. */
async function ask<Row>(through: Through, text: string, values: unknown[]): Promise<Row[]> {
  if (!('getExecutor' in through)) return (await through.query<Row & object>(text, values)).rows
  return (await through.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
}

async function readRows(through: Through, { drops }: Vault, ids: readonly number[]): Promise<KeyRow[]> {
  const text = 'select integration_id, sealed from privacy_keys where integration_id = any($1::bigint[])'
  return (await ask<Omit<KeyRow, 'drops'>>(through, text, [ids])).map((row) => ({ ...row, drops }))
}

/** A new one, wrapped as it is kept. */
export const newPrivacyKey = (keys: KeyRing, integrationId: number): Buffer =>
  seal(keys, randomBytes(32).toString('base64'), privacyKeyPlace(integrationId))

/** Unless there is one, or no such integration. */
async function makeKey(through: Through, { keys }: Vault, id: number): Promise<void> {
  const made = newPrivacyKey(keys, id)
  const text = `
    insert into privacy_keys (integration_id, sealed, key_id)
    select integration_id, $2, $3 from integration_state where integration_id = $1
    on conflict (integration_id) do nothing`
  await ask(through, text, [id, made, keys[0].id])
}

/** Null for a key that no master key opens any longer: what it sealed is lost, which is nobody's failure now. */
function opened(vault: Vault, { integration_id: id, sealed, drops }: KeyRow): RecordKey | null {
  const known = vault.known.get(id)
  vault.known.delete(id)
  const key = known?.sealed.equals(sealed) ? known.key : unwrapped(vault, id, sealed)
  if (key === null) return null
  // One that was dropped since may be this: it is for what is being done, and not kept.
  if (vault.drops !== drops) return key
  vault.known.set(id, { sealed, key })
  const [oldest] = vault.known.keys()
  if (vault.known.size > maxKnown && oldest !== undefined) vault.known.delete(oldest)
  return key
}

function unwrapped({ keys, log }: Vault, id: number, sealed: Buffer): RecordKey | null {
  try {
    return recordKey(Buffer.from(open(keys, sealed, privacyKeyPlace(id)), 'base64'))
  } catch (error) {
    log.error({ err: error, integration_id: id }, 'the key of customer data does not open')
    return null
  }
}

/**
 * The keys of integrations for sealing, each made with the first record. They are read each time, so that nothing is sealed with
 * a key that was destroyed in the meantime. A key that does not open stays as it is: records are sealed when it does again.
 */
export async function keysForSealing(
  through: Through,
  integrationIds: readonly number[],
): Promise<(integrationId: number) => RecordKey> {
  const vault = vaultOf(through)
  const found = new Map<number, RecordKey>()
  let missing = [...new Set(integrationIds)]
  for (let look = 0; look < 3 && missing.length > 0; look++) {
    if (look > 0) for (const id of missing) await makeKey(through, vault, id)
    for (const row of await readRows(through, vault, missing)) {
      const key = opened(vault, row)
      if (key === null) throw unavailable(60)
      found.set(row.integration_id, key)
    }
    missing = missing.filter((id) => !found.has(id))
  }
  if (missing.length > 0) throw notFound()
  return (id) => found.get(id) ?? unknownKey(id)
}

/**
 * The keys of these integrations as they were last read, each with what shows in the table that it has not been destroyed since; null where
 * one has to be looked up. Whoever seals with them has the statement that stores it make sure of that.
 */
export function keysOnceRead(through: Through, integrationIds: readonly number[]): Map<number, KnownKey> | null {
  const { known } = vaultOf(through)
  const found = new Map<number, KnownKey>()
  for (const id of integrationIds) {
    const key = known.get(id)
    if (!key) return null
    found.set(id, key)
  }
  return found
}

/** The key that an integration's records are opened with just now; null where it would have to be read first, or there is none. */
export const keyInMemory = (through: Through, integrationId: number): RecordKey | null =>
  vaultOf(through).known.get(integrationId)?.key ?? null

export function unknownKey(id: number): never {
  throw new Error(`The key of integration ${id} was not asked for.`)
}

export async function keyForSealing(through: Through, integrationId: number): Promise<RecordKey> {
  const keyOf = await keysForSealing(through, [integrationId])
  return keyOf(integrationId)
}

/**
 * For what is worth less than the work it reports on: null where one of the integrations has left, or its key does not open,
 * and then nothing of it is kept.
 */
export async function keysForSealingOrNull(
  through: Through,
  integrationIds: readonly number[],
): Promise<((integrationId: number) => RecordKey) | null> {
  try {
    return await keysForSealing(through, integrationIds)
  } catch (error) {
    if (error instanceof Fault) return null
    throw error
  }
}

/** The keys of these integrations, so far as there are any. */
export async function keysForOpening(
  through: Through,
  integrationIds: readonly number[],
): Promise<Map<number, RecordKey>> {
  const vault = vaultOf(through)
  const found = new Map<number, RecordKey>()
  const missing = new Set<number>()
  for (const id of integrationIds) {
    const known = vault.known.get(id)
    if (known) found.set(id, known.key)
    else missing.add(id)
  }
  if (missing.size === 0) return found
  const rows = await readRows(through, vault, [...missing])
  // Some thousand keys take a second, in which others want an answer.
  const turns = takeTurns({ isBegun: true })
  for (const row of rows) {
    const key = opened(vault, row)
    if (key) found.set(row.integration_id, key)
    await turns.yield()
  }
  return found
}

export interface SealedRecord {
  integrationId: number
  sealed: Buffer
  place: string
}

/**
 * Each record in the clear; null where it cannot be opened any longer. A key that another process has made anew since is
 * read again. One that was moved or changed is reported, and harms no other.
 */
export async function openRecords(through: Through, records: readonly SealedRecord[]): Promise<(Buffer | null)[]> {
  if (records.length === 0) return []
  const vault = vaultOf(through)
  const ids = new Set(records.map(({ integrationId }) => integrationId))
  const keys = await keysForOpening(through, [...ids])
  const stale = new Set<number>()
  for (const { integrationId, sealed } of records) {
    const key = keys.get(integrationId)
    if (key && !isSealedWith(key, sealed)) stale.add(integrationId)
  }
  if (stale.size > 0) {
    for (const row of await readRows(through, vault, [...stale])) {
      const key = opened(vault, row)
      if (key) keys.set(row.integration_id, key)
    }
  }
  return records.map((record) => openOne(vault, keys.get(record.integrationId), record))
}

/** What each of these rows has sealed; null where it cannot be opened any longer. Rows that have nothing sealed are left out. */
export async function openEach<Row>(
  through: Through,
  rows: readonly Row[],
  sealedIn: (row: Row) => SealedRecord | null,
): Promise<Map<Row, Buffer | null>> {
  const sealed = rows.flatMap((row) => {
    const record = sealedIn(row)
    return record ? [{ row, record }] : []
  })
  const opened = await openRecords(
    through,
    sealed.map(({ record }) => record),
  )
  return new Map(sealed.map(({ row }, n) => [row, opened[n] ?? null]))
}

function openOne({ log }: Vault, key: RecordKey | undefined, { sealed, place }: SealedRecord): Buffer | null {
  // Sealed with a key that is gone: erased, as was intended.
  if (!key || !isSealedWith(key, sealed)) return null
  try {
    return openRecord(key, sealed, place)
  } catch {
    log.error({ place }, 'sealed customer data does not open: it was changed, or belongs elsewhere')
    return null
  }
}

const channel = 'entrepot_privacy_keys'

/** What was sealed with it is erased, here as soon as the transaction commits, in other processes when they hear of it. */
export async function destroyKey(trx: Db, integrationId: number): Promise<void> {
  const vault = vaultOf(trx)
  await sql`delete from privacy_keys where integration_id = ${integrationId}`.execute(trx)
  await sql`select pg_notify(${channel}, ${String(integrationId)})`.execute(trx)
  afterCommit(trx, () => drop(vault, integrationId))
}

function drop(vault: Vault, integrationId: number): void {
  vault.known.delete(integrationId)
  vault.drops++
}

function dropAll(vault: Vault): void {
  vault.known.clear()
  vault.drops++
}

/** Drops keys that others destroy. What was said while nobody listened is lost, so all of them are dropped then. */
export function listenForDestroyedKeys(vault: Vault, listener: Pick<Listener, 'on' | 'onConnect' | 'onDisconnect'>) {
  listener.on(channel, (id) => drop(vault, Number(id)))
  listener.onConnect(() => dropAll(vault))
  listener.onDisconnect(() => dropAll(vault))
}
