import { Fault } from '../../lib/fault.ts'

export const partNames = ['orders', 'products', 'inventory'] as const
export type PartName = (typeof partNames)[number]

export const stepNames = [
  'description',
  'access',
  'first page',
  'translation',
  'one record',
  'all pages',
  'changes',
  'dry write',
] as const
export const stepStates = ['ok', 'failed', 'skipped'] as const

/** One thing that was tried, and what came of it. */
export interface Step {
  name: (typeof stepNames)[number]
  part: PartName | null
  state: (typeof stepStates)[number]
  words: string
}

export const stepOk = (name: Step['name'], part: PartName | null, words: string): Step => ({
  name,
  part,
  state: 'ok',
  words,
})
export const stepFailed = (name: Step['name'], part: PartName | null, words: string): Step => ({
  name,
  part,
  state: 'failed',
  words,
})
export const stepSkipped = (name: Step['name'], part: PartName | null, words: string): Step => ({
  name,
  part,
  state: 'skipped',
  words,
})

/** What a shop or a description does wrong is a step that failed; anything else is a fault of ours, and stays one. */
export async function trying(
  name: Step['name'],
  part: PartName | null,
  work: () => Promise<string | Step>,
): Promise<Step> {
  try {
    const done = await work()
    return typeof done === 'string' ? stepOk(name, part, done) : done
  } catch (error) {
    // What was typed wrongly is answered at its field, as an installation would.
    if (error instanceof Fault && error.kind === 'invalid') throw error
    if (error instanceof Fault || error instanceof TypeError || error instanceof RangeError) {
      return stepFailed(name, part, error.message)
    }
    throw error
  }
}
