import { hash } from 'node:crypto'
import type { ShopFacts } from '../../../commerce/shop.ts'
import { cut } from '../../../lib/clean-text.ts'
import { inTurns } from '../../../lib/turns/in-turns.ts'
import type { ShopReads, SyncRecord } from '../kind.ts'
import type { Quarantined } from '../quarantine/quarantine-store.ts'
import { misread, setAside } from '../quarantine/why-set-aside.ts'

export interface ReadRecords<Row = unknown> {
  records: SyncRecord<Row>[]
  quarantined: Quarantined[]
}

/** One record that cannot be understood does not hold up the others, and many do not hold up everybody else. */
export async function readRecords<Row>(
  reads: Pick<ShopReads<Row>, 'read'>,
  raws: readonly unknown[],
  facts: ShopFacts,
): Promise<ReadRecords<Row>> {
  const read: ReadRecords<Row> = { records: [], quarantined: [] }
  await inTurns(raws, (raw) => {
    try {
      read.records.push(reads.read(raw, facts))
    } catch (error) {
      const payload = textOf(raw)
      read.quarantined.push(setAside(idIn(raw) ?? `#${hash('sha256', payload)}`, misread(error), payload))
    }
  })
  return read
}

const maxPayloadLength = 100_000

/** The whole is kept where it is not endless: somebody will want to look at it. */
export const textOf = (value: unknown): string => cut(JSON.stringify(value) ?? String(value), maxPayloadLength)

/** What nearly every platform calls it. */
function idIn(raw: unknown): string | null {
  if (typeof raw !== 'object' || raw === null || !('id' in raw)) return null
  const { id } = raw
  return (typeof id === 'string' && id !== '' && id.length <= 500) || typeof id === 'number'
    ? cut(String(id), 500)
    : null
}
