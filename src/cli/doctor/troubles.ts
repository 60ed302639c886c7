import { countTroubledShops, countTroubledWebhooks } from '../../domain/backlogs/backlog-store.ts'
import type { Db } from '../../runtime/db/connection.ts'
import type { Finding } from './finding.ts'

const say = (n: number, one: string, many: string): string[] => (n === 0 ? [] : [`${n} ${n === 1 ? one : many}`])

/** The set-up may be right and shops or endpoints still not work: then people wait for something that does not come. */
export async function shops(db: Db): Promise<Finding> {
  const { refused, silent } = await countTroubledShops(db)
  const [unheard] = say(silent, 'shop do not arrive, it is', 'shops do not arrive, they are')
  const words = [
    ...say(refused, 'shop rejects our credentials or lacks rights', 'shops reject our credentials or lack rights'),
    ...(unheard ? [`the webhooks of ${unheard} read every few minutes`] : []),
  ]
  return found('shops', words, 'all connected ones answer')
}

export async function webhooks(db: Db): Promise<Finding> {
  const { disabled, failing } = await countTroubledWebhooks(db)
  const words = [
    ...say(
      disabled,
      'webhook is disabled and what it should get is held',
      'webhooks are disabled and what they should get is held',
    ),
    ...say(
      failing,
      'endpoint does not accept deliveries and is tried again',
      'endpoints do not accept deliveries and are tried again',
    ),
  ]
  return found('webhooks', words, 'all endpoints accept deliveries')
}

/** The console shows which. */
const found = (subject: string, words: readonly string[], calm: string): Finding =>
  words.length === 0
    ? { level: 'ok', subject, words: calm }
    : { level: 'warning', subject, words: `${words.join('; ')} (the console’s home page shows which)` }
