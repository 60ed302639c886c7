import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'

export interface Machine {
  /** Bytes that we may use, and bytes that are free where the data lies. */
  memory: number
  disk: number
}

export async function findMachine(folder: string): Promise<Machine> {
  const { bavail, bsize } = await statfs(folder)
  // In a container; where there is no limit, it is 0 or more than there is.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return { memory: Math.min(totalmem(), limit), disk: bavail * bsize }
}

const megabyte = 2 ** 20
const within = (least: number, bytes: number, most: number): string =>
  `${Math.round(Math.min(Math.max(bytes / megabyte, least), most))}MB`

/**
 * PostgreSQL's own standard is for a machine of long ago. It shares this one with us and with whoever else works here, and what it does not hold itself the
 * system does: a sixteenth of the memory has shops of a million orders stored half as fast again as 128 MB, and is taken as it is needed. What it keeps of changes until
 * the next checkpoint must not fill a small disk.
 */
export const settingsFor = ({ memory, disk }: Machine) => ({
  shared_buffers: within(128, memory / 16, 2048),
  maintenance_work_mem: within(64, memory / 128, 256),
  max_wal_size: within(256, disk / 10, 2048),
})
