import { commitGuard } from './data-plane.ts'
import { type Planes, planesWritten } from './planes.ts'

/** Makes Citus commit in two phases. It touches no row and locks nothing. */
export const guardStatement = `delete from ${commitGuard} where id = -1`

/**
 * Follows the transactions of one connection. The answer says whether the statement that is about to be sent has to wait
 * for the guard: a commit of what was written to both planes, which Citus would otherwise commit one after the other.
 */
export function followPlanes(): (text: string) => boolean {
  let written: Planes = { control: false, data: false }
  return (text) => {
    if (text === 'commit') return written.control && written.data
    if (/^(begin|start transaction)/.test(text)) written = { control: false, data: false }
    const more = planesWritten(text)
    written = { control: written.control || more.control, data: written.data || more.data }
    return false
  }
}
