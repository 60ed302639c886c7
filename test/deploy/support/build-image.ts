import { execFileSync, spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { cp, mkdir, readFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { environmentOf, type Instruction, readDockerfile, type Stage, wordsOf } from './dockerfile.ts'
import { areInstalled, linkPackages } from './installed-packages.ts'

/** What a container of the image would run, and where its root is on this machine. */
export interface Image {
  workdir: string
  command: string[]
  healthcheck: string[]
  environment: Record<string, string>
  user: string
}

/**
 * The steps of a Dockerfile without a container engine: each stage has a folder for its root, sources are copied and commands run as
 * written, on the Node of this process. Base images, users and owners are not there. `npm ci` says whether it could be done with what
 * was copied, and is then believed: what it would unpack is what it has unpacked here.
 */
export async function buildImage(root: string, folder: string): Promise<Image> {
  const stages = readDockerfile(await readFile(join(root, 'deploy/Dockerfile'), 'utf8'))
  const context = join(folder, 'context')
  await copyContext(root, context)
  const places = new Map<string, string>()
  for (const [nth, stage] of stages.entries()) {
    const place = join(folder, stage.name ?? `stage-${nth}`)
    await mkdir(place, { recursive: true })
    if (stage.name) places.set(stage.name, place)
    await buildStage(stage, place, {
      root,
      sourceOf: (from) => (from === undefined ? context : (places.get(from) ?? '')),
    })
  }
  const last = stages.at(-1)
  if (!last) throw new Error('The Dockerfile has no stage.')
  const place = join(folder, `stage-${stages.length - 1}`)
  return {
    workdir: join(place, textOf(last, 'WORKDIR')),
    command: [...wordsOf(last, 'ENTRYPOINT'), ...wordsOf(last, 'CMD')],
    healthcheck: wordsOf(last, 'HEALTHCHECK'),
    environment: environmentOf(last),
    user: textOf(last, 'USER'),
  }
}

const textOf = ({ instructions }: Stage, name: string) =>
  instructions.findLast((instruction) => instruction.name === name)?.text ?? ''

/** What is in the repository, without what .dockerignore leaves out: a list of what it lets in, and of what it does not. */
async function copyContext(root: string, context: string): Promise<void> {
  const lines = (await readFile(join(root, '.dockerignore'), 'utf8')).split('\n').filter((line) => /^[^#]/.test(line))
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  const isIn = (file: string) => {
    const rule = lines.findLast((line) => {
      const path = line.replace(/^!/, '')
      return path === '*' || file === path || file.startsWith(`${path}/`)
    })
    return rule?.startsWith('!') ?? true
  }
  for (const file of files.trim().split('\n').filter(isIn)) {
    await mkdir(dirname(join(context, file)), { recursive: true })
    await cp(join(root, file), join(context, file))
  }
}

async function buildStage(
  stage: Stage,
  place: string,
  { root, sourceOf }: { root: string; sourceOf: (from: string | undefined) => string },
): Promise<void> {
  const environment = environmentOf(stage)
  let workdir = place
  for (const instruction of stage.instructions) {
    if (instruction.name === 'WORKDIR') {
      workdir = join(place, instruction.text)
      await mkdir(workdir, { recursive: true })
    }
    if (instruction.name === 'COPY') await copy(instruction, { workdir, place, sourceOf })
    if (instruction.name !== 'RUN') continue
    const isKnown = instruction.text === 'npm ci' && (await areInstalled(root))
    run(isKnown ? 'npm ci --dry-run' : instruction.text, { workdir, place, environment })
    if (isKnown) await linkPackages(root, workdir)
  }
}

async function copy(
  { text }: Instruction,
  { workdir, place, sourceOf }: { workdir: string; place: string; sourceOf: (from: string | undefined) => string },
): Promise<void> {
  const words = text.split(' ')
  const from = words.find((word) => word.startsWith('--from='))?.slice('--from='.length)
  const paths = words.filter((word) => !word.startsWith('--'))
  const to = paths.pop() ?? '.'
  const target = isAbsolute(to) ? join(place, to) : join(workdir, to)
  for (const path of paths) {
    const source = join(sourceOf(from), path)
    // Of a folder its content is meant; a file goes by its name into what ends with a slash.
    const isFile = statSync(source).isFile()
    await cp(source, isFile && to.endsWith('/') ? join(target, basename(path)) : target, {
      recursive: true,
      verbatimSymlinks: true,
    })
  }
}

function run(
  command: string,
  { workdir, place, environment }: { workdir: string; place: string; environment: Record<string, string> },
): void {
  const { HOME = '', PATH = '' } = process.env
  const { status, stderr } = spawnSync('sh', ['-c', command.replaceAll(/(?<=\s)\/(?=\w)/g, `${place}/`)], {
    cwd: workdir,
    env: { ...environment, HOME, PATH: `${dirname(process.execPath)}:${PATH}`, npm_config_prefer_offline: 'true' },
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`RUN ${command} ended with ${status}:\n${stderr.slice(-4000)}`)
}
