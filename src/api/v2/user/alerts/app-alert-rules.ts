import { writeRule } from '../../../../domain/alerts/write-rule.ts'
import { attentionKinds, severities } from '../../../../domain/attention/attention.ts'
import { rulesOf } from '../../../../domain/attention/rule-store.ts'
import type { UserCaller } from '../../../../domain/tenant.ts'
import { notFound } from '../../../../lib/fault.ts'
import {
  choice,
  flag,
  id,
  integer,
  list as listField,
  maybe,
  object,
  optional,
} from '../../../../lib/validation/fields.ts'
import { listOf, record } from '../../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { appInPath, mutableAppInPath } from '../../in-path.ts'
import { ruleSchema, ruleView } from '../../views/alerts/alert.ts'

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/apps/{appId}/alert-rules',
  right: 'read-app',
  extension: true,
  summary: 'List the rules of alerts',
  description: 'One of each kind: as the app has changed it, or as it is by itself.',
  find: appInPath,
  returns: listOf(ruleSchema),
  handle: async ({ context, found }) => [...(await rulesOf(context.db, found.id)).values()].map(ruleView),
})

async function findRule(input: Finding<UserCaller, 'appId' | 'kind'>) {
  const { id: appId } = await mutableAppInPath(input)
  const kind = attentionKinds.find((known) => known === input.params.kind)
  if (!kind) throw notFound()
  return { appId, kind }
}

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/apps/{appId}/alert-rules/{kind}',
  right: 'update-app',
  extension: true,
  summary: 'Change a rule of alerts',
  description: 'What is left out stays. The first page of the console goes by the same rules.',
  find: findRule,
  body: object({
    active: optional(flag()),
    severity: optional(choice(severities)),
    minimum: optional(
      integer({ minimum: 1, maximum: 1_000_000, description: 'From how many on; where there is something to count' }),
    ),
    minutes: optional(
      integer({ minimum: 0, maximum: 10_080, description: 'For how long it has to be so; where that makes sense' }),
    ),
    integration_ids: maybe(
      listField(id(), { min: 1, max: 1000, unique: true, description: 'Only for these shops; null is all of them' }),
    ),
  }),
  example: { severity: 'warning', active: true },
  returns: record(ruleSchema),
  handle: async ({ context, found, body }) => ruleView(await writeRule(context, found, body)),
})

export const userAppAlertRules = [list, update]
