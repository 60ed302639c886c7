import { randomUUID } from 'node:crypto'
import { appsById } from '../../apps/app-store.ts'
import type { Context } from '../../context.ts'
import type { Alert } from '../alert.ts'
import type { Channel } from '../channels/channel.ts'
import { noteOutcome } from '../channels/channel-store.ts'
import { readAddress } from '../channels/write-channel.ts'
import { type Answer, deliver, wordsFor } from './deliver.ts'

/** Sends a message that says it is a test, and shows what the other side answers. Nothing is opened by it. */
export async function tryChannel(context: Context, channel: Channel): Promise<Answer & { delivered: boolean }> {
  const address = await readAddress(context, channel.id)
  const app = (await appsById(context.db, [channel.app_id])).get(channel.app_id)
  const url = `${context.publicUrl}/console/apps/${channel.app_id}/alert-settings`
  const key = randomUUID()
  const group = {
    ...{ key, url, muteUrl: url, closed: [] },
    app: { id: channel.app_id, name: app?.name ?? '' },
    opened: [testAlert(channel)],
  }
  try {
    const answer = await deliver(context, { channel, address }, { group, resolved: [] })
    await noteOutcome(context.db, channel.id, null)
    // Nobody should have to close by hand what was only a test.
    if (channel.type === 'pagerduty') {
      await deliver(context, { channel, address }, { group: { ...group, opened: [] }, resolved: [key] })
    }
    return { ...answer, delivered: true }
  } catch (error) {
    const said = wordsFor(error)
    await noteOutcome(context.db, channel.id, said)
    return { status: null, said, delivered: false }
  }
}

function testAlert({ app_id: appId, name }: Channel): Alert {
  const now = new Date().toISOString()
  return {
    ...{ id: 0, app_id: appId, kind: 'integration_error', cause: 'test', severity: 'info', count: null },
    ...{ integration_id: null, integration_name: `Test of “${name}”`, webhook_id: null, webhook_url: null },
    ...{ user_id: null, run_id: null, since: null, opened_at: now, updated_at: now, closed_at: null },
    ...{ acknowledged_at: null, acknowledged_by: null, muted_until: null },
    reason: 'This is a test. Nothing has happened.',
  }
}
