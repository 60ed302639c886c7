import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { endpoints } from '../../src/api/index.ts'
import { allCommands } from '../../src/cli/index.ts'

/** What the guides tell people to type is there: endpoints, commands with their options, variables. */

const root = join(import.meta.dirname, '../..')
const inFolder = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
const pages = ['README.md', ...['docs/guides', 'docs/decisions', 'src/connectors'].flatMap(inFolder)].map(
  (path) => [path, readFileSync(join(root, path), 'utf8')] as const,
)
/** Also those that are set off by four spaces. */
const blocksOf = (text: string) =>
  [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```|^ {4}(\w.*)$/gm)].map(([, block, line]) => block ?? line ?? '')
const spansOf = (text: string) =>
  [...text.replace(/^ *```[\s\S]*?^ *```/gm, '').matchAll(/`([^`]+)`/g)].map(([, span = '']) => span)

describe('endpoints', () => {
  const known = endpoints.map(({ method, group, path }) => ({ method, parts: (group.prefix + path).split('/') }))
  const isKnown = (method: string | undefined, path: string) => {
    const parts = path.split('/')
    return known.some(
      (one) =>
        (method === undefined || one.method === method) &&
        // Where no method is said, the beginning of several will do.
        (method === undefined || one.parts.length === parts.length) &&
        parts.every((part, at) => part === one.parts[at] || one.parts[at]?.startsWith('{')),
    )
  }

  test('that are named are there', () => {
    const named = pages.flatMap(([page, text]) =>
      [...text.matchAll(/(?:\b(GET|POST|PUT|PATCH|DELETE) )?[^\s`"'(]*?(\/api\/[12]\.0\/[\w/{}.…$-]*)/g)]
        .map(([, method, path = '']) => ({ page, method, path }))
        // The beginning of several.
        .filter(({ path }) => !/…|[/.]$|\$/.test(path)),
    )
    expect(named.length).toBeGreaterThan(300)
    expect(named.filter(({ method, path }) => !isKnown(method, path))).toEqual([])
  })
})

describe('commands', async () => {
  const commands = new Map((await allCommands()).map((command) => [command.name, command]))
  const typed = pages.flatMap(([page, text]) =>
    [...blocksOf(text).flatMap((block) => block.replaceAll('\\\n', ' ').split('\n')), ...spansOf(text)].flatMap(
      (line) =>
        [...line.matchAll(/(?:^|[|=\s])(?:npm run entrepot --|npx entrepot|entrepot) ([a-z][a-z-]+)\b([^|#;]*)/g)]
          .filter(() => !/^(?:helm|kubectl|docker|install|create|host|psql|claude|curl) /.test(line))
          .map(([, name = '', rest = '']) => ({
            page,
            name,
            options: [...rest.matchAll(/ --([a-z][a-z0-9-]*)/g)].map(([, o]) => o),
          })),
    ),
  )

  test('that are named are there, with their options', () => {
    expect(typed.length).toBeGreaterThan(50)
    const usual = ['json', 'help', 'app', 'profile']
    const unknown = typed.filter(({ name, options }) => {
      const command = commands.get(name)
      // "service" leaves them to what stands behind it.
      const own = name === 'service' ? options : Object.keys(command?.options ?? {})
      return !command || options.some((option = '') => !own.includes(option) && !usual.includes(option))
    })
    expect(unknown).toEqual([])
  })

  test('are all named in the README or in the guide', () => {
    const shown = pages.flatMap(([page, text]) =>
      ['README.md', join('docs/guides', 'command-line.md')].includes(page) ? [text] : [],
    )
    const isShown = (name: string) =>
      shown.some((text) => text.includes(`\`${name}\``) || text.includes(`entrepot ${name}`))
    expect([...commands.keys()].filter((name) => !isShown(name))).toEqual([])
  })
})

describe('variables', () => {
  /** What the first steps and the quick start hand on to every other page. */
  const given = ['ENTREPOT_URL', 'TOKEN', 'USER_TOKEN']
  const ofFirstSteps = ['ENTREPOT_EMAIL', 'ENTREPOT_PASSWORD', 'ENTREPOT_CLIENT_ID', 'ENTREPOT_CLIENT_SECRET']

  test('of commands are set there, or were set by the quick start', () => {
    const unset = pages.flatMap(([page, text]) => {
      const commands = blocksOf(text).join('\n')
      const own = [...commands.matchAll(/^([A-Z][A-Z_]+)=/gm)].map(([, name]) => name)
      const first = commands.includes('first-steps.env') ? ofFirstSteps : []
      const used = [...commands.matchAll(/\$([A-Z][A-Z_]+)/g)].map(([, name = '']) => name)
      return [...new Set(used)]
        .filter((name) => ![...given, ...own, ...first].includes(name))
        .map((name) => `${page}: $${name}`)
    })
    expect(unset).toEqual([])
  })

  test('hold the token of a user where a user is asked for', () => {
    const wrong = pages.flatMap(([page, text]) => {
      // Whose token it is is said there.
      if (page === 'README.md' || page.endsWith('sign-in.md')) return []
      return blocksOf(text)
        .flatMap((block) => block.replaceAll('\\\n', ' ').split('\n'))
        .filter((line) => line.includes('/api/2.0/user/') && line.includes('$TOKEN'))
        .map((line) => `${page}: ${line}`)
    })
    expect(wrong).toEqual([])
  })
})
