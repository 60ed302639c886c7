import { mkdirSync, writeFileSync } from 'node:fs'
import { Session } from 'node:inspector'

/** Preloaded by a server beside `main-thread.ts`: each time it is signalled it also writes where its time went since the last time, into PROFILES. */
const folder = process.env['PROFILES'] ?? 'profiles'
mkdirSync(folder, { recursive: true })
const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.setSamplingInterval', { interval: 1000 })
session.post('Profiler.start')
let n = 0

process.on('SIGUSR2', () => {
  session.post('Profiler.stop', (_error, { profile }) => {
    writeFileSync(`${folder}/${process.pid}-${++n}.cpuprofile`, JSON.stringify(profile))
    session.post('Profiler.start')
  })
})
