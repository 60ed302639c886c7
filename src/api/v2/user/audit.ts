import { Readable } from 'node:stream'
import { auditScopeOf, exportTrail, maxExported, readTrail } from '../../../domain/audit/read-trail.ts'
import { object } from '../../../lib/validation/fields.ts'
import { answer } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { askedIn, auditFilters, auditPage, auditQuery, auditView } from '../views/audit.ts'

const seen = 'Admins see everything, others what concerns their company; whoever has none, what they did themselves.'

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/audit',
  right: 'read-audit',
  extension: true,
  summary: 'Search the audit trail',
  description: `Who did what, on which record, when, and from which request; newest first. ${seen}`,
  query: auditQuery,
  returns: auditPage,
  async handle({ context, caller, query }) {
    const { entries, cursor } = await readTrail(context, auditScopeOf(caller), askedIn(query))
    return { data: entries.map(auditView), meta: { next_cursor: cursor } }
  },
})

const exported = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/audit/export',
  right: 'read-audit',
  extension: true,
  summary: 'Export the audit trail',
  description: `One JSON object a line, newest first, ${maxExported.toLocaleString('en')} lines at most; for more, ask for the time before the last line. ${seen}`,
  audits: 'export',
  query: object(auditFilters),
  returns: answer(),
  handle: async ({ context, caller, query }) => ({
    status: 200,
    headers: {
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.ndjson"',
    },
    body: Readable.from(lines(context, caller, query)),
  }),
})

async function* lines(
  context: Parameters<typeof exportTrail>[0],
  caller: Parameters<typeof auditScopeOf>[0],
  filter: Parameters<typeof exportTrail>[2],
): AsyncGenerator<string> {
  for await (const entry of exportTrail(context, auditScopeOf(caller), filter)) {
    yield `${JSON.stringify(auditView(entry))}\n`
  }
}

export const userAudit = [list, exported]
