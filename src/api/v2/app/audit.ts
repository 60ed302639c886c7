import { readTrail } from '../../../domain/audit/read-trail.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appTenant } from '../../tenants.ts'
import { askedIn, auditPage, auditQuery, auditView } from '../views/audit.ts'

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/audit',
  scope: 'app:integration-read',
  right: 'read-audit',
  extension: true,
  summary: 'Search the audit trail of the app',
  description: 'Who did what in the app, on which record, when, and from which request; newest first.',
  find: async ({ caller }) => appTenant(caller),
  query: auditQuery,
  returns: auditPage,
  async handle({ context, found, query }) {
    const { entries, cursor } = await readTrail(context, found, askedIn(query))
    return { data: entries.map(auditView), meta: { next_cursor: cursor } }
  },
})

export const appAudit = [list]
