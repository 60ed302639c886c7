import { Type } from 'typebox'
import { roles } from '../../../domain/rights.ts'
import {
  findInvitation,
  invitationList,
  invitationScope,
  withdrawInvitation,
} from '../../../domain/users/invitations/invitation-store.ts'
import { inviteUser } from '../../../domain/users/invitations/invite-user.ts'
import { recordId } from '../../../lib/record-id.ts'
import { choice, id, maybe, object, text } from '../../../lib/validation/fields.ts'
import { nothing, page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'
import { listOf } from '../../list.ts'
import { invitationSchema, invitationView } from '../views/invitation.ts'

const list = endpoint({
  group: groups.user,
  method: 'GET',
  path: '/invitations',
  right: 'read-user',
  extension: true,
  summary: 'List invitations',
  description: 'Newest first, with those that were accepted or have run out.',
  query: listQuery({ filter: ['email'], sort: ['id', 'email', 'created_at'] }),
  returns: page(invitationSchema),
  handle: ({ context, caller, query }) =>
    listOf(context, invitationList, invitationScope(caller), query, invitationView),
})

const create = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/invitations',
  right: 'create-user',
  extension: true,
  summary: 'Invite somebody into the company',
  description:
    'The answer has a link, shown only here, to hand to that person; where the service has a mail server it is sent as well, and `mailed` says so. It is good once and for seven days, as long as whoever invited is a member. A role that gives more than the caller has cannot be given.',
  body: object({
    email: text({ format: 'email' }),
    role: choice(roles, 'In the company, or for the app'),
    app_id: maybe(id('Only for this app of the company')),
  }),
  example: { email: 'grace@example.com', role: 'operator' },
  returns: record(Type.Object({ ...invitationSchema.properties, url: Type.String(), mailed: Type.Boolean() })),
  async handle({ context, caller, body }) {
    const { invitation, url, mailed } = await inviteUser(context, caller, body)
    return { ...invitationView(invitation), url, mailed }
  },
})

const withdraw = endpoint({
  group: groups.user,
  method: 'DELETE',
  path: '/invitations/{invitation}',
  right: 'create-user',
  extension: true,
  summary: 'Withdraw an invitation',
  find: ({ context, caller, params }) => findInvitation(context.db, caller, recordId(params.invitation)),
  returns: nothing,
  handle: ({ context, found }) => withdrawInvitation(context.db, found.id),
})

export const userInvitations = [list, create, withdraw]
