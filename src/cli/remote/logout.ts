import { readCommandLine } from '../../config.ts'
import { command } from '../command.ts'
import { explained, failure } from './failure.ts'
import { commandLineClient } from './login.ts'
import { forgetProfile, readProfiles } from './profiles.ts'
import { send } from './send.ts'

export const logoutCommand = command({
  name: 'logout',
  summary: 'Revoke the token of an instance and forget it',
  options: { profile: { type: 'string', value: 'NAME', description: 'Which instance; the one in use by default' } },
  async run({ profile: named }, output) {
    const { folder } = readCommandLine()
    const { current, profiles } = await readProfiles(folder)
    const name = named ?? current
    const profile = profiles[name]
    if (!profile) throw failure('not_signed_in', `There is no profile "${name}".`)
    let isRevoked = false
    if (profile.issued) {
      const body = new URLSearchParams({ client_id: commandLineClient, token: profile.token })
      const { library } = await import('./library.ts')
      const answer = await send(`${profile.url}/oauth/revoke`, { method: 'POST', body }).catch((cause: unknown) => {
        throw explained(new library.ConnectionError('no answer', { cause }), profile.url)
      })
      if (!answer.ok) throw failure('failed', `${profile.url} did not revoke the token (${answer.status}); it is kept.`)
      isRevoked = true
    }
    await forgetProfile(folder, name)
    const words = isRevoked
      ? `Signed out of ${profile.url}: the token is revoked.`
      : `Profile "${name}" is forgotten. Its token was given by hand and is still good: revoke it where you got it.`
    output.result({ profile: name, url: profile.url, revoked: isRevoked }, words)
  },
})
