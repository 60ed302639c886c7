import { companyList, companyScope, findCompany } from '../../domain/companies/company-store.ts'
import { createCompany } from '../../domain/companies/create-company.ts'
import { updateCompany } from '../../domain/companies/update-company.ts'
import type { UserCaller } from '../../domain/tenant.ts'
import { recordId } from '../../lib/record-id.ts'
import { flag, maybe, nameText, object, optional, partial, text } from '../../lib/validation/fields.ts'
import { page, record } from '../../runtime/http/endpoint.ts'
import { listQuery } from '../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../define.ts'
import { groups } from '../groups.ts'
import { listOf } from '../list.ts'
import { companySchema, companyView } from './views/company.ts'

const body = object({
  name: nameText(),
  email: maybe(text({ format: 'email' })),
  phone: maybe(text({ max: 64 })),
  website: maybe(text({ format: 'url' })),
  country: maybe(text({ max: 2, pattern: '^[A-Z]{2}$', description: 'Two letters, ISO 3166-1' })),
  active: optional(flag()),
})

const find = ({ context, caller, params }: Finding<UserCaller, 'company'>) =>
  findCompany(context.db, caller, recordId(params.company))

const list = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/companies',
  summary: 'List companies',
  description: "The caller's own company and those the caller has made; an admin sees all.",
  query: listQuery({ filter: ['active'], sort: ['id', 'name', 'created_at', 'updated_at'] }),
  returns: page(companySchema),
  handle: ({ context, caller, query }) => listOf(context, companyList, companyScope(caller), query, companyView),
})

const get = endpoint({
  group: groups.v1,
  method: 'GET',
  path: '/companies/{company}',
  summary: 'Get a company',
  find,
  returns: record(companySchema),
  handle: async ({ found }) => companyView(found),
})

const create = endpoint({
  group: groups.v1,
  method: 'POST',
  path: '/companies',
  right: 'create-company',
  summary: 'Create a company',
  description: 'A caller without a company becomes its first member.',
  body,
  example: { name: 'Analytical Engines', country: 'GB' },
  returns: record(companySchema),
  handle: async ({ context, caller, body }) => companyView(await createCompany(context, caller, body)),
})

const update = endpoint({
  group: groups.v1,
  method: 'PUT',
  path: '/companies/{company}',
  right: 'update-company',
  summary: 'Update a company',
  find,
  body: partial(body),
  example: { website: 'https://example.com' },
  returns: record(companySchema),
  handle: async ({ context, caller, found, body }) =>
    companyView(await updateCompany(context, caller, { id: found.id, changes: body })),
})

export const v1Companies = [list, get, create, update]
