import type { Db } from '../../runtime/db/connection.ts'
import type { Context } from '../context.ts'
import { type AuditFacts, macOf } from './audit-entry.ts'
import { auditKey } from './audit-key.ts'
import { insertEntry } from './audit-store.ts'

/** Where entries are appended. */
export interface Trail {
  /** In the transaction of what it is about, or by itself. */
  append(db: Db, facts: AuditFacts): Promise<void>
}

/** The key is read once: it never changes. */
export async function openTrail(context: Pick<Context, 'db' | 'keys'>): Promise<Trail> {
  const key = await auditKey(context)
  return {
    async append(db, facts) {
      const at = new Date().toISOString()
      await insertEntry(db, { ...facts, at, mac: macOf(key, at, facts) })
    },
  }
}

/** What is the same in most entries. */
export const bareFacts = {
  detail: null,
  outcome: 'done',
  user_id: null,
  client_id: null,
  account_id: null,
  app_id: null,
  integration_id: null,
  record_type: null,
  record_id: null,
  fields: [],
  address: null,
  request_id: null,
} as const satisfies Partial<AuditFacts>
