import { auditCommand } from './audit.ts'
import { backupCommand } from './backup/backup.ts'
import { restoreCommand } from './backup/restore.ts'
import type { Command } from './command.ts'
import { createClientCommand } from './create-client.ts'
import { createUserCommand } from './create-user.ts'
import { demoCommand } from './demo.ts'
import { distributeCommand } from './distribute.ts'
import { doctorCommand } from './doctor.ts'
import { migrateCommand } from './migrate.ts'
import { openApiCommand } from './openapi.ts'
import { passwordLinkCommand } from './password-link.ts'
import { completionCommand } from './remote/completion.ts'
import { listenCommand } from './remote/listen/listen.ts'
import { loginCommand } from './remote/login.ts'
import { logoutCommand } from './remote/logout.ts'
import { openCommand } from './remote/open.ts'
import { ordersCommand } from './remote/orders.ts'
import { replayCommand } from './remote/replay.ts'
import { shopsCommand } from './remote/shops.ts'
import { tailCommand } from './remote/tail.ts'
import { triggerCommand } from './remote/trigger.ts'
import { whoamiCommand } from './remote/whoami.ts'
import { rotateKeysCommand } from './rotate-keys.ts'
import { simulatorCommand } from './simulator.ts'
import { startCommand } from './start.ts'
import { workerCommand } from './worker.ts'

/** Of whoever runs an instance: these need its settings and its database. */
const forOperators: readonly Command[] = [
  startCommand,
  workerCommand,
  migrateCommand,
  distributeCommand,
  demoCommand,
  createUserCommand,
  createClientCommand,
  passwordLinkCommand,
  backupCommand,
  restoreCommand,
  rotateKeysCommand,
  auditCommand,
  openApiCommand,
  doctorCommand,
  simulatorCommand,
]

/** Of whoever builds on one: these speak to it from anywhere. */
const forDevelopers: readonly Command[] = [
  loginCommand,
  logoutCommand,
  whoamiCommand,
  shopsCommand,
  ordersCommand,
  listenCommand,
  triggerCommand,
  replayCommand,
  tailCommand,
  openCommand,
  completionCommand(() => commands),
]

export const commands: readonly Command[] = [...forOperators, ...forDevelopers]

export function usage(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const rows = (some: readonly Command[]) =>
    some.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`).join('\n')
  return `Entrepot, an integration service for commerce.

Usage: entrepot COMMAND [options]

Run an instance (settings come from the environment: see .env.example)
${rows(forOperators)}

Build on an instance, here or anywhere
${rows(forDevelopers)}

Every command takes --help and --json. --version says which this is.`
}
