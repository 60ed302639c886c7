import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress } from 'node:zlib'
import { ConfigError } from '../../config.ts'
import { writeWhole } from '../../lib/files/write-whole.ts'
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
    if (keysTo !== undefined && resolve(keysTo) === resolve(to))
      throw new ConfigError('--to and --keys-to must be two files: the second would take the place of the first.')
    // Where a backup itself goes to standard output, words have no place there.
    const isQuiet = to === '-' || keysTo === '-'
    const say = isQuiet ? () => undefined : output.say
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    const session = await openDatabaseSession()
    try {
      const url = session.config.directUrl ?? session.url
      const { signal } = stop
      const tables = await write(to, { url, part: keysTo ? 'without keys' : 'all' }, { say, signal })
      if (keysTo) await write(keysTo, { url, part: 'keys' }, { say, signal })
      const words = keysTo
        ? `Everything is in ${to}, and the keys of customer data in ${keysTo}. The master keys are in neither: keep them apart.`
        : `Everything is in ${to}. The master keys are not: keep them apart.`
      if (!isQuiet) output.result({ to, keys_to: keysTo ?? null, tables }, words)
    } catch (error) {
      throw stop.signal.aborted ? new ConfigError('The backup was stopped before it was whole.') : error
    } finally {
      process.off('SIGINT', end).off('SIGTERM', end)
      await session.close()
    }
  },
})

interface Writing {
  say: Output['say']
  signal: AbortSignal
}

async function write(to: string, options: BackupOptions, { say, signal }: Writing): Promise<number> {
  signal.throwIfAborted()
  let tables = 0
  const onTable = (name: string, bytes: number) => {
    tables++
    if (bytes > 0) say(`${name}: ${(bytes / 1e6).toFixed(1)} MB`)
  }
  const pieces = async function* () {
    for await (const frame of readBackup({ ...options, onTable })) yield* encodeFrame(frame)
  }
  const pour = (target: NodeJS.WritableStream) =>
    pipeline(Readable.from(pieces()), createZstdCompress(), target, { signal })
  if (to === '-') await pour(process.stdout)
  else await writeWhole(to, (draft) => pour(createWriteStream(draft, { mode: 0o600 })))
  return tables
}
