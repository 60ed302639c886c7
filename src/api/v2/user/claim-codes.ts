import { Type } from 'typebox'
import { makeClaimCode } from '../../../domain/integrations/claim/make-claim-code.ts'
import { findIntegrationOfUser } from '../../../domain/integrations/integration-store.ts'
import { recordId } from '../../../lib/record-id.ts'
import { record } from '../../../runtime/http/endpoint.ts'
import { endpoint } from '../../define.ts'
import { groups } from '../../groups.ts'

const make = endpoint({
  group: groups.user,
  method: 'POST',
  path: '/integrations/{integrationId}/claim-code',
  right: 'manage-access',
  summary: 'Make a code to claim an integration',
  description:
    'For an integration that belongs to no app. Whoever is given the code may claim it, once, within ten minutes. It is shown only in this answer, and replaces the one before.',
  extension: true,
  find: ({ context, caller, params }) => findIntegrationOfUser(context.db, caller, recordId(params.integrationId)),
  returns: record(
    Type.Object({
      code: Type.String({ examples: ['7K2M-QX4T-90AB'] }),
      expires_at: Type.String({ format: 'date-time' }),
    }),
  ),
  handle: ({ context, caller, found }) => makeClaimCode(context, caller, found.id),
})

export const userClaimCodes = [make]
