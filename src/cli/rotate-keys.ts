import { rotateSigningKey } from '../domain/oauth/signing-keys.ts'
import { command } from './command.ts'
import { withProgram } from './session.ts'

export const rotateKeysCommand = command({
  name: 'rotate-keys',
  summary: 'Sign new tokens with a new key',
  options: {
    signing: { type: 'boolean', description: 'Make a new key for signing access tokens; the old ones keep verifying' },
  },
  async run(values, output) {
    const kid = await withProgram(async ({ context }) => (values.signing ? await rotateSigningKey(context) : null))
    output.result({ signing_key: kid }, kid ? `Tokens are signed with key ${kid} from now on.` : 'Nothing to do.')
  },
})
