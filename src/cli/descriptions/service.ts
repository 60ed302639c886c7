import { readFile } from 'node:fs/promises'
import { isFields } from '../../commerce/reading.ts'
import { ConfigError, readConfig } from '../../config.ts'
import type { TrialReport } from '../../domain/descriptions/try-description.ts'
import { createLog } from '../../runtime/log.ts'
import { command } from '../command.ts'
import { versionsCommand } from './versions.ts'

const tryFile = command({
  name: 'service try FILE',
  summary: 'Go through the description of a service against a shop; nothing is stored, and nothing changed there',
  options: {
    shop: { type: 'string', value: 'HOST', description: 'The name of the shop, such as acme.example' },
    url: {
      type: 'string',
      value: 'URL',
      description: 'Where the shop answers, for descriptions that ask for `base_url`',
    },
    key: {
      type: 'string',
      value: 'NAME=VALUE',
      multiple: true,
      description: 'One of the credentials; may be given several times',
    },
    part: { type: 'string', value: 'NAME', description: 'orders, products or inventory; all by default' },
    file: {
      type: 'string',
      value: 'FILE',
      description: 'The description, as JSON: the definition, or a service with one',
    },
  },
  async run({ shop, url, key = [], part, file }, output) {
    if (file === undefined) throw new ConfigError('Say "entrepot service try FILE".')
    const [{ connectors }, { tryDescription }, { createTransport }, { createEgress }] = await Promise.all([
      import('../../connectors/index.ts'),
      import('../../domain/descriptions/try-description.ts'),
      import('../../domain/shop/transport.ts'),
      import('../../runtime/egress/egress.ts'),
    ])
    const config = readConfig()
    const log = createLog('silent')
    const egress = createEgress({ allow: config.egressAllow, routes: config.egressRoutes ?? new Map(), log })
    try {
      const report = await tryDescription(
        { connectors, transport: createTransport(egress) },
        {
          holder: 'command line',
          trial: {
            definition: await definitionIn(file),
            shop,
            settings: url === undefined ? {} : { base_url: url },
            credentials: Object.fromEntries(key.map(keyIn)),
            ...(part !== undefined && { part: partIn(part) }),
            whole: true,
          },
        },
      )
      output.result(report, wordsFor(report))
      if (!report.ok) process.exitCode = 1
    } finally {
      await egress.close()
    }
  },
})

const parts = ['orders', 'products', 'inventory'] as const

function partIn(name: string): (typeof parts)[number] {
  const part = parts.find((one) => one === name)
  if (!part) throw new ConfigError(`--part takes one of ${parts.join(', ')}.`)
  return part
}

function keyIn(text: string): [string, string] {
  const [, name, value] = /^([a-z][a-z0-9_]{0,63})=(.+)$/s.exec(text) ?? []
  if (name === undefined || value === undefined) throw new ConfigError('--key takes NAME=VALUE, as in "token=abc".')
  return [name, value]
}

/** A file may hold the definition alone, or the whole service as the API answers and takes it. */
async function definitionIn(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new ConfigError(`There is no file "${file}" to read.`)
  })
  const read = parsed(text, file)
  if (!isFields(read)) throw new ConfigError(`"${file}" holds no description.`)
  return isFields(read['definition']) ? read['definition'] : read
}

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ConfigError(`"${file}" is no JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`)
  }
}

const marks = { ok: 'ok     ', failed: 'FAILED ', skipped: 'skipped' }

function wordsFor({ ok, mistakes, steps, samples, suggestions, requests }: TrialReport): string {
  const unmapped = suggestions.filter(
    ({ part, field }) => !samples.some((one) => one.part === part && isMapped(one, field)),
  )
  return [
    ...steps.map(
      ({ name, part, state, words }) => `${marks[state]}  ${[part, name].filter(Boolean).join(', ')}: ${words}`,
    ),
    ...mistakes.flatMap(({ at, messages }) => messages.map((message) => `  ${at}: ${message}`)),
    ...samples.flatMap(({ part, error, fields }) => [
      '',
      `${part}${error === null ? '' : `: ${error}`}`,
      ...fields.map(({ field, place, found }) => `  ${field} = ${JSON.stringify(found)?.slice(0, 80)}  (${place})`),
    ]),
    ...(unmapped.length === 0 ? [] : ['', 'It could be that:']),
    ...unmapped.map(({ part, field, place, example }) => `  ${part}.${field} is at "${place}" (${example})`),
    '',
    `${requests.length} requests. ${ok ? 'The description can be published.' : 'The description cannot be published yet.'}`,
  ].join('\n')
}

const isMapped = ({ fields }: TrialReport['samples'][number], field: string) =>
  fields.some((one) => one.field === field.replace(/^fields\./, '').replace('.fields.', '.'))

const names = { try: 'service try FILE', versions: 'service versions SERVICE' }

export const serviceCommand = {
  name: 'service',
  summary:
    'service try FILE: go through the description of a service of your own; service versions SERVICE: what was published of it',
  async run(args: readonly string[]) {
    const [name, ...rest] = args
    if (name === 'versions') return await versionsCommand.run(rest)
    if (name !== 'try' && name !== '--help') {
      throw new ConfigError(`Say "entrepot ${names.try}" or "entrepot ${names.versions}".`)
    }
    const [file, ...options] = rest
    const named = file !== undefined && !file.startsWith('-') ? ['--file', file, ...options] : rest
    await tryFile.run(name === 'try' ? named : args)
  },
}
