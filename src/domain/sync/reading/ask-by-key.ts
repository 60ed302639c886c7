import { isHidden } from '../../../commerce/remote.ts'
import type { ShopReads } from '../kind.ts'
import { assertRunnable, type Work } from '../work.ts'
import { isPlainRefusal } from './fetch-page.ts'

/** One record of the shop. Null: it is gone. Undefined: the shop does not say. */
export async function askByKey(
  work: Work,
  get: NonNullable<ShopReads['get']>,
  key: string,
  whenHidden: () => void = () => {},
): Promise<unknown> {
  await assertRunnable(work)
  try {
    return await get(work.open.shop, key)
  } catch (error) {
    if (!isPlainRefusal(error)) throw error
    if (isHidden(error)) whenHidden()
    return undefined
  }
}
