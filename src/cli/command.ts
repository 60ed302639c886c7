import { parseArgs } from 'node:util'
import { ConfigError } from '../config.ts'

/** How a person calls the command line: by npm where the sources are, by its name where the package is installed. */
export const called = import.meta.filename.endsWith('.ts') ? 'npm run entrepot --' : 'entrepot'

/** A command of the command line. Options are named once; `--help` and `--json` come with every command. */
export interface Command {
  name: string
  summary: string
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

export interface Output {
  json: boolean
  /** For a person; not printed with `--json`. */
  say(text: string): void
  /** The result: one JSON object with `--json`, else the words. */
  result(value: unknown, words: string): void
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
  run(values: Values<Options>, output: Output): Promise<void>
}): Command {
  const { name, summary, options } = definition
  return {
    name,
    summary,
    async run(args) {
      const values = parse(name, args, options)
      if (values['help']) {
        process.stdout.write(`${helpText(name, summary, options)}\n`)
        return
      }
      const missing = Object.entries(options).find(([key, option]) => option.required && values[key] === undefined)
      if (missing) throw new ConfigError(`"entrepot ${name}" needs --${missing[0]}. See "entrepot ${name} --help".`)
      const json = values['json'] === true
      const given = Object.entries(options).map(([key, { type }]) => [
        key,
        type === 'boolean' ? values[key] === true : values[key],
      ])
      await definition.run(Object.fromEntries(given), {
        json,
        say: (text) => {
          if (!json) process.stdout.write(`${text}\n`)
        },
        result: (value, words) => process.stdout.write(`${json ? JSON.stringify(value) : words}\n`),
      })
    },
  }
}

function parse(name: string, args: readonly string[], options: Record<string, Option>): Record<string, unknown> {
  const known = Object.fromEntries(
    Object.entries(options).map(([key, { type, multiple = false }]) => [key, { type, multiple }]),
  )
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { ...known, help: { type: 'boolean', short: 'h' }, json: { type: 'boolean' } },
    })
    return values
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new ConfigError(`${reason}\nSee "entrepot ${name} --help".`)
  }
}

function helpText(name: string, summary: string, options: Record<string, Option>): string {
  const rows = [
    ...Object.entries(options).map(([key, option]): [string, string] => [
      option.type === 'boolean' ? `--${key}` : `--${key} ${option.value ?? 'TEXT'}`,
      `${option.description}${option.required ? ' (required)' : ''}`,
    ]),
    ['--json', 'Print the result as one JSON object'] satisfies [string, string],
    ['--help', 'Show this text'] satisfies [string, string],
  ]
  const width = Math.max(...rows.map(([left]) => left.length))
  return `${summary}\n\nUsage: entrepot ${name} [options]\n\n${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}`
}
