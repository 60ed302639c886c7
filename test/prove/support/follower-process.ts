import pg from 'pg'
import { createClient } from '../../../packages/client/src/index.ts'

/**
 * Somebody's software that follows the orders of a shop: what it makes of a change and where it stands are one transaction.
 * It is killed at any moment, and started again.
 */
const {
  FOLLOWED_URL: baseUrl = '',
  FOLLOWED_TOKEN: token = '',
  FOLLOWED_SHOP = '',
  FOLLOWER_DATABASE = '',
} = process.env
const database = new pg.Client({ connectionString: FOLLOWER_DATABASE })
await database.connect()
const { rows } = await database.query<{ cursor: string | null }>('select cursor from follower_place')
const client = createClient({ baseUrl, auth: { token }, maxAttempts: 100, timeoutSeconds: 5 })
const following = client.orders.follow({
  integration_id: Number(FOLLOWED_SHOP),
  cursor: rows[0]?.cursor ?? null,
  everySeconds: 0.1,
})
for await (const { record, cursor } of following) {
  await database.query('begin')
  await database.query('insert into follower_saw (order_id, version) values ($1, $2)', [record.id, record.number])
  await database.query('update follower_place set cursor = $1', [cursor])
  await database.query('commit')
}
