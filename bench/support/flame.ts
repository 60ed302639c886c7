/** As V8 writes it (`--cpu-prof`), as far as it is looked at. */
export interface CpuProfile {
  nodes: readonly {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number }
    children?: readonly number[]
  }[]
  samples: readonly number[]
  /** Microseconds before each sample. */
  timeDeltas: readonly number[]
}

interface Frame {
  name: string
  place: string
  own: number
  total: number
  children: Frame[]
}

const width = 1400
const rowHeight = 18
const minPixels = 1
const pixelsPerLetter = 6.6

/** A picture of where the time went: each frame as wide as the time in it and below it, callers above what they call. */
export function flameGraph(profile: CpuProfile, title: string): string {
  const root = withoutIdle(treeOf(profile))
  const depth = depthOf(root, width / Math.max(1, root.total))
  const height = (depth + 2) * rowHeight
  const scale = width / Math.max(1, root.total)
  const busy = `${title}: ${(root.total / 1000).toFixed(0)} ms of processor time`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="monospace" font-size="11">`,
    `<rect width="100%" height="100%" fill="#fff"/><text x="4" y="13">${escaped(busy)}</text>`,
    ...draw(root, { x: 0, y: rowHeight, scale, all: root.total }),
    '</svg>\n',
  ].join('\n')
}

function treeOf({ nodes, samples, timeDeltas }: CpuProfile): Frame {
  const own = new Map<number, number>()
  for (const [n, id] of samples.entries()) own.set(id, (own.get(id) ?? 0) + (timeDeltas[n] ?? 0))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const frameOf = (id: number): Frame => {
    const node = byId.get(id)
    const children = (node?.children ?? []).map(frameOf)
    const { functionName = '', url = '', lineNumber = 0 } = node?.callFrame ?? {}
    const self = own.get(id) ?? 0
    return {
      name: functionName || '(anonymous)',
      place: url === '' ? '' : `${url.replace(/^.*\/(?=(src|node_modules|bench)\/)/, '')}:${lineNumber + 1}`,
      own: self,
      total: self + children.reduce((sum, child) => sum + child.total, 0),
      children,
    }
  }
  return frameOf(nodes[0]?.id ?? 0)
}

/** A server that waits does nothing. */
function withoutIdle(root: Frame): Frame {
  const children = root.children.filter(({ name }) => name !== '(idle)' && name !== '(program)')
  return { ...root, name: 'all', children, total: root.own + children.reduce((sum, child) => sum + child.total, 0) }
}

const depthOf = ({ children, total }: Frame, scale: number): number =>
  total * scale < minPixels ? 0 : 1 + Math.max(0, ...children.map((child) => depthOf(child, scale)))

function draw(frame: Frame, at: { x: number; y: number; scale: number; all: number }): string[] {
  const pixels = frame.total * at.scale
  if (pixels < minPixels) return []
  const share = `${((100 * frame.total) / Math.max(1, at.all)).toFixed(1)} %`
  const letters = Math.floor((pixels - 4) / pixelsPerLetter)
  const label = letters < 3 ? '' : frame.name.slice(0, letters)
  let x = at.x
  const below = [...frame.children]
    .sort((a, b) => b.total - a.total)
    .flatMap((child) => {
      const drawn = draw(child, { ...at, x, y: at.y + rowHeight })
      x += child.total * at.scale
      return drawn
    })
  return [
    `<g><title>${escaped(`${frame.name} ${frame.place} ${share}`)}</title>`,
    `<rect x="${at.x.toFixed(1)}" y="${at.y}" width="${pixels.toFixed(1)}" height="${rowHeight - 1}" fill="${colourOf(frame.place)}"/>`,
    `<text x="${(at.x + 2).toFixed(1)}" y="${at.y + 13}">${escaped(label)}</text></g>`,
    ...below,
  ]
}

/** Ours, libraries, and what is Node's or V8's own. */
function colourOf(place: string): string {
  if (place.startsWith('src/')) return '#f4b183'
  return place.startsWith('node_modules/') ? '#c9d8ee' : '#e2e2e2'
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
