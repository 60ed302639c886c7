import { endpoints } from '../src/api/index.ts'
import { amountsTo, type Right, rights, rightsOfRole, roles } from '../src/domain/rights.ts'
import { type Endpoint, fullPath } from '../src/runtime/http/endpoint.ts'

/** Who may call what, read off the endpoints and the roles: so it is what the program does. */
export async function generateRights(): Promise<{ path: string; text: string }> {
  const ofUsers = endpoints.filter(({ group }) => group.caller === 'user')
  const inConsole = endpoints.filter(({ group }) => group.caller === 'client' || group.caller === 'account')
  const open = endpoints.filter(({ group }) => group.caller === null)
  return {
    path: 'docs/guides/rights.md',
    text: [
      ...opening,
      ...table(['Endpoint', 'Scope', 'Needs', ...roles], ofUsers.map(rowOf)),
      '',
      ...beforeRights,
      ...table(['Right', 'Amount to it', ...roles], rights.filter(isOwn).map(rightRow)),
      '',
      ...beforeConsole,
      ...table(['Endpoint', 'Scope', 'Needs in the console', ...roles], inConsole.map(rowOf)),
      '',
      ...beforeOpen,
      ...table(
        ['Endpoint', 'Opened by'],
        open.map((endpoint) => [nameOf(endpoint), endpoint.openBecause ?? 'what the OAuth grants ask for']),
      ),
      '',
    ].join('\n'),
  }
}

const nameOf = (endpoint: Endpoint) => `\`${endpoint.method} ${fullPath(endpoint)}\``
const isOwn = (right: Right) => amountsTo(right) !== null
const mark = (has: boolean) => (has ? 'yes' : '–')
const having = (need: string | undefined) =>
  roles.map((role) => mark(need === undefined || rightsOfRole[role].some((right) => right === need)))

/** Tokens are made by clients only. */
const isForClientsOnly = ({ scope }: Endpoint) => scope === 'app:intent-create'

function rowOf(endpoint: Endpoint): string[] {
  if (isForClientsOnly(endpoint)) {
    return [
      nameOf(endpoint),
      `\`${endpoint.scope}\``,
      'a client: never in the console',
      ...roles.map(() => mark(false)),
    ]
  }
  const need = endpoint.permission ?? endpoint.right
  const word = need === undefined ? 'nothing' : `\`${need}\``
  return [nameOf(endpoint), `\`${endpoint.scope}\``, word, ...having(need)]
}

function rightRow(right: Right): string[] {
  const amounting = amountsTo(right) ?? []
  const words = amounting.length === 0 ? 'any permission' : amounting.map((one) => `\`${one}\``).join(' and ')
  return [`\`${right}\``, words, ...having(right)]
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] => [
  `| ${head.join(' | ')} |`,
  `|${head.map((_, n) => (n < head.length - roles.length ? '---|' : ':-:|')).join('')}`,
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]

const opening = [
  '# Who may what',
  '',
  'Made by `npm run gen` from the endpoints and roles; a test asks every endpoint as every role. Why it is so is in',
  '[decision 24](../decisions/0024-who-may-what.md).',
  '',
  'A user has a role in the company, permissions that were given one by one, or both; for single apps a role of its own may count',
  'instead. A token of a user opens a route if it has `*`, which is the default, or the scope of the route, and the user has what it needs.',
  'Where the specification states a permission, exactly that is needed.',
  '',
  '## For users',
  '',
]

const beforeRights = [
  '## Rights of our own',
  '',
  'The 22 permissions of the specification are rights as well. Somebody without a role has one of these by the permissions that amount to it.',
  'Whoever has no company may found one.',
  '',
]

const beforeConsole = [
  '## For apps and accounts',
  '',
  'Their tokens need the scope. In the console a user who acts for an app or an account needs the right, in that app.',
  '',
]

const beforeOpen = ['## For everybody', '', 'These take no token of ours, and guard themselves.', '']
