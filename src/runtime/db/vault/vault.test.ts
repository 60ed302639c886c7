import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestContext, type TestContext } from '../../../../test/support/context.ts'
import { newKeys, newVault } from '../../../../test/support/vault.ts'
import { sealRecord } from '../../../lib/sealing/record-box.ts'
import { createLog } from '../../log.ts'
import { openDatabase } from '../connection.ts'
import { openListener } from '../listener.ts'
import type { Reader } from '../lists/paginate.ts'
import { bindVault } from './bind-vault.ts'
import {
  destroyKey,
  keyForSealing,
  keysForOpening,
  listenForDestroyedKeys,
  newPrivacyKey,
  openRecords,
} from './vault.ts'

let tested: TestContext
beforeAll(async () => {
  tested = await createTestContext('nobody')
})
afterAll(() => tested.close())

/** Another process on the same database, that hears what the others say. */
async function openProcess() {
  const log = createLog('silent')
  const vault = newVault(tested.context.keys)
  const database = openDatabase({ url: tested.url, log, vault, max: 2, applicationName: 'another process' })
  const listener = openListener({ url: tested.url, log })
  listenForDestroyedKeys(vault, listener)
  await listener.begun
  const close = async () => {
    await listener.close()
    await database.close()
  }
  return { db: database.db, vault, close }
}

async function sealed(integrationId: number) {
  await tested.database.query('insert into integration_state (integration_id) values ($1) on conflict do nothing', [
    integrationId,
  ])
  const key = await keyForSealing(tested.context.db, integrationId)
  const place = `place of ${integrationId}`
  return { integrationId, place, sealed: sealRecord(key, 'somebody', place) }
}

test('a key that one process destroys is forgotten by the others, which keep those that are not', async () => {
  const other = await openProcess()
  try {
    const records = [await sealed(1), await sealed(2)]
    const read = async () => (await openRecords(other.db, records)).map((bytes) => bytes?.toString() ?? null)
    expect(await read()).toEqual(['somebody', 'somebody'])
    await tested.context.transaction((trx) => destroyKey(trx, 1))
    await expect.poll(read).toEqual([null, 'somebody'])
    expect([...other.vault.known.keys()]).toEqual([2])
  } finally {
    await other.close()
  }
})

test('a key that is destroyed while it is being read is not kept', async () => {
  const vault = newVault(tested.context.keys)
  const database = openDatabase({ url: tested.url, log: createLog('silent'), vault, max: 2 })
  try {
    const record = await sealed(5)
    const reader: Reader = {
      async query<Row extends object>(text: string, values?: readonly unknown[]) {
        const found = await database.reader.query<Row>(text, values)
        await database.transaction((trx) => destroyKey(trx, 5))
        return found
      },
    }
    bindVault(vault, reader)
    await keysForOpening(reader, [5])
    expect([...vault.known.keys()]).toEqual([])
    expect(await openRecords(database.db, [record])).toEqual([null])
  } finally {
    await database.close()
  }
})

test('nothing is sealed with a key that another process has destroyed, whether or not that was heard', async () => {
  const vault = newVault(tested.context.keys)
  const deaf = openDatabase({
    ...{ url: tested.url, log: createLog('silent'), vault, max: 2, applicationName: 'a deaf process' },
  })
  try {
    const before = await sealed(3)
    expect(await openRecords(deaf.db, [before])).not.toEqual([null])
    await tested.context.transaction((trx) => destroyKey(trx, 3))
    const key = await keyForSealing(deaf.db, 3)
    expect(await openRecords(deaf.db, [before])).toEqual([null])
    const again = { ...before, sealed: sealRecord(key, 'somebody else', before.place) }
    expect((await openRecords(tested.context.db, [again]))[0]?.toString()).toBe('somebody else')
  } finally {
    await deaf.close()
  }
})

test('a key that no master key opens any longer makes nothing fail, and takes nothing new', async () => {
  const record = await sealed(4)
  const strange = openDatabase({
    ...{ url: tested.url, log: createLog('silent'), max: 2, applicationName: 'with other keys' },
    vault: newVault([{ id: 'other', key: randomBytes(32) }]),
  })
  try {
    expect(await openRecords(strange.db, [record])).toEqual([null])
    await expect(keyForSealing(strange.db, 4)).rejects.toMatchObject({ kind: 'unavailable' })
    expect((await openRecords(tested.context.db, [record]))[0]?.toString()).toBe('somebody')
  } finally {
    await strange.close()
  }
})

test('while the keys of very many shops are opened, others have their turn', async () => {
  const keys = newKeys()
  const rows = Array.from({ length: 2000 }, (_, id) => ({ integration_id: id, sealed: newPrivacyKey(keys, id) }))
  const reader = { query: async () => ({ rows }) } as unknown as Reader
  bindVault(newVault(keys), reader)
  let turns = 0
  const others = () => {
    turns++
    next = setImmediate(others)
  }
  let next = setImmediate(others)
  const found = await keysForOpening(
    reader,
    rows.map(({ integration_id: id }) => id),
  )
  clearImmediate(next)
  expect(found.size).toBe(rows.length)
  expect(turns).toBeGreaterThan(3)
})
