import { type Command, command } from '../command.ts'

/** Scripts for shells, read off the one list of commands: what is not in it is not offered. */
export function completionCommand(commands: () => Promise<readonly Command[]>): Command {
  return command({
    name: 'completion',
    summary: 'Print the completion of a shell: bash, zsh or fish',
    arguments: [{ name: 'SHELL', description: 'bash, zsh or fish', required: true, values: ['bash', 'zsh', 'fish'] }],
    options: {},
    async run(_values, output, [shell = 'bash']) {
      const script = scripts[shell as keyof typeof scripts]((await commands()).map(offered))
      output.result({ shell, script }, script.trimEnd())
    },
  })
}

interface Offered {
  name: string
  summary: string
  /** Words that may follow, by their place. */
  words: readonly (readonly string[])[]
  options: readonly { name: string; description: string; takesValue: boolean }[]
}

const always = [
  { name: '--json', description: 'Print the result as JSON', takesValue: false },
  { name: '--help', description: 'Show how it is used', takesValue: false },
]

const offered = ({ name, summary, options = {}, arguments: args = [] }: Command): Offered => ({
  name,
  summary,
  words: args.map(({ values = [] }) => values),
  options: [
    ...Object.entries(options).map(([option, { type, description }]) => ({
      name: `--${option}`,
      description,
      takesValue: type === 'string',
    })),
    ...always,
  ],
})

const scripts = { bash, zsh, fish }

/** Inside single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

function bash(commands: readonly Offered[]): string {
  const cases = commands.map(({ name, words, options }) => {
    const all = [...words.flat(), ...options.map((option) => option.name)]
    return `    ${name}) words=${quoted(all.join(' '))} ;;`
  })
  return `# entrepot completion bash > /etc/bash_completion.d/entrepot
_entrepot() {
  local words current="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    words=${quoted([...commands.map(({ name }) => name), '--version', '--help'].join(' '))}
  else
    case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) words='' ;;
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -F _entrepot entrepot
`
}

function zsh(commands: readonly Offered[]): string {
  const spelled = (text: string) =>
    text.replaceAll('\\', '\\\\').replaceAll(':', '\\:').replaceAll('[', '\\[').replaceAll(']', '\\]')
  const names = commands.map(({ name, summary }) => `    ${quoted(`${name}:${spelled(summary)}`)}`)
  const cases = commands.map(({ name, words, options }) => {
    const specs = [
      ...options.map((option) =>
        quoted(`${option.name}[${spelled(option.description)}]${option.takesValue ? ':value:_files' : ''}`),
      ),
      ...words.map((values, n) => quoted(`${n + 1}:word:${values.length > 0 ? `(${values.join(' ')})` : ' '}`)),
    ]
    return `    ${name}) _arguments ${specs.join(' ')} ;;`
  })
  return `#compdef entrepot
# entrepot completion zsh > "\${fpath[1]}/_entrepot"
_entrepot() {
  local -a commands
  commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local name="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$name" in
${cases.join('\n')}
  esac
}
_entrepot "$@"
`
}

function fish(commands: readonly Offered[]): string {
  const lines = commands.flatMap(({ name, summary, words, options }) => [
    `complete -c entrepot -f -n __fish_use_subcommand -a ${quoted(name)} -d ${quoted(summary)}`,
    ...(words.flat().length > 0
      ? [`complete -c entrepot -f -n '__fish_seen_subcommand_from ${name}' -a ${quoted(words.flat().join(' '))}`]
      : []),
    ...options.map(
      (option) =>
        `complete -c entrepot -f -n '__fish_seen_subcommand_from ${name}' -l ${option.name.slice(2)}${option.takesValue ? ' -r' : ''} -d ${quoted(option.description)}`,
    ),
  ])
  return `# entrepot completion fish > ~/.config/fish/completions/entrepot.fish\n${lines.join('\n')}\n`
}
