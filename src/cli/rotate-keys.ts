import { command } from './command.ts'
import { withProgram } from './session.ts'

export const rotateKeysCommand = command({
  name: 'rotate-keys',
  summary: 'Re-encrypt stored secrets with the newest master key; can be interrupted and run again',
  options: {
    signing: {
      type: 'boolean',
      description: 'Also sign new access tokens with a new key; the old ones keep verifying',
    },
  },
  async run(values, output) {
    const [{ rotateSigningKey }, { rotateKeys }] = await Promise.all([
      import('../domain/oauth/signing-keys/signing-keys.ts'),
      import('../domain/rotate-keys/rotate-keys.ts'),
    ])
    const result = await withProgram(
      async ({ context }) => {
        const signingKey = values.signing ? await rotateSigningKey(context) : null
        const rotated = await rotateKeys(context, {
          onProgress: ({ table, rewrapped }) => output.say(`${table}: ${rewrapped} sealed anew`),
        })
        return { master_key: context.keys[0].id, signing_key: signingKey, ...rotated }
      },
      { operation: 'rotate-keys', what: 'Re-encrypt stored secrets with the newest master key' },
    )
    const sealed = Object.values(result.rewrapped).reduce((sum, count) => sum + count, 0)
    const words = [`${sealed} secrets sealed anew with master key "${result.master_key}".`]
    for (const { table, id } of result.unreadable)
      words.push(`${table} ${id} opens with no key of ours and was left as it is.`)
    if (result.signing_key) words.push(`Tokens are signed with key ${result.signing_key} from now on.`)
    output.result(result, words.join('\n'))
    if (result.unreadable.length > 0) process.exitCode = 1
  },
})
