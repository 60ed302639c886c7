import { maxOfKind, search } from '../../../domain/across/search.ts'
import type { Right } from '../../../domain/rights.ts'
import { reaches, type UserCaller } from '../../../domain/tenant.ts'
import { object, text } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { appInPath } from '../in-path.ts'
import { foundSchema, foundView } from '../views/across/found.ts'

const body = object({
  q: text({
    min: 2,
    max: 200,
    description: 'An order number, a SKU, a tracking number, an e-mail address, a name, the shop’s own id …',
  }),
})

/** In this app: where single apps have roles of their own, a right may hold elsewhere only. */
const may = (caller: UserCaller, right: Right, appId: number): boolean =>
  caller.rights.has(right) && reaches(caller.within?.(right) ?? caller, appId)

/** What is looked for may be somebody's address: it stands in the body, since addresses of requests are written down on the way. */
const find = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/apps/{appId}/search',
  right: 'read-app',
  extension: true,
  summary: 'Find anything of an app',
  description: `Orders by number, the shop’s id, tracking number, e-mail address, phone number or name; products by SKU; shops and merchants by what they are called; runs by number. Over all integrations of the app, ${maxOfKind} of each kind at most, and of those kinds only that the caller may read.`,
  status: 200,
  onlyReads: () => true,
  unauditedBecause: 'It changes nothing, and shows nothing of whoever was looked for.',
  find: appInPath,
  body,
  example: { q: '#1042' },
  returns: record(foundSchema),
  handle: async ({ context, caller, found, body: { q } }) =>
    foundView(
      await search(context, found.id, {
        q: q.trim(),
        may: { orders: may(caller, 'read-order', found.id), shops: may(caller, 'read-integration', found.id) },
      }),
    ),
})

export const userAppSearch = [find]
