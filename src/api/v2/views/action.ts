import { type Static, Type } from 'typebox'
import { actionNames } from '../../../commerce/action.ts'
import { isLong } from '../../../domain/actions/perform-action.ts'
import { type ActionOutcome, type AnsweredAction, onlyReads } from '../../../domain/actions/run-action.ts'
import { choice } from '../../../lib/validation/fields.ts'
import { type Answer, answer, type RequestFacts } from '../../../runtime/http/endpoint.ts'
import { jsonType } from '../../../runtime/http/send.ts'
import { runView } from './run.ts'

const actionAnswerSchema = Type.Object({
  data: Type.Unknown({ description: 'The result; for a list its records; for long work the run' }),
  meta: Type.Optional(
    Type.Object({
      next_cursor: Type.Union([Type.String(), Type.Null()], { description: 'Send it as `cursor` for the next page' }),
      set_aside: Type.Array(Type.String(), { description: 'Why records of the shop failed validation' }),
    }),
  ),
})

/** What an action or event answers with. */
export const actionAnswer = answer(actionAnswerSchema)

export const viewOutcome = (outcome: AnsweredAction): Answer =>
  outcome.kind === 'written' ? written(outcome.body) : { status: 200, body: outcomeBody(outcome) }

const written = ({ buffer, byteOffset, byteLength }: Uint8Array): Answer => ({
  status: 200,
  headers: { 'content-type': jsonType },
  body: Buffer.from(buffer, byteOffset, byteLength),
})

function outcomeBody(outcome: ActionOutcome): Static<typeof actionAnswerSchema> {
  switch (outcome.kind) {
    case 'one':
      return { data: outcome.result }
    case 'page':
      return { data: outcome.items, meta: { next_cursor: outcome.next, set_aside: [...outcome.quarantined] } }
    case 'run':
      return { data: runView(outcome.run) }
  }
}

/** What an action named in a body is: one that only reads, or one that is known by the caller's name for it. */
export function natureOf(nameIn: (body: Record<string, unknown>) => string | undefined) {
  const nameOf = (body: unknown) =>
    typeof body === 'object' && body !== null ? nameIn(Object.fromEntries(Object.entries(body))) : undefined
  /** Long ones are queued by us, under no name of the caller's. */
  const isShort = (body: unknown): boolean => {
    const name = actionNames.find((known) => known === nameOf(body))
    return name !== undefined && !isLong(name)
  }
  return {
    detailOf: (body: unknown) => actionNames.find((known) => known === nameOf(body)),
    changesElsewhere: isShort,
    onlyReads: (body: unknown): boolean => onlyReads(nameOf(body) ?? ''),
    resumes: isShort,
  }
}

/** The fields beside `resource` depend on the action, so the domain checks them; this is for the documentation. */
export const actionBody = {
  body: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  bodyDocs: {
    schema: Type.Object(
      { resource: choice(actionNames, 'The action to run; the other fields are its own') },
      { additionalProperties: true },
    ),
    example: { resource: 'get_orders', order_status: ['PENDING'] },
  },
  ...natureOf((body) => (typeof body['resource'] === 'string' ? body['resource'] : undefined)),
} as const

/**
 * A change in a shop bears the caller's own name for it, where there is one: should we end after the shop has made it and
 * before the answer was kept, the same request finds what it made.
 */
export function workKeyOf(
  { subject, keysOf = subject }: { subject: string; keysOf?: string },
  request: Pick<RequestFacts, 'header'>,
): string | null {
  const key = request.header('idempotency-key')
  return key === undefined ? null : JSON.stringify([keysOf, key])
}
