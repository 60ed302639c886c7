import { createReadStream } from 'node:fs'
import { createZstdDecompress } from 'node:zlib'
import { ConfigError, readConfig } from '../../config.ts'
import { loadMasterKeys } from '../../keys.ts'
import { BackupError, decodeFrames } from '../../runtime/db/backup/frames.ts'
import { type BackupHead, restoreBackup, skipNumbers, skippedNumbers } from '../../runtime/db/backup/read-into.ts'
import { openEmbeddedPostgres } from '../../runtime/db/embedded/embedded.ts'
import { migrate } from '../../runtime/db/migrate.ts'
import { readMigrations } from '../../runtime/db/migration-files.ts'
import { createLog, type Log } from '../../runtime/log.ts'
import { command, type Output } from '../command.ts'

export const restoreCommand = command({
  name: 'restore',
  summary: 'Put a backup into an empty database, or go on with one that PostgreSQL has restored',
  options: {
    from: {
      type: 'string',
      value: 'FILE',
      description: 'What "backup" wrote, or - for standard input',
    },
    'in-place': {
      type: 'boolean',
      description: 'The tools of PostgreSQL have restored the database: only do what comes after that',
    },
    'keys-from': {
      type: 'string',
      value: 'FILE',
      description: 'The keys of customer data, where they were kept apart',
    },
  },
  async run({ from, 'in-place': inPlace, 'keys-from': keysFrom }, output) {
    if ((from !== undefined) === inPlace)
      throw new ConfigError('Say what to restore with --from FILE, or --in-place where PostgreSQL has done so.')
    const config = readConfig()
    const log = createLog('warn')
    const keys = await loadMasterKeys(config)
    const embedded = config.databaseUrl ? null : await openEmbeddedPostgres({ dataDir: config.dataDir, log })
    try {
      const url = config.directUrl ?? config.databaseUrl ?? embedded?.url ?? ''
      const head = from === undefined ? null : await restore(url, from, { log, output })
      if (head?.part === 'without keys' && keysFrom === undefined)
        output.say('The keys of customer data were kept apart: give them with --keys-from, or that data stays closed.')
      if (head === null) await skipNumbers(url)
      if (keysFrom !== undefined) await restore(url, keysFrom, { log, output })
      await migrate({ url, log, pooled: config.directUrl !== null })
      const [{ compose }, { checkSealed }] = await Promise.all([
        import('../../compose.ts'),
        import('../../domain/rotate-keys/check-sealed.ts'),
      ])
      const program = await compose({ config, databaseUrl: url, keys, log, serves: false, works: false })
      const sealed = await checkSealed(program.context).finally(() => program.close())
      const done = head ? `Restored as of ${head.at}.` : `New numbers begin ${skippedNumbers} further on.`
      const words = [`${done} ${sealed.opened} sealed values open with the master keys.`]
      for (const { table, id } of sealed.unreadable) words.push(`${table} ${id} opens with no key of ours.`)
      output.result({ as_of: head?.at ?? null, ...sealed }, words.join('\n'))
      if (sealed.unreadable.length > 0) process.exitCode = 1
    } finally {
      await embedded?.stop()
    }
  },
})

async function restore(url: string, from: string, { log, output }: { log: Log; output: Output }): Promise<BackupHead> {
  const source = from === '-' ? process.stdin : createReadStream(from)
  const failed = new Promise<never>((_, reject) => source.once('error', reject))
  try {
    return await Promise.race([
      failed,
      restoreBackup({
        url,
        frames: decodeFrames(source.pipe(createZstdDecompress())),
        prepare: (head) => prepare(url, head, log),
        onTable: (name, bytes) => bytes > 0 && output.say(`${name}: ${(bytes / 1e6).toFixed(1)} MB`),
      }),
    ])
  } catch (error) {
    if (error instanceof BackupError) throw new ConfigError(error.message)
    if (isCode(error, /^ENOENT$/)) throw new ConfigError(`There is no file ${from}.`)
    if (isCode(error, /^(?:ZSTD_|Z_)/))
      throw new ConfigError('This file is not an Entrepot backup, or it is incomplete.')
    throw error
  }
}

const isCode = (error: unknown, form: RegExp): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && form.test(error.code)

/** The tables as the program had them that made the backup; what has changed since then is done to its rows afterwards. */
async function prepare(url: string, { migrations, part }: BackupHead, log: Log): Promise<void> {
  const known = new Set((await readMigrations()).map(({ name }) => name))
  const unknown = migrations.find((name) => !known.has(name))
  if (unknown) throw new BackupError(`The backup was made by a newer version, which has the migration ${unknown}.`)
  if (part === 'keys') return
  await migrate({ url, log, only: new Set(migrations) })
  const [{ jobs }, { openQueue }] = await Promise.all([import('../../jobs.ts'), import('../../runtime/jobs/queue.ts')])
  const queue = await openQueue({ url, log, jobs, works: false })
  await queue.close()
}
