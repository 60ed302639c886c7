import {
  findProposal,
  openProposal,
  proposalList,
  proposalsOfApp,
  type SealedProposal,
} from '../../../../domain/agents/proposal-store.ts'
import type { UserCaller } from '../../../../domain/tenant.ts'
import { recordId } from '../../../../lib/record-id.ts'
import { page, record } from '../../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../../define.ts'
import { groups } from '../../../groups.ts'
import { listOf } from '../../../list.ts'
import { approveProposal, demandRight, refuseProposal } from '../../../mcp/decide-proposal.ts'
import { appInPath, mutableAppInPath } from '../../in-path.ts'
import { approvalSchema, approvalView } from '../../views/agents/approval.ts'

/** What agents want changed. Only a person decides: no token of an app or an agent opens this. */

const shared = { group: groups.user, right: 'run-action', extension: true } as const

const listAll = endpoint({
  ...shared,
  method: 'GET',
  path: '/apps/{appId}/approvals',
  summary: 'List what agents want changed',
  description: 'Newest first, of the last 30 days. What nobody decides within a day expires.',
  find: appInPath,
  query: listQuery({ filter: ['status'], sort: ['id', 'created_at'] }),
  returns: page(approvalSchema),
  handle: ({ context, found, query }) =>
    listOf<SealedProposal, ReturnType<typeof approvalView>>(
      context,
      proposalList,
      proposalsOfApp(found.id),
      query,
      (row) => approvalView(openProposal(context.keys, row)),
    ),
})

type FindingApproval = Finding<UserCaller, 'appId' | 'approval'>

const inPath = async (input: FindingApproval) => {
  const { id: appId } = await appInPath(input)
  return await findProposal(input.context.db, input.context.keys, { appId, id: recordId(input.params.approval) })
}

const decidable = async (input: FindingApproval) => {
  const { id: appId } = await mutableAppInPath(input)
  const id = recordId(input.params.approval)
  const proposal = await findProposal(input.context.db, input.context.keys, { appId, id })
  demandRight(input.caller, proposal)
  return proposal
}

const get = endpoint({
  ...shared,
  method: 'GET',
  path: '/apps/{appId}/approvals/{approval}',
  summary: 'Look at what an agent wants changed',
  find: inPath,
  returns: record(approvalSchema),
  handle: async ({ found }) => approvalView(found),
})

const approve = endpoint({
  ...shared,
  method: 'POST',
  path: '/apps/{appId}/approvals/{approval}/approve',
  summary: 'Approve what an agent wants changed',
  description:
    'Carries it out, once, with the rights of the person who let the agent in; you need the right to do it yourself. A second click does nothing. 503 if the shop did not answer: approve it again in a minute, it is still made once.',
  status: 200,
  find: decidable,
  returns: record(approvalSchema),
  handle: async ({ context, caller, found: proposal, request: { address, requestId } }) =>
    approvalView(await approveProposal(context, caller, { proposal, from: { address, requestId } })),
})

const refuse = endpoint({
  ...shared,
  method: 'POST',
  path: '/apps/{appId}/approvals/{approval}/refuse',
  summary: 'Refuse what an agent wants changed',
  description: 'Nothing is done, and the agent hears so when it asks.',
  status: 200,
  find: decidable,
  returns: record(approvalSchema),
  handle: async ({ context, caller, found }) => approvalView(await refuseProposal(context, caller, found)),
})

export const userAppApprovals = [listAll, get, approve, refuse]
