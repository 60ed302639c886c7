import { Type } from 'typebox'
import { job } from '../../runtime/jobs/job.ts'
import type { Context } from '../context.ts'
import { blockHash } from './audit-entry.ts'
import { auditKey } from './audit-key.ts'
import { insertBlock, lockHead, unsealedEntries } from './audit-store.ts'

const perBlock = 2000

/**
 * Puts entries into the next block, with a hash over them and the block before. Writers only append, so that nobody waits
 * for the chain; whoever commits late is in a later block. How many were sealed.
 */
export async function sealTrail(context: Pick<Context, 'db' | 'transaction' | 'keys' | 'log'>): Promise<number> {
  if ((await unsealedEntries(context.db, 1)).length === 0) return 0
  const key = await auditKey(context)
  let sealed = 0
  for (;;) {
    const block = await context.transaction(async (trx) => {
      const head = await lockHead(trx)
      const entries = await unsealedEntries(trx, perBlock)
      const last = entries.at(-1)
      if (!last) return null
      const [number, previous] = [head.number + 1, head.hash]
      const hash = blockHash(key, { number, previous, entries })
      const last_at = entries.reduce((latest, { at }) => (at > latest ? at : latest), last.at)
      const ids = entries.map(({ id }) => id)
      await insertBlock(trx, { number, previous, hash, entries: ids.length, last_at }, ids)
      return { number, hash, entries: ids.length }
    })
    if (!block) return sealed
    sealed += block.entries
    // Outside of the database: a trail whose end was cut off can be told by it.
    context.log.info({ block: block.number, hash: block.hash.toString('hex') }, 'audit trail sealed')
    if (block.entries < perBlock) return sealed
  }
}

export const sealAudit = job({
  name: 'seal-audit',
  input: Type.Object({}),
  oneAtATime: () => 'seal-audit',
  hasWork: async ({ db }: Context) => (await unsealedEntries(db, 1)).length > 0,
  run: async (context: Context) => {
    await sealTrail(context)
  },
})
