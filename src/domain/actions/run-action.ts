import { type ActionName, offers } from '../../commerce/action.ts'
import { connectorFor } from '../../commerce/connectors.ts'
import { isCredentialsRefusal } from '../../commerce/remote.ts'
import { say } from '../../commerce/words/say.ts'
import { because, Fault, invalid, invalidField } from '../../lib/fault.ts'
import { object, text } from '../../lib/validation/fields.ts'
import { validate } from '../../lib/validation/validate.ts'
import type { Context } from '../context.ts'
import { type Integration, isRunning } from '../integrations/integration.ts'
import { lockIntegration } from '../integrations/integration-store.ts'
import { reportFailure } from '../integrations/move-integration.ts'
import { recoverIntegration } from '../integrations/recover-integration.ts'
import type { LogEntry } from '../logs/log.ts'
import { appendLog } from '../logs/log-store.ts'
import { actionWords, logWords } from '../logs/log-words.ts'
import { queueRun } from '../runs/queue-run.ts'
import type { Run } from '../runs/run.ts'
import { openShop } from '../shop/open-remote.ts'
import { estimateRun } from './estimate-run.ts'
import { type ActionResult, checkAction, isLong, performAction, type ShortAction } from './perform-action.ts'

export type ActionOutcome = ActionResult | { kind: 'run'; run: Run }

/** The same for a request; read by another thread, it is written there as well, since it may be large. */
export type AnsweredAction = ActionOutcome | { kind: 'written'; body: Uint8Array }

const nameField = object({ resource: text() })

/**
 * Runs an action on an integration: `resource` names it, the other fields are its own. With a `piece`, as of
 * `performAction`, the same change asked for again is the same change, wherever the first try has ended.
 */
export async function runAction(
  context: Context,
  integration: Integration,
  fields: Record<string, unknown>,
  workKey: string | null = null,
): Promise<AnsweredAction> {
  const checked = validate(nameField, fields)
  if (!checked.ok) throw invalid(checked.wordings)
  const { resource: name } = checked.value
  const connector = connectorFor(context.connectors, integration)
  if (!connector || !offers(connector, name)) throw invalidField('resource', 'The selected resource is invalid.')
  return await answerAction(context, integration, { name, fields, workKey })
}

/** For a request: what only reads is read by the thread that is there for it, where there is one. */
export async function answerAction(
  context: Context,
  integration: Integration,
  wanted: Wanted<ActionName>,
): Promise<AnsweredAction> {
  const { name, fields, under = null } = wanted
  const { inThread } = context
  if (!inThread || !onlyReads(name)) return await startAction(context, integration, wanted)
  return { kind: 'written', body: await inThread.read({ integrationId: integration.id, name, fields, under }) }
}

interface Wanted<Name extends ActionName> {
  name: Name
  fields: Record<string, unknown>
  /** The field of the body that holds the fields, for the texts of a 422. */
  under?: string | null
  /** As of `performAction`. */
  workKey?: string | null
}

export async function startAction(
  context: Context,
  integration: Integration,
  { name, ...wanted }: Wanted<ActionName>,
): Promise<ActionOutcome> {
  const { fields, under = null } = wanted
  if (!isRunning(integration) && !asksAgain(integration, name)) throw invalidField('status', say('must_be_active'))
  if (!isLong(name)) return await performNow(context, integration, { name, ...wanted })
  const input = checkAction(name, fields, under)
  const estimatedSeconds = context.inThread
    ? await context.inThread.estimate({ integrationId: integration.id, name, input })
    : await estimateRun(context, integration, { name, input })
  const run = await context.transaction((trx) =>
    queueRun(context, trx, integration.id, { resource: name, input, estimatedSeconds }),
  )
  return { kind: 'run', run }
}

export const onlyReads = (name: string): boolean => name.startsWith('get_')

/** A connection that has failed is tested to find out whether it still fails. */
const asksAgain = ({ status, active }: Integration, name: ActionName): boolean =>
  name === 'test_connection' && status === 'ERROR' && active

async function performNow(
  context: Context,
  integration: Integration,
  { name, fields, under = null, workKey = null }: Wanted<ShortAction>,
): Promise<ActionResult> {
  const input = checkAction(name, fields, under)
  try {
    const result = await performAction(context, await openShop(context, integration), { name, input, workKey })
    if (!onlyReads(name)) {
      await logAction(context, integration, name, {
        level: 'info',
        words: logWords('action.completed', { action: actionWords(name) }),
      })
    }
    if (integration.status === 'ERROR') {
      const { id } = integration
      await context.transaction(async (trx) => recoverIntegration(context, trx, await lockIntegration(trx, id)))
    }
    return result
  } catch (error) {
    throw await explain(context, integration, name, error)
  }
}

/** Reads are too many to be worth a line each; changes and failures are. */
const logAction = (
  context: Pick<Context, 'db'>,
  { id }: Integration,
  name: ActionName,
  entry: Pick<LogEntry, 'level' | 'words' | 'said'>,
): Promise<void> => appendLog(context.db, id, { event: `action.${name}`, ...entry })

/**
 * What the caller gets. A shop that rejects it is a 422 with its reason, one that is away a 503; and whoever refuses
 * our credentials has put the integration into an error state.
 */
async function explain(
  context: Pick<Context, 'db' | 'transaction' | 'record'>,
  integration: Integration,
  name: ActionName,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof Fault) || error.kind === 'invalid') return error
  const said = { words: logWords('action.failed_because', { reason: because(error) }) }
  await logAction(context, integration, name, {
    level: 'error',
    words: logWords('action.failed', { action: actionWords(name) }),
    said,
  })
  if (isCredentialsRefusal(error)) {
    await reportFailure(context, integration.id, { reason: 'credentials_rejected', why: because(error) })
    return error
  }
  return error.kind === 'upstream_refused' ? invalidField('resource', because(error)) : error
}
