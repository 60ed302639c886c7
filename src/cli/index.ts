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
import { rotateKeysCommand } from './rotate-keys.ts'
import { simulatorCommand } from './simulator.ts'
import { startCommand } from './start.ts'
import { workerCommand } from './worker.ts'

export const commands: readonly Command[] = [
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

export function usage(): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `Entrepot, an integration service for commerce.\n\nUsage: entrepot COMMAND [options]\n\n${rows.join('\n')}\n\nEvery command takes --help and --json. --version says which this is. Settings come from the environment: see .env.example.`
}
