import type { Wording } from '../../src/lib/words/wording.ts'

/** A sentence that no catalogue has. */
export const said = (text: string): Wording => ({ code: 'said_by_a_test', parameters: {}, text })
