/** What a Dockerfile says, one entry for each instruction; a line that ends in a backslash goes on in the next. */
export interface Instruction {
  name: string
  text: string
}

export interface Stage {
  name: string | null
  instructions: Instruction[]
}

export function readDockerfile(source: string): Stage[] {
  const lines = source.replaceAll(/\\\n\s*/g, '').split('\n')
  const stages: Stage[] = []
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue
    const [, name = '', text = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    if (name === 'FROM') stages.push({ name: / AS (\w+)$/.exec(text)?.[1] ?? null, instructions: [] })
    else stages.at(-1)?.instructions.push({ name, text })
  }
  return stages
}

/** Settings by name, of all lines that set some. */
export const environmentOf = ({ instructions }: Stage): Record<string, string> =>
  Object.fromEntries(
    instructions
      .filter(({ name }) => name === 'ENV')
      .flatMap(({ text }) => text.split(' '))
      .map((entry) => entry.split('=', 2)),
  )

/** What stands in brackets, as a list of words. */
export function wordsOf({ instructions }: Stage, name: string): string[] {
  const text = instructions.find((instruction) => instruction.name === name)?.text ?? ''
  return JSON.parse(text.slice(text.indexOf('[')))
}
