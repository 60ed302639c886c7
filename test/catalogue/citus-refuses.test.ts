import { describe, expect, test } from 'vitest'
import { namesIntegrations, refusals } from '../support/citus-refuses.ts'

/** Each was refused by Citus 13.2 on tables of ours. */
const refused = {
  'a time in RETURNING':
    'update integration_state set fence = fence + 1 where integration_id = $1 returning fence, now() as at',
  'an age in RETURNING':
    'update operations set a = 1 where integration_id = $1 returning extract(epoch from now() - sent_at)',
  'a time less an interval in a conflict clause':
    'insert into inbound_work as w (a) values (1) on conflict (a) do update set a = 1 where w.lease_until < excluded.lease_until - make_interval(secs => 60)',
  'now() in DO UPDATE SET': 'insert into orders (a) values (1) on conflict (a) do update set updated_at = now()',
  'a time in CASE':
    'update operations set generation = case when updated_at > now() - make_interval(hours => 24) then 1 end where integration_id = $1',
  'a time in COALESCE':
    'update orders set acknowledged_at = coalesce(acknowledged_at, now()) where integration_id = $1',
  'JSON that is built in CASE': `update operations set result = case when a then result || jsonb_build_object('lines', 1) end where integration_id = $1`,
  'CASE of a value': `update orders set a = case status when 'DELIVERED' then 'delivered' end where integration_id = $1`,
  'an interval of a column':
    'update shop_messages d set next_attempt_at = now() + make_interval(secs => r.seconds) from r where d.integration_id = $1',
  'an interval of what a column holds':
    'update orders set placed_at = $2::timestamptz + make_interval(days => (100 - substr(number, 2)::int)) where integration_id = $1',
  'a select without columns over all shards': 'select not exists (select from integration_logs_default where at >= $1)',
  'a random value': 'update runs set holder = gen_random_uuid() where integration_id = $1',
}

/** And these run. */
const taken = {
  'now() by itself':
    'update orders set updated_at = now(), due = now() + make_interval(days => greatest($2::int, 1)) where integration_id = $1 and a < now()',
  'any function in VALUES':
    'insert into runs (id, at) values (gen_random_uuid(), now()) on conflict do nothing returning id',
  parameters:
    'update orders set a = coalesce(a, $2::timestamptz) where integration_id = $1 returning $2::timestamptz - sent_at',
  'a lock': 'select case when now() > a then 1 end from runs where integration_id = $1 for no key update',
}

describe('the lint of statements', () => {
  test.each(Object.entries(refused))('knows that Citus refuses %s', (_, text) => {
    expect(refusals(text)).not.toEqual([])
  })

  test.each(Object.entries(taken))('knows that Citus takes %s', (_, text) => {
    expect(refusals(text)).toEqual([])
  })

  test('tells a statement for named integrations from one for all', () => {
    const named = [
      'integration_id = $1',
      'o.integration_id = any($1)',
      "where('integration_id', 'in', ids)",
      'insert into runs (integration_id, id) values ($1, $2)',
    ]
    expect(named.map(namesIntegrations)).toEqual(named.map(() => true))
    expect(namesIntegrations('delete from runs r using o where r.integration_id = o.integration_id')).toBe(false)
  })
})
