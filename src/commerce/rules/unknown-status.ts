import type { RemoteOrder } from '../order.ts'

const start = 'unknown status: '

/**
 * Merchants and plug-ins make up words for where an order stands. One that nobody has explained is held, and says so:
 * the order is there to be seen, and nothing ships it. `setting` is where its meaning can be said.
 */
export const unknownStatus = (word: string, setting: string | null): Pick<RemoteOrder, 'status' | 'hold_reason'> => ({
  status: 'on_hold',
  hold_reason: `${start}${word}${setting === null ? '' : ` (${setting} can say what it means)`}`,
})

const written = new RegExp(`^${start}(.*?)(?: \\((\\S+) can say what it means\\))?$`, 's')

/** The word that nobody knows, and the setting that can explain it; null where an order is held for something else. */
export function unknownStatusIn(holdReason: string | null): { status: string; setting: string | null } | null {
  const [, status = null, setting = null] = written.exec(holdReason ?? '') ?? []
  return status === null ? null : { status, setting }
}
