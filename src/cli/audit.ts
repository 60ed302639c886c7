import { ConfigError } from '../config.ts'
import { command } from './command.ts'
import { withProgram } from './session.ts'

const verify = command({
  name: 'audit verify',
  summary: 'Go through the audit trail and say what was changed, added or taken away',
  options: {
    expect: {
      type: 'string',
      value: 'BLOCK:HASH',
      description: 'A block you noted earlier, such as one from the log: shows whether the end was cut off',
    },
  },
  async run({ expect }, output) {
    const [, block = '', hash = ''] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(expect ?? '') ?? []
    if (expect !== undefined && hash === '') throw new ConfigError('--expect takes a number and a hash, as "17:9f2c…".')
    const expected = expect === undefined ? null : { block: Number(block), hash }
    const { verifyTrail } = await import('../domain/audit/verify-trail.ts')
    const found = await withProgram(({ context }) => verifyTrail(context, expected))
    const { blocks, entries, unsealed, removed, head, faults } = found
    const counted = `${entries} entries in ${blocks} blocks, ${unsealed} not sealed yet, ${removed} taken away by the retention.`
    const words = [
      ...faults,
      faults.length === 0 ? `The audit trail is intact: ${counted}` : `The trail is not whole: ${counted}`,
      `Note down ${head.block}:${head.hash}`,
    ]
    output.result(found, words.join('\n'))
    if (faults.length > 0) process.exitCode = 1
  },
})

/** Has one command of its own so far. */
export const auditCommand = {
  name: 'audit',
  summary: 'audit verify: go through the audit trail and say what was tampered with',
  async run(args: readonly string[]) {
    const [name, ...rest] = args
    if (name !== 'verify' && name !== '--help') throw new ConfigError('Run "entrepot audit verify".')
    await verify.run(name === 'verify' ? rest : args)
  },
}
