import { Type } from 'typebox'
import { findCompany } from '../../../domain/companies/company-store.ts'
import { updateSignInPolicy } from '../../../domain/companies/sign-in-policy.ts'
import { readSignInPolicy } from '../../../domain/companies/sign-in-policy-store.ts'
import type { UserCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { flag, object, optional } from '../../../lib/validation/fields.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'

const policySchema = Type.Object({ require_second_factor: Type.Boolean() })

const find = ({ context, caller, params }: Finding<UserCaller, 'company'>) =>
  findCompany(context.db, caller, recordId(params.company))

const get = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/companies/{company}/sign-in',
  right: 'manage-sign-in',
  extension: true,
  summary: 'How members of a company sign in',
  find,
  returns: record(policySchema),
  handle: ({ context, found }) => readSignInPolicy(context.db, found.id),
})

const update = endpoint({
  group: groups.user,
  method: 'PUT',
  path: '/companies/{company}/sign-in',
  right: 'manage-sign-in',
  extension: true,
  summary: 'Change how members of a company sign in',
  description:
    'Where a second factor is demanded, sessions of the console that began without one end with their next request, and whoever has none sets it up at the next sign-in. Tokens of programs go on.',
  find,
  body: object({ require_second_factor: optional(flag()) }),
  example: { require_second_factor: false },
  returns: record(policySchema),
  handle: ({ context, caller, found, body }) =>
    updateSignInPolicy(context, caller, { companyId: found.id, changes: body }),
})

export const userCompanySignIn = [get, update]
