import { parseArgs } from 'node:util'
import { ConfigError } from '../config.ts'

/** How a person calls the command line: by npm where the sources are, by its name where the package is installed. */
export const called = import.meta.filename.endsWith('.ts') ? 'npm run entrepot --' : 'entrepot'

/** A command of the command line. Options are named once; `--help` and `--json` come with every command. */
export interface Command {
  name: string
  summary: string
  /** What completion and help know of it. */
  options?: Readonly<Record<string, Option>>
  arguments?: readonly Argument[]
  run(args: readonly string[]): Promise<void>
}

export interface Option {
  type: 'string' | 'boolean'
  description: string
  required?: boolean
  /** What stands for the value in the help text. */
  value?: string
  /** May be given several times. */
  multiple?: true
}

/** What stands behind the name of a command, in its order. */
export interface Argument {
  name: string
  description: string
  required?: boolean
  /** Where only these are understood. */
  values?: readonly string[]
}

/** A command that has failed, and how its process ends: see the guide for what the codes mean. */
export class CommandError extends Error {
  readonly exitCode: number
  readonly code: string
  readonly requestId: string | null

  constructor(message: string, details: { exitCode: number; code: string; requestId?: string | null }) {
    super(message)
    this.exitCode = details.exitCode
    this.code = details.code
    this.requestId = details.requestId ?? null
  }
}

export interface Output {
  json: boolean
  /** For a person; not printed with `--json`. */
  say(text: string): void
  /** The result: one JSON object with `--json`, else the words. */
  result(value: unknown, words: string): void
  /** How far long work has come, on one line of a terminal that is written again; nowhere else. */
  progress(text: string, done?: number, all?: number | null): void
}

type Values<Options extends Record<string, Option>> = {
  [Name in keyof Options]: Options[Name]['type'] extends 'boolean'
    ? boolean
    : Options[Name] extends { multiple: true }
      ? readonly string[] | undefined
      : string | undefined
}

export function command<const Options extends Record<string, Option>>(definition: {
  name: string
  summary: string
  options: Options
  arguments?: readonly Argument[]
  run(values: Values<Options>, output: Output, given: readonly string[]): Promise<void>
}): Command {
  const { name, summary, options, arguments: wanted = [] } = definition
  return {
    name,
    summary,
    options,
    arguments: wanted,
    async run(args) {
      const { values, positionals } = parse(name, args, options, wanted)
      if (values['help']) {
        process.stdout.write(`${helpText(name, summary, options, wanted)}\n`)
        return
      }
      checkArguments(name, wanted, positionals)
      const missing = Object.entries(options).find(([key, option]) => option.required && values[key] === undefined)
      if (missing) throw new ConfigError(`"entrepot ${name}" needs --${missing[0]}. See "entrepot ${name} --help".`)
      const json = values['json'] === true
      const given = Object.entries(options).map(([key, { type }]) => [
        key,
        type === 'boolean' ? values[key] === true : values[key],
      ])
      await definition.run(Object.fromEntries(given), outputFor(json), positionals)
    },
  }
}

/** The line of a terminal that shows progress is cleared before anything else is written. */
export function outputFor(json: boolean): Output {
  let isShown = false
  const clear = () => {
    if (isShown) process.stderr.write('\r\u001b[K')
    isShown = false
  }
  return {
    json,
    say: (text) => {
      clear()
      if (!json) process.stdout.write(`${text}\n`)
    },
    result: (value, words) => {
      clear()
      process.stdout.write(`${json ? JSON.stringify(value) : words}\n`)
    },
    progress: (text, done, all) => {
      if (json || !process.stderr.isTTY) return
      process.stderr.write(`\r\u001b[K${text}${done === undefined ? '' : ` ${bar(done, all ?? null)}`}`)
      isShown = true
    },
  }
}

const width = 24

function bar(done: number, all: number | null): string {
  if (all === null || all === 0) return String(done)
  const full = Math.round((Math.min(done, all) / all) * width)
  return `${'█'.repeat(full)}${'░'.repeat(width - full)} ${done} of ${all}`
}

function checkArguments(name: string, wanted: readonly Argument[], given: readonly string[]): void {
  const see = `See "entrepot ${name} --help".`
  const extra = given[wanted.length]
  if (extra !== undefined) throw new ConfigError(`"entrepot ${name}" does not understand "${extra}". ${see}`)
  for (const [index, { name: argument, required, values }] of wanted.entries()) {
    const text = given[index]
    if (text === undefined && required) throw new ConfigError(`"entrepot ${name}" needs ${argument}. ${see}`)
    if (text !== undefined && values && !values.includes(text)) {
      throw new ConfigError(`${argument} must be one of ${values.join(', ')}, not "${text}".`)
    }
  }
}

function parse(
  name: string,
  args: readonly string[],
  options: Record<string, Option>,
  wanted: readonly Argument[],
): { values: Record<string, unknown>; positionals: readonly string[] } {
  const known = Object.fromEntries(
    Object.entries(options).map(([key, { type, multiple = false }]) => [key, { type, multiple }]),
  )
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: wanted.length > 0,
      options: { ...known, help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
    })
    return { values, positionals }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${reason}\nSee "entrepot ${name} --help".`)
  }
}

function helpText(name: string, summary: string, options: Record<string, Option>, wanted: readonly Argument[]): string {
  const rows = [
    ...wanted.map((argument): [string, string] => [argument.name, argument.description]),
    ...Object.entries(options).map(([key, option]): [string, string] => [
      option.type === 'boolean' ? `--${key}` : `--${key} ${option.value ?? 'TEXT'}`,
      `${option.description}${option.required ? ' (required)' : ''}`,
    ]),
    ['--json', 'Print the result as JSON'] satisfies [string, string],
    ['--help', 'Show this text'] satisfies [string, string],
  ]
  const shown = wanted.map(({ name: argument, required }) => (required ? ` ${argument}` : ` [${argument}]`)).join('')
  const left = Math.max(...rows.map(([text]) => text.length))
  return `${summary}\n\nUsage: entrepot ${name}${shown} [options]\n\n${rows.map(([text, words]) => `  ${text.padEnd(left)}  ${words}`).join('\n')}`
}
