import { command } from './command.ts'
import { diagnose, type Finding } from './diagnose.ts'

const marks = { ok: 'ok  ', warning: 'warn', problem: 'FAIL' } as const

export const doctorCommand = command({
  name: 'doctor',
  summary: 'Say what is wrong with the set-up, in words',
  options: {},
  async run(_values, output) {
    const findings = await diagnose()
    const broken = findings.some(({ level }) => level === 'problem')
    output.result({ ok: !broken, findings }, findings.map(line).join('\n'))
    if (broken) process.exitCode = 1
  },
})

const line = ({ level, subject, words }: Finding) => `${marks[level]}  ${subject}: ${words}`
