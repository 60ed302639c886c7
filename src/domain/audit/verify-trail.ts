import type { Context } from '../context.ts'
import { blockHash, checkpointMac, macOf } from './audit-entry.ts'
import { auditKey } from './audit-key.ts'
import {
  type BlockRow,
  blocksAfter,
  copiedEntries,
  entriesOfBlock,
  type Head,
  readCheckpoint,
  readHead,
  strayEntries,
  unsealedEntries,
  unsealedSince,
} from './audit-store.ts'

export interface Verification {
  blocks: number
  entries: number
  /** Written and in no block yet. */
  unsealed: number
  /** Taken away by the retention so far. */
  removed: number
  head: { block: number; hash: string }
  /** What does not fit, in words; empty if nobody has touched the trail. */
  faults: string[]
}

/** A worker seals every two seconds; after so long none does. */
const sealedWithinSeconds = 120
const maxFaults = 1000

/** Goes through the whole trail. `expected` is a head that was noted down before, such as one in the log. */
export async function verifyTrail(
  context: Pick<Context, 'db' | 'keys'>,
  expected: { block: number; hash: string } | null = null,
): Promise<Verification> {
  const { db } = context
  const key = await auditKey(context)
  const faults: string[] = []
  const say = (fault: string) => {
    if (faults.length < maxFaults) faults.push(fault)
  }
  const checkpoint = await readCheckpoint(db)
  if (checkpoint && !checkpointMac(key, checkpoint).equals(checkpoint.mac)) {
    say('The checkpoint of the retention was changed.')
  }
  const begin: Head = checkpoint ?? { number: 0, hash: Buffer.alloc(0) }
  let end = begin
  let entries = 0
  let found = expected === null || (expected.block === begin.number && expected.hash === begin.hash.toString('hex'))
  // Whoever seals meanwhile only adds: what was the head at the beginning has to be passed.
  const head = (await readHead(db)) ?? begin
  for (;;) {
    const blocks = await blocksAfter(db, end.number, 100)
    for (const block of blocks) {
      entries += await verifyBlock(block, end)
      if (block.number === expected?.block && block.hash.toString('hex') === expected.hash) found = true
      if (block.number === head.number && !block.hash.equals(head.hash))
        say(`Block ${block.number} is not the one that was sealed.`)
      end = block
    }
    if (blocks.length === 0) break
  }
  if (end.number < head.number)
    say(`The end is missing: block ${head.number} was sealed, and ${end.number} is the last.`)
  if (!found && expected && expected.block > begin.number) {
    say(`Block ${expected.block} with the hash that was noted down is not there.`)
  }
  for (const id of await strayEntries(db, { first: begin.number + 1, last: end.number })) {
    say(`Entry ${id} is in a block that is not there.`)
  }
  for (const id of await copiedEntries(db)) say(`Entry ${id} is a copy of another.`)
  const unsealed = await unsealedSince(db)
  for (const entry of await unsealedEntries(db, maxFaults)) {
    if (!macOf(key, entry.at, entry).equals(entry.mac)) say(`Entry ${entry.id} was changed, or is not ours.`)
  }
  if (unsealed.seconds > sealedWithinSeconds) {
    say(
      `${unsealed.entries} entries have not been sealed for ${Math.round(unsealed.seconds)} seconds: no worker does it.`,
    )
  }
  return {
    blocks: end.number - begin.number,
    entries,
    unsealed: unsealed.entries,
    removed: checkpoint?.removed ?? 0,
    head: { block: end.number, hash: end.hash.toString('hex') },
    faults,
  }

  async function verifyBlock(block: BlockRow, before: Head): Promise<number> {
    const { number, previous } = block
    if (number !== before.number + 1) say(`Blocks ${before.number + 1} to ${number - 1} are missing.`)
    else if (!previous.equals(before.hash)) say(`Block ${number} does not follow block ${before.number}.`)
    const held = await entriesOfBlock(db, number)
    const changed = held.filter((entry) => !macOf(key, entry.at, entry).equals(entry.mac))
    for (const { id } of changed) say(`Entry ${id} was changed, or is not ours.`)
    if (held.length !== block.entries) say(`Block ${number} had ${block.entries} entries, and has ${held.length}.`)
    if (!blockHash(key, { number, previous, entries: held }).equals(block.hash)) {
      say(`Block ${number} or its entries were changed.`)
    }
    return held.length
  }
}
