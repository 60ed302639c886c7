import { type FieldErrors, invalid } from '../../lib/fault.ts'
import { holdApp } from '../apps/app-store.ts'
import type { AttentionKind } from '../attention/attention.ts'
import { namesOf } from '../attention/attention-store.ts'
import { type Rule, usualRule } from '../attention/rule.ts'
import { rulesOf, saveRule } from '../attention/rule-store.ts'
import type { Context } from '../context.ts'

export type RuleChanges = { [Field in Exclude<keyof Rule, 'kind'>]?: Rule[Field] | undefined }

/** From then on it counts, for alerts and for the first page of the console. What no longer meets it is closed. */
export async function writeRule(
  context: Pick<Context, 'transaction'>,
  { appId, kind }: { appId: number; kind: AttentionKind },
  changes: RuleChanges,
): Promise<Rule> {
  return await context.transaction(async (trx) => {
    await holdApp(trx, appId)
    const before = (await rulesOf(trx, appId)).get(kind) ?? usualRule(kind)
    const usual = usualRule(kind)
    const errors: FieldErrors = {}
    if (usual.minimum === null && changes.minimum !== undefined) {
      errors['minimum'] = ['There is nothing to count for this kind of alert.']
    }
    if (usual.minutes === null && changes.minutes !== undefined) {
      errors['minutes'] = ['Alerts of this kind are not about how long something is so.']
    }
    const ids = changes.integration_ids ?? []
    const known = new Set((await namesOf(trx, appId, ids)).map(({ id }) => id))
    for (const [index, id] of ids.entries()) {
      const field = `integration_ids.${index}`
      if (!known.has(id)) errors[field] = [`The selected ${field} is invalid.`]
    }
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
    const after: Rule = { ...before, ...given }
    await saveRule(trx, appId, after)
    return after
  })
}
