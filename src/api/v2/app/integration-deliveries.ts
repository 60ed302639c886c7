import { findDelivery, listDeliveries } from '../../../domain/inbound/inbound-list-store.ts'
import { replayInbound } from '../../../domain/inbound/replay-inbound.ts'
import { readContent } from '../../../domain/inbound/sealing/read-content-store.ts'
import type { ClientCaller } from '../../../domain/tenant.ts'
import { recordId } from '../../../lib/record-id.ts'
import { page, record } from '../../../runtime/http/endpoint.ts'
import { listQuery } from '../../../runtime/http/input/list-query.ts'
import { endpoint, type Finding } from '../../define.ts'
import { groups } from '../../groups.ts'
import { integrationOfAppInPath } from '../in-path.ts'
import {
  inboundContentSchema,
  inboundContentView,
  inboundDeliverySchema,
  inboundDeliveryView,
} from '../views/inbound-delivery.ts'

const list = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/integrations/{integrationId}/deliveries',
  scope: 'app:integration-read',
  summary: 'List webhooks received from the shop',
  description: 'Webhooks sent by the shop, newest first, with their outcome. Kept for 30 days.',
  extension: true,
  find: integrationOfAppInPath,
  query: listQuery({ filter: ['topic', 'outcome', 'kind', 'remote_id'], sort: ['id', 'received_at'] }),
  returns: page(inboundDeliverySchema),
  handle: async ({ context, found, query }) => {
    const { rows, total } = await listDeliveries(context.reader, found.id, query)
    return { rows: rows.map(inboundDeliveryView), total }
  },
})

async function findOwn(input: Finding<ClientCaller, 'integrationId' | 'delivery'>) {
  const integration = await integrationOfAppInPath(input)
  return await findDelivery(input.context.db, integration.id, recordId(input.params.delivery))
}

const get = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/integrations/{integrationId}/deliveries/{delivery}',
  scope: 'app:integration-read',
  summary: 'Get a webhook received from the shop',
  extension: true,
  find: findOwn,
  returns: record(inboundDeliverySchema),
  handle: async ({ found }) => inboundDeliveryView(found),
})

const content = endpoint({
  group: groups.app,
  method: 'GET',
  path: '/integrations/{integrationId}/deliveries/{delivery}/content',
  scope: 'app:integration-read',
  right: 'read-order',
  audits: 'personal_data',
  summary: 'Get what a webhook received from the shop says',
  description:
    'Its headers, query and body. Signatures and secrets are left out; the body is text, of which the first 256 KiB are shown.',
  extension: true,
  find: findOwn,
  returns: record(inboundContentSchema),
  handle: async ({ context, found }) =>
    inboundContentView(await readContent(context.db, found.integration_id, found.id)),
})

const replay = endpoint({
  group: groups.app,
  method: 'POST',
  path: '/integrations/{integrationId}/deliveries/{delivery}/replay',
  scope: 'app:integration-action',
  summary: 'Replay a webhook received from the shop',
  description: 'As if it had just arrived. Newer data is never overwritten.',
  extension: true,
  status: 200,
  find: findOwn,
  returns: record(inboundDeliverySchema),
  handle: async ({ context, found }) => inboundDeliveryView(await replayInbound(context, found)),
})

export const appIntegrationDeliveries = [list, get, content, replay]
