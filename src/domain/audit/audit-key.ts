import { randomBytes } from 'node:crypto'
import { open, seal } from '../../lib/secret-box.ts'
import type { Context } from '../context.ts'
import { insertAuditKey, readAuditKey } from './audit-store.ts'

export const auditKeyPlace = 'audit_keys.sealed/1'

/**
 * What entries and blocks are keyed with, made on first need. It is random and sealed, not derived from a master key, so that a
 * trail can be verified after those have been replaced.
 */
export async function auditKey({ db, keys }: Pick<Context, 'db' | 'keys'>): Promise<Buffer> {
  const known = await readAuditKey(db)
  if (known) return Buffer.from(open(keys, known, auditKeyPlace), 'base64')
  const made = seal(keys, randomBytes(32).toString('base64'), auditKeyPlace)
  await insertAuditKey(db, { sealed: made, keyId: keys[0].id })
  return await auditKey({ db, keys })
}
