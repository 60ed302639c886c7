import { type Ask, readDistribution } from '../../runtime/db/citus/distribute.ts'
import { askAllNodes } from '../../runtime/db/citus/nodes.ts'
import type { Finding } from './finding.ts'

const subject = 'distribution'

/** Whether what shops hold is where it should be, and every node that holds a part of it is there. */
export async function distribution(ask: Ask): Promise<Finding> {
  const { citus, distributed, steps, astray } = await readDistribution(ask)
  if (!citus) return { level: 'ok', subject, words: 'one PostgreSQL' }
  if (!distributed) {
    return {
      level: 'warning',
      subject,
      words: 'the extension citus is there, and nothing is distributed: run "entrepot distribute"',
    }
  }
  const nodes = await askAllNodes<{ waiting: number; allowed: number }>(
    ask,
    `select (select count(*) from pg_prepared_xacts where prepared < now() - interval '1 minute') as waiting,
      current_setting('max_prepared_transactions')::int as allowed`,
  )
  const away = nodes.filter(({ row }) => row === null)
  const unprepared = nodes.filter(({ row }) => row?.allowed === 0)
  const stuck = nodes.filter(({ row }) => row !== null && row.waiting > 0)
  const named = (some: typeof nodes) => some.map(({ node }) => node).join(', ')
  const wrong = [
    ...(away.length > 0 ? [`${named(away)} does not answer: the integrations there stand still`] : []),
    ...(unprepared.length > 0 ? [`max_prepared_transactions is 0 on ${named(unprepared)}`] : []),
    ...(stuck.length > 0
      ? [`transactions wait to be committed on ${named(stuck)}: Citus does so once all nodes are there`]
      : []),
    ...(steps.length > 0 ? [`${steps.length} steps are left: run "entrepot distribute"`] : []),
    ...(astray.length > 0 ? [`not distributed along with the others: ${astray.join(', ')}`] : []),
  ]
  return wrong.length > 0
    ? { level: 'problem', subject, words: wrong.join('; ') }
    : { level: 'ok', subject, words: `on ${nodes.length === 1 ? 'one node' : `${nodes.length} nodes`}` }
}
