import { setTimeout as sleep } from 'node:timers/promises'
import { momentOf } from '../../lib/timestamp.ts'
import type { Output } from '../command.ts'
import { type Connection, remoteCommand } from './connect.ts'
import { failure } from './failure.ts'

export const replayCommand = remoteCommand({
  name: 'replay',
  summary: 'Send deliveries of a webhook again, or work on a message of a shop again',
  arguments: [{ name: 'ID', description: 'One delivery or message; with --since it is left out' }],
  options: {
    webhook: { type: 'string', value: 'ID', description: 'The webhook whose deliveries are sent again' },
    shop: { type: 'string', value: 'ID', description: 'Of which shop the message is' },
    since: {
      type: 'string',
      value: 'TIME',
      description: 'Every delivery since then that failed or is held, such as 2026-11-15T08:00Z or 2h',
    },
    until: { type: 'string', value: 'TIME', description: 'And no later' },
    wait: { type: 'boolean', description: 'Until all of them were tried' },
  },
  async run({ webhook, shop, since, until, wait }, output, [id], connect) {
    if ((webhook === undefined) === (shop === undefined)) {
      throw failure('invalid', 'Say whose: --webhook ID for what we sent, --shop ID for what a shop sent.')
    }
    if ((id === undefined) === (since === undefined) || (shop !== undefined && id === undefined)) {
      throw failure('invalid', 'Name a delivery by its ID, or give --webhook together with --since TIME.')
    }
    const connection = await connect()
    if (shop !== undefined) return await message(connection, shop, id ?? '', output)
    const appId = String(await connection.appId())
    const path = { appId, webhook: webhook ?? '' }
    const { user } = connection
    if (id !== undefined) {
      const { data } = await user.call(
        'post',
        '/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries/{delivery}/replay',
        {
          path: { ...path, delivery: id },
        },
      )
      return output.result(data, `${data.event_id} (${data.type}) is sent again.`)
    }
    const body = { since: timeOf(since ?? ''), ...(until === undefined ? {} : { until: timeOf(until) }) }
    const { data } = await user.call('post', '/api/2.0/user/apps/{appId}/webhooks/{webhook}/replay', { path, body })
    if (wait) await settle(connection, path, data.replayed, output)
    output.result(data, `${data.replayed} deliveries are sent again.`)
  },
})

async function message(connection: Connection, shop: string, id: string, output: Output): Promise<void> {
  const client = await connection.app()
  const { data } = await client.call('post', '/api/2.0/app/integrations/{integrationId}/deliveries/{delivery}/replay', {
    path: { integrationId: shop, delivery: id },
  })
  output.result(data, `Message ${id} of shop ${shop} is worked on again.`)
}

/** Until nothing waits any more; what fails is tried again by itself, and not waited for. */
async function settle(
  { user }: Connection,
  path: { appId: string; webhook: string },
  all: number,
  output: Output,
): Promise<void> {
  for (let n = 0; n < 600; n++) {
    const query = { state: 'pending', per_page: 1 } as never
    const { meta } = await user.call('get', '/api/2.0/user/apps/{appId}/webhooks/{webhook}/deliveries', { path, query })
    const left = Math.min(all, meta.total)
    output.progress('Sent again', all - left, all)
    if (left === 0) return
    await sleep(1000)
  }
}

/** A time, or how long ago. */
function timeOf(text: string): string {
  const [, amount, unit] = /^(\d{1,6})(m|h|d)$/.exec(text) ?? []
  const ms = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit ?? ''] ?? 0
  if (amount !== undefined) return new Date(Date.now() - Number(amount) * ms).toISOString()
  const at = momentOf(text)
  if (Number.isNaN(at))
    throw failure('invalid', `"${text}" is no time. Say 2026-11-15T08:00Z, or 2h for two hours ago.`)
  return new Date(at).toISOString()
}
