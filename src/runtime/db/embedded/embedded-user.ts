import { type SpawnOptions, spawnSync } from 'node:child_process'
import { chownSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

/** How the programs of PostgreSQL are run. It refuses root, so root lends it another user. */
export interface RunAs {
  command(program: string, args: readonly string[]): { program: string; args: readonly string[]; options: SpawnOptions }
  own(path: string): void
}

const asOurselves: RunAs = {
  command: (program, args) => ({ program, args, options: {} }),
  own: () => undefined,
}

/** `paths` must be within reach of that user: the program and the data folder. */
export function chooseUser(paths: readonly string[]): RunAs {
  if (process.getuid?.() !== 0) return asOurselves
  const user = findUser('postgres') ?? findUser('nobody')
  if (!user)
    throw new Error('PostgreSQL does not run as root, and there is no user "postgres" or "nobody" to run it as.')
  const own = (path: string) => chownSync(path, user.uid, user.gid)
  if (paths.every((path) => canReach(user, path))) {
    return { own, command: (program, args) => ({ program, args, options: { uid: user.uid, gid: user.gid } }) }
  }
  // A clone below /root: nobody else may enter it. The user gets the one right to pass closed folders, which is to read
  // and never to write; the secure bit makes it count in access() too, by which initdb looks for its programs.
  const setpriv = [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--securebits=+no_setuid_fixup']
  setpriv.push('--inh-caps=-all,+dac_read_search', '--ambient-caps=-all,+dac_read_search', '--')
  if (spawnSync('setpriv', [...setpriv, 'true']).status !== 0) {
    throw new Error(
      'PostgreSQL does not run as root, and no other user can reach this folder. ' +
        'Run as an ordinary user, move to a folder that is open to all, or set DATABASE_URL.',
    )
  }
  return {
    own,
    command: (program, args) => ({ program: 'setpriv', args: [...setpriv, program, ...args], options: {} }),
  }
}

interface User {
  uid: number
  gid: number
}

function findUser(name: string): User | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((candidate) => candidate.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}

/** Whether the user may pass through every folder above the path. */
function canReach(user: User, path: string): boolean {
  const folder = dirname(path)
  const { uid, gid, mode } = statSync(folder)
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001
  return (mode & bit) !== 0 && (folder === path || canReach(user, folder))
}
