import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * A file under its own name only when it is whole and on the disk: whoever is cut off, finds the disk full or is one of two
 * at the same file leaves there what was there before, or all of what one of them has written.
 */
export async function writeWhole(path: string, write: (draft: string) => Promise<void>): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  try {
    await write(draft)
    await toDisk(draft)
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  // The new name is part of the folder. Some systems open none for that.
  await toDisk(dirname(path)).catch(() => undefined)
}

async function toDisk(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
