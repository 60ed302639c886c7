import { malformed } from '../../lib/fault.ts'
import { isTime } from '../../runtime/db/lists/changes.ts'
import type { Context } from '../context.ts'
import type { UserTenant } from '../tenant.ts'
import { type AuditFilter, type AuditPlace, type AuditScope, readEntries, type ShownEntry } from './audit-store.ts'

export type { AuditFilter, AuditScope, ShownEntry } from './audit-store.ts'

/** Admins see everything, others what concerns their company, and whoever has none what they did themselves. */
export function auditScopeOf({ admin, companyId, userId }: UserTenant): AuditScope {
  if (admin) return { all: true }
  return companyId === null ? { userId } : { companyId }
}

/** A page, newest first; `cursor` is null where there is nothing more. */
export async function readTrail(
  { db }: Pick<Context, 'db'>,
  scope: AuditScope,
  { filter, cursor, limit }: { filter: AuditFilter; cursor: string | null; limit: number },
): Promise<{ entries: ShownEntry[]; cursor: string | null }> {
  const after = cursor === null ? null : placeOf(cursor)
  const found = await readEntries(db, scope, { filter, after, limit: limit + 1 })
  const entries = found.slice(0, limit)
  const last = entries.at(-1)
  return { entries, cursor: found.length > limit && last ? cursorOf(last) : null }
}

const pageSize = 1000
/** Whoever wants more asks for the time before the last line. */
export const maxExported = 200_000

/** All of it, page by page, so that neither we nor the database ever hold more than one. */
export async function* exportTrail(
  context: Pick<Context, 'db'>,
  scope: AuditScope,
  filter: AuditFilter,
): AsyncGenerator<ShownEntry> {
  let after: AuditPlace | null = null
  for (let sent = 0; sent < maxExported; sent += pageSize) {
    const entries: ShownEntry[] = await readEntries(context.db, scope, { filter, after, limit: pageSize })
    yield* entries
    const last = entries.at(-1)
    if (!last || entries.length < pageSize) return
    after = last
  }
}

const cursorOf = ({ at, id }: AuditPlace): string => Buffer.from(`${at}|${id}`).toString('base64url')

function placeOf(cursor: string): AuditPlace {
  const [, at, id] = /^([\d:.TZ-]{20,27})\|(\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined || !isTime(at)) throw malformed('Invalid cursor.')
  return { at, id: Number(id) }
}
