import { type Clock, type Moment, minute } from '../clock.ts'
import { assembleOrder, type OrderExtra, type OrderState } from './assemble-order.ts'
import { deriveOrder, goesInTwo } from './derive-order.ts'
import type { Good } from './goods.ts'
import type { OrderBase, ShopOrder, Stage } from './order.ts'
import {
  allocate,
  codeOf,
  fillHistory,
  grow,
  lastMonth,
  lastYear,
  type OrderColumns,
  stageOf,
} from './order-columns.ts'
import { fillMonth, packingOf, type Story } from './story.ts'

export interface OrderChange {
  kind: 'created' | 'updated' | 'cancelled' | 'sent' | 'deleted'
  index: number
  /** Where it stood before, if it has moved. */
  from?: Stage
}

export type OrderBook = ReturnType<typeof createOrderBook>

export interface OrderPatch {
  stage?: Stage
  acknowledged?: boolean
  editNote?: boolean
  surcharge?: boolean
  extra?: OrderExtra
}

interface BookFacts {
  seed: number
  count: number
  goods: readonly Good[]
  /** The currency of all orders, where the shop has but one. */
  books: string | null
  story: Story | null
  historyEnds: Moment | null
  clock: Clock
}

export function createOrderBook({ seed, count, goods, books, story, historyEnds, clock }: BookFacts) {
  const extras = new Map<number, OrderExtra>()
  const references = new Map<string, number>()
  const listeners: ((news: OrderChange) => void)[] = []
  let columns = allocate(count + Math.max(256, count >> 8))
  let size = count
  let live = count
  // Changes are always newer than all before them: the sequence is mended by taking the moved out and putting them last.
  let sequence = new Int32Array(0)
  const moved = new Set<number>()
  let numbered: Int32Array | null = null

  const baseOf = (index: number) => extras.get(index)?.made ?? deriveOrder(seed, index, goods, books, story?.countries)
  const inTwo = (index: number) => index % 3 === 0 && goesInTwo(index, baseOf(index).lines)
  if (story) fillMonth(columns, { seed, count, openedAt: story.openedAt }, inTwo)
  else fillHistory(columns, { seed, count, ...(historyEnds === null ? lastYear : lastMonth(historyEnds)) }, inTwo)
  sequence = Int32Array.from({ length: count }, (_, index) => index).sort(byChangeIn(columns))

  const exists = (index: number) => Number.isInteger(index) && index >= 0 && index < size && columns.gone[index] === 0

  const packing = (index: number) => {
    if (!story) return minute
    // What is sent while somebody watches was packed at once: a parcel must not come to lie ahead.
    const usual = packingOf(index)
    return (columns.placedAt[index] ?? 0) + usual < story.openedAt ? usual : 4 * minute
  }
  const read = (index: number): ShopOrder =>
    assembleOrder(baseOf(index), { ...stateAt(columns, index), packing: packing(index) }, extras.get(index))

  const tell = (news: OrderChange) => {
    for (const listener of listeners) listener(news)
  }

  const mend = () => {
    if (moved.size === 0) return
    const last = [...moved].filter(exists).sort(byChangeIn(columns))
    const kept = sequence.filter((index) => !moved.has(index))
    sequence = new Int32Array(kept.length + last.length)
    sequence.set(kept)
    sequence.set(last, kept.length)
    moved.clear()
  }

  return {
    now: clock.now,
    /** How many there are, without the deleted. */
    count: () => live,
    /** Where the indexes end, the deleted ones among them. */
    size: () => size,
    /** Null for one that is deleted or never was. */
    get: (index: number): ShopOrder | null => (exists(index) ? read(index) : null),
    /** One that is deleted, where the platform still shows it. */
    archived: (index: number): ShopOrder | null => (columns.gone[index] === 1 ? read(index) : null),
    stageAt: (index: number): Stage => stageOf(columns.stage[index] ?? 0),
    updatedAt: (index: number): Moment => columns.updatedAt[index] ?? 0,
    placedAt: (index: number): Moment => columns.placedAt[index] ?? 0,
    /** Those that are there, by last change and then by number. */
    byChange: (): Int32Array => {
      mend()
      return sequence
    },
    byNumber: (): Int32Array => {
      numbered ??= Int32Array.from({ length: size }, (_, index) => index).filter(exists)
      return numbered
    },
    /** Lays the patch over the order: a new version, at the moment given or now. */
    change(index: number, patch: OrderPatch, at: Moment = clock.tick()): ShopOrder {
      const from = stageOf(columns.stage[index] ?? 0)
      if (patch.stage !== undefined) columns.stage[index] = codeOf(patch.stage)
      if (patch.acknowledged !== undefined) columns.acknowledged[index] = patch.acknowledged ? 1 : 0
      if (patch.editNote) columns.noteEdits[index] = (columns.noteEdits[index] ?? 0) + 1
      if (patch.surcharge) columns.surcharges[index] = (columns.surcharges[index] ?? 0) + 1
      const cancelled = patch.stage === 'cancelled' ? { cancelledAt: at } : {}
      if (patch.extra || patch.stage === 'cancelled')
        extras.set(index, { ...extras.get(index), ...patch.extra, ...cancelled })
      columns.version[index] = (columns.version[index] ?? 0) + 1
      columns.updatedAt[index] = at
      moved.add(index)
      tell({ kind: newsOf(patch), index, ...(patch.stage && patch.stage !== from ? { from } : {}) })
      return read(index)
    },
    add(base?: OrderBase, stage: Stage = 'paid', at: Moment = clock.tick()): ShopOrder {
      const index = size++
      if (index >= columns.stage.length) columns = grow(columns, columns.stage.length * 2)
      live++
      if (base) extras.set(index, { made: base })
      if (base?.reference) references.set(base.reference, index)
      columns.placedAt[index] = at
      columns.updatedAt[index] = at
      columns.version[index] = 1
      columns.stage[index] = codeOf(stage)
      moved.add(index)
      numbered = null
      tell({ kind: 'created', index })
      return read(index)
    },
    remove(index: number): boolean {
      if (!exists(index)) return false
      columns.gone[index] = 1
      live--
      moved.add(index)
      numbered = null
      tell({ kind: 'deleted', index })
      return true
    },
    /** The order that an outsider made under that reference. */
    byReference: (reference: string): number | null => references.get(reference) ?? null,
    onChange: (listener: (news: OrderChange) => void): void => {
      listeners.push(listener)
    },
  }
}

const newsOf = ({ stage }: OrderPatch): OrderChange['kind'] => {
  if (stage === 'cancelled') return 'cancelled'
  return stage === 'sent' ? 'sent' : 'updated'
}

const stateAt = (columns: OrderColumns, index: number): Omit<OrderState, 'packing'> => ({
  index,
  stage: stageOf(columns.stage[index] ?? 0),
  version: columns.version[index] ?? 0,
  placedAt: columns.placedAt[index] ?? 0,
  updatedAt: columns.updatedAt[index] ?? 0,
  acknowledged: columns.acknowledged[index] === 1,
  noteEdits: columns.noteEdits[index] ?? 0,
  surcharges: columns.surcharges[index] ?? 0,
})

const byChangeIn =
  ({ updatedAt }: OrderColumns) =>
  (a: number, b: number): number =>
    (updatedAt[a] ?? 0) - (updatedAt[b] ?? 0) || a - b
