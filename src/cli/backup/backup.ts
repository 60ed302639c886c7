import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { encodeFrame } from '../../runtime/db/backup/frames.ts'
import { type BackupOptions, readBackup } from '../../runtime/db/backup/write-backup.ts'
import { command, type Output } from '../command.ts'
import { openDatabaseSession } from '../session.ts'

export const backupCommand = command({
  name: 'backup',
  summary: 'Write everything in the database into a file, while the service runs',
  options: {
    to: { type: 'string', value: 'FILE', required: true, description: 'The file, or - for standard output' },
    'keys-to': {
      type: 'string',
      value: 'FILE',
      description: 'Put what customer data is sealed with into a file of its own, to be kept for a shorter time',
    },
  },
  async run({ to = '', 'keys-to': keysTo }, output) {
    const session = await openDatabaseSession()
    try {
      const url = session.config.directUrl ?? session.url
      const tables = await write(to, { url, part: keysTo ? 'without keys' : 'all' }, output)
      if (keysTo) await write(keysTo, { url, part: 'keys' }, output)
      const words = keysTo
        ? `Everything is in ${to}, and the keys of customer data in ${keysTo}. The master keys are in neither: keep them apart.`
        : `Everything is in ${to}. The master keys are not: keep them apart.`
      // Where the backup itself goes to standard output, words have no place there.
      if (to !== '-') output.result({ to, keys_to: keysTo ?? null, tables }, words)
    } finally {
      await session.close()
    }
  },
})

/** Under its own name only when it is whole. */
async function write(to: string, options: BackupOptions, output: Output): Promise<number> {
  let tables = 0
  const onTable = (name: string, bytes: number) => {
    tables++
    if (to !== '-' && bytes > 0) output.say(`${name}: ${(bytes / 1e6).toFixed(1)} MB`)
  }
  const draft = `${to}.part`
  const target = to === '-' ? process.stdout : createWriteStream(draft, { mode: 0o600 })
  const pieces = async function* () {
    for await (const frame of readBackup({ ...options, onTable })) yield* encodeFrame(frame)
  }
  await pipeline(Readable.from(pieces()), createZstdCompress(), target)
  if (to !== '-') await rename(draft, to)
  return tables
}
