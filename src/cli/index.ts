import type { Command } from './command.ts'

/** Each is read when it is asked for: whoever asks who they are does not wait for the server's code. */
type Commands = Readonly<Record<string, () => Promise<Command>>>

/** Of whoever runs an instance: these need its settings and its database. */
const forOperators: Commands = {
  start: async () => (await import('./start.ts')).startCommand,
  worker: async () => (await import('./worker.ts')).workerCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  distribute: async () => (await import('./distribute.ts')).distributeCommand,
  demo: async () => (await import('./demo.ts')).demoCommand,
  'create-user': async () => (await import('./create-user.ts')).createUserCommand,
  'create-client': async () => (await import('./create-client.ts')).createClientCommand,
  'password-link': async () => (await import('./password-link.ts')).passwordLinkCommand,
  backup: async () => (await import('./backup/backup.ts')).backupCommand,
  restore: async () => (await import('./backup/restore.ts')).restoreCommand,
  'rotate-keys': async () => (await import('./rotate-keys.ts')).rotateKeysCommand,
  audit: async () => (await import('./audit.ts')).auditCommand,
  openapi: async () => (await import('./openapi.ts')).openApiCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  service: async () => (await import('./descriptions/service.ts')).serviceCommand,
  compare: async () => (await import('./descriptions/compare.ts')).compareCommand,
  simulator: async () => (await import('./simulator.ts')).simulatorCommand,
}

/** Of whoever builds on one: these speak to it from anywhere. */
const forDevelopers: Commands = {
  login: async () => (await import('./remote/login.ts')).loginCommand,
  logout: async () => (await import('./remote/logout.ts')).logoutCommand,
  whoami: async () => (await import('./remote/whoami.ts')).whoamiCommand,
  shops: async () => (await import('./remote/shops.ts')).shopsCommand,
  orders: async () => (await import('./remote/orders.ts')).ordersCommand,
  listen: async () => (await import('./remote/listen/listen.ts')).listenCommand,
  trigger: async () => (await import('./remote/trigger.ts')).triggerCommand,
  replay: async () => (await import('./remote/replay.ts')).replayCommand,
  tail: async () => (await import('./remote/tail/tail.ts')).tailCommand,
  open: async () => (await import('./remote/open.ts')).openCommand,
  completion: async () => (await import('./remote/completion.ts')).completionCommand(allCommands),
}

const read = (some: Commands): Promise<Command[]> => Promise.all(Object.values(some).map((command) => command()))

const every = new Map(Object.entries({ ...forOperators, ...forDevelopers }))

export const commandNames = [...every.keys()]

export const allCommands = (): Promise<Command[]> => read(Object.fromEntries(every))

export const findCommand = async (name: string): Promise<Command | null> => (await every.get(name)?.()) ?? null

export async function usage(): Promise<string> {
  const [operators, developers] = [await read(forOperators), await read(forDevelopers)]
  const width = Math.max(...commandNames.map((name) => name.length))
  const rows = (some: readonly Command[]) =>
    some.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
  return `Entrepot, an integration service for commerce.

Usage: entrepot COMMAND [options]

Run an instance (settings come from the environment: see .env.example)
${rows(operators)}

Build on an instance, here or anywhere
${rows(developers)}

Every command takes --help and --json. --version says which this is.`
}
