import { type Static, Type } from 'typebox'
import { auditCallers, auditKinds, auditOutcomes } from '../../../domain/audit/audit-entry.ts'
import type { AuditFilter, ShownEntry } from '../../../domain/audit/read-trail.ts'
import { choice, integer, nullable, object, optional, text } from '../../../lib/validation/fields.ts'
import { raw } from '../../../runtime/http/endpoint.ts'
import { idField, nullableText, timestamp } from './record.ts'

const nullableId = nullable(Type.Integer())

export const auditSchema = Type.Object({
  id: idField,
  at: timestamp,
  kind: choice(auditKinds),
  operation: Type.String({ description: 'Of the API, as `operationId` of its document has it' }),
  what: Type.String({ description: 'The same in words' }),
  detail: nullable(Type.String({ description: 'Which action, which grant; or why it was refused' })),
  outcome: choice(auditOutcomes),
  caller: choice(auditCallers),
  user_id: nullable(Type.Integer({ description: 'Beside `caller` client or account: acts for it from the console' })),
  user_name: nullableText,
  client_id: nullableId,
  account_id: nullableId,
  app_id: nullableId,
  company_id: nullableId,
  integration_id: nullableId,
  record_type: nullableText,
  record_id: nullableText,
  fields: Type.Array(Type.String(), { description: 'Names of fields that were sent; never what was in them' }),
  address: nullableText,
  request_id: nullable(Type.String({ description: '`X-Request-Id` of the answer' })),
  sealed: Type.Boolean({ description: 'Whether it is in a block of the chain, which takes some seconds' }),
})

export const auditView = ({ block, ...entry }: ShownEntry): Static<typeof auditSchema> => ({
  id: entry.id,
  at: entry.at,
  kind: entry.kind,
  operation: entry.operation,
  what: entry.what,
  detail: entry.detail,
  outcome: entry.outcome,
  caller: entry.caller,
  user_id: entry.user_id,
  user_name: entry.user_name,
  client_id: entry.client_id,
  account_id: entry.account_id,
  app_id: entry.app_id,
  company_id: entry.company_id,
  integration_id: entry.integration_id,
  record_type: entry.record_type,
  record_id: entry.record_id,
  fields: [...entry.fields],
  address: entry.address,
  request_id: entry.request_id,
  sealed: block !== null,
})

const idFilter = (description: string) => optional(integer({ minimum: 1, maximum: 999_999_999_999_999, description }))

export const auditFilters = {
  from: optional(text({ format: 'date-time', description: 'Not before' })),
  until: optional(text({ format: 'date-time', description: 'Before' })),
  kind: optional(choice(auditKinds)),
  operation: optional(text({ max: 200 })),
  outcome: optional(choice(auditOutcomes)),
  user_id: idFilter('Who'),
  client_id: idFilter('Through which client'),
  account_id: idFilter('Which account'),
  integration_id: idFilter('On which integration, or what belongs to it'),
  record_type: optional(text({ max: 50, examples: ['order'] })),
  record_id: optional(text({ max: 200 })),
  request_id: optional(text({ max: 36, pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' })),
}

const paging = {
  cursor: optional(text({ max: 200, description: '`meta.next_cursor` of the page before' })),
  limit: optional(integer({ minimum: 1, maximum: 500, description: '50 by default' })),
}

export const auditQuery = object({ ...auditFilters, ...paging })

interface AuditQuery extends AuditFilter {
  cursor?: string | undefined
  limit?: number | undefined
}

export const askedIn = ({ cursor, limit, ...filter }: AuditQuery) => ({
  filter,
  cursor: cursor ?? null,
  limit: limit ?? 50,
})

export const auditPage = raw(
  Type.Object({
    data: Type.Array(auditSchema),
    meta: Type.Object({
      next_cursor: nullable(Type.String({ description: 'Null where there is nothing older' })),
    }),
  }),
)
