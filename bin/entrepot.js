#!/usr/bin/env node
// The one JavaScript file: it finds a Node that can run TypeScript directly, then hands over.
// A machine may come with an older Node; the `node` package among our dependencies brings the right one.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const main = new URL('../src/main.ts', import.meta.url)

if (major > 22 || (major === 22 && minor >= 18)) {
  await import(main.href)
} else {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))
  if (!existsSync(node)) {
    process.stderr.write(`Entrepot needs Node 22.18 or newer; this is ${process.versions.node}. Run "npm ci" first.\n`)
    process.exit(1)
  }
  const child = spawn(node, [fileURLToPath(main), ...process.argv.slice(2)], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
