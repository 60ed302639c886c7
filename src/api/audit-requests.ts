import type { AuditFacts } from '../domain/audit/audit-entry.ts'
import { bareFacts, type Trail } from '../domain/audit/trail.ts'
import type { Context, Inside } from '../domain/context.ts'
import { isWaiting } from '../domain/oauth/oauth-faults.ts'
import type { Caller } from '../domain/tenant.ts'
import { Fault } from '../lib/fault.ts'
import type { Auditing, Note, Who } from '../runtime/http/auditing.ts'
import type { AuditedKind, Endpoint, ErasedInput } from '../runtime/http/endpoint.ts'
import { operationId } from '../runtime/http/openapi/openapi.ts'
import { recordOf, tenantIn } from './audited-record.ts'

/**
 * Calls in the audit trail, read off the endpoints: every one that changes something, and those that say what else they do
 * (`audits`). The entry is written in the first transaction of the handler, as the mark of an idempotency key is.
 */
export function auditRequests(trail: Trail, { db, log }: Pick<Context, 'db' | 'log'>): Auditing {
  const isRepeated = remember()
  return (endpoint) => {
    const usual = kindOf(endpoint)
    if (usual === null) return null
    const operation = operationId(endpoint)
    // Whom a body names is not in the entry: each time may be about somebody else.
    const isAskedFor = endpoint.audits !== undefined && endpoint.method === 'POST'
    return () => {
      const who: Who = {}
      let input: ErasedInput | null = null
      let isWritten = false

      const facts = (about: ErasedInput, result?: unknown) => factsOf(endpoint, usual, about, who, result)

      const note: Note = {
        say: (about) => void Object.assign(who, about),
        async step(trx, result) {
          if (isWritten || !input) return undefined
          await trail.append(trx, facts(input, result))
          return () => {
            isWritten = true
          }
        },
        async around(given, handle) {
          input = given
          const isRead = readsIn(endpoint, usual, given)
          if (endpoint.changesElsewhere?.(given.body) && !isRead) {
            await trail.append(db, facts(given))
            isWritten = true
          }
          try {
            const result = await handle()
            const isSame = isRead && !isAskedFor && isRepeated(operation, given)
            if (!isWritten && !isSame) await trail.append(db, facts(given, result))
            // An answer may be written while it is sent: what that does is of the same request.
            isWritten = true
            return result
          } catch (error) {
            if (isWritten || usual === 'sign_in') await refuse(given, error)
            throw error
          }
        },
      }

      /** Of one who comes too often there is an entry for each time before that; of one who waits there will be one. */
      async function refuse(about: ErasedInput, error: unknown): Promise<void> {
        const reason = error instanceof Fault ? error.kind : 'failed'
        if (reason === 'too_many' || (error instanceof Fault && isWaiting(error))) return
        const refused = { ...facts(about), outcome: 'refused', detail: reason } as const
        try {
          // At once: how long it takes does not say how many there are.
          await Promise.all(entriesOf(refused, who).map((entry) => trail.append(db, entry)))
        } catch (problem) {
          log.error({ err: problem }, 'a refusal could not be written into the audit trail')
        }
      }

      return note
    }
  }
}

/**
 * A sign-in that failed is shown to the company of each user who may have been meant; and to that of the client's app, without
 * them: whoever has a client would see whose addresses are known.
 */
function entriesOf(refused: AuditFacts, { tried = [] }: Who): AuditFacts[] {
  if (refused.user_id !== null || tried.length === 0) return [refused]
  const ofUsers = tried.map((user_id) => ({ ...refused, caller: 'user', user_id, app_id: null }) as const)
  return refused.app_id === null ? ofUsers : [refused, ...ofUsers]
}

/** What agents were refused, and what waits for a person: no endpoint was asked, so none has written it. */
export const notesOfAgents =
  (trail: Trail, db: Context['db']): Inside['note'] =>
  ({ caller, tool, what, detail, outcome, integrationId = null, proposalId, address, requestId }) =>
    trail.append(db, {
      ...bareFacts,
      kind: 'change',
      operation: `mcp.${tool}`,
      ...{ what, detail, outcome },
      caller: 'client',
      user_id: caller.onBehalfOf ?? null,
      client_id: caller.clientId,
      app_id: caller.appId,
      integration_id: integrationId,
      record_type: proposalId === undefined ? null : 'approval',
      record_id: proposalId === undefined ? null : String(proposalId),
      address,
      request_id: requestId,
    })

/**
 * What its calls are, unless a body says that they only read; null where they are not in the trail. Lists of people and
 * secrets that are shown are known by the fields of the answer.
 */
export function kindOf({ method, audits, unauditedBecause, returns }: Endpoint): AuditedKind | null {
  if (audits) return audits
  const shown = 'schema' in returns ? namesIn(returns.schema) : []
  if (method === 'GET') return returns.kind === 'page' && shown.some(isPersonal) ? 'personal_data' : null
  if (unauditedBecause) return null
  return shown.some(isSecret) ? 'secret' : 'change'
}

const isPersonal = (name: string) => ['customer', 'email', 'phone', 'recipient'].includes(name)
const isSecret = (name: string) => ['secret', 'gateway_key', 'token'].includes(name)

/** The fields of a record, also of one that is put together of several. */
function namesIn(schema: unknown): string[] {
  const {
    properties = {},
    allOf = [],
    anyOf = [],
  } = schema as {
    properties?: object
    allOf?: readonly unknown[]
    anyOf?: readonly unknown[]
  }
  return [...Object.keys(properties), ...[...allOf, ...anyOf].flatMap(namesIn)]
}

const readsIn = ({ audits, onlyReads }: Endpoint, usual: AuditedKind, { body }: ErasedInput): boolean =>
  usual === 'personal_data' || (!audits && (onlyReads?.(body) ?? false))

function factsOf(endpoint: Endpoint, usual: AuditedKind, input: ErasedInput, who: Who, result: unknown): AuditFacts {
  // The program's own callers carry more than the server knows of.
  const caller = input.caller as Caller | null
  const { request } = input
  const tenant = tenantIn(input, result)
  return {
    ...bareFacts,
    operation: operationId(endpoint),
    what: endpoint.summary,
    kind: readsIn(endpoint, usual, input) ? 'personal_data' : usual,
    detail: who.detail ?? endpoint.detailOf?.(input.body) ?? null,
    caller: caller ? kindOfCaller(caller) : kindSaid(who),
    user_id: (caller?.kind === 'user' ? caller.userId : caller?.onBehalfOf) ?? who.userId ?? null,
    // 0 is the console, which is no client.
    client_id: (caller ? caller.clientId : who.clientId) || null,
    account_id: (caller?.kind === 'account' ? caller.accountId : (who.accountId ?? tenant.accountId)) ?? null,
    app_id: (caller?.kind === 'user' || !caller ? (who.appId ?? tenant.appId) : caller.appId) ?? null,
    integration_id: tenant.integrationId,
    ...recordOf(endpoint, input, result),
    fields: fieldsOf(endpoint, input.body),
    address: request.address,
    request_id: request.requestId,
  }
}

/** An agent is a client that acts for a person. */
const kindOfCaller = ({ kind }: Caller): AuditFacts['caller'] => (kind === 'agent' ? 'client' : kind)

function kindSaid({ userId, clientId, accountId }: Who): AuditFacts['caller'] {
  if (userId !== undefined) return 'user'
  if (accountId !== undefined) return 'account'
  return clientId === undefined ? 'nobody' : 'client'
}

/** Only names that we know: what a free object is made of may be anything. */
function fieldsOf({ body: schema }: Endpoint, body: unknown): string[] {
  const known = (schema as { properties?: object } | undefined)?.properties ?? {}
  return typeof body === 'object' && body !== null ? Object.keys(body).filter((name) => Object.hasOwn(known, name)) : []
}

/**
 * Pages ask for themselves again and again, and so do programs. Within a minute the same page that the same person reads is one
 * entry, and the same list that the same program reads. In memory, so that lists are as fast as they were.
 */
function remember() {
  const seen = new Set<string>()
  let minute = 0
  return (operation: string, input: ErasedInput): boolean => {
    const caller = input.caller as Caller | null
    if (!caller) return false
    const now = Math.floor(Date.now() / 60_000)
    if (now !== minute) seen.clear()
    minute = now
    const isPerson = caller.kind === 'user' || caller.onBehalfOf !== undefined
    const what = isPerson ? input.request.url : tenantIn(input, undefined).integrationId
    const key = `${caller.keysOf ?? caller.subject} ${operation} ${what} ${input.request.address}`
    if (seen.has(key)) return true
    seen.add(key)
    return false
  }
}
