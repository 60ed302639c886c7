import { css, html, svg, type TemplateResult } from 'lit'

export interface Series {
  name: string
  /** One of the tokens, such as `--_accent`. */
  colour: string
  values: readonly number[]
}

interface ChartOptions {
  title: string
  /** Under the bars, one for each value; shown for the first, the middle and the last. */
  labels: readonly string[]
  series: readonly Series[]
  unit: string
}

const width = 480
const height = 120

/**
 * Bars side by side, one column per hour, series stacked. The picture is for the eyes; the same figures stand in a table
 * for everybody else.
 */
export function bars({ title, labels, series, unit }: ChartOptions): TemplateResult {
  const totals = labels.map((_, n) => series.reduce((sum, { values }) => sum + (values[n] ?? 0), 0))
  const top = niceTop(Math.max(...totals, 1))
  const step = width / Math.max(1, labels.length)
  const columns = labels.map((label, n) => {
    let from = 0
    const parts = series.map(({ colour, values }) => {
      const value = values[n] ?? 0
      const size = (value / top) * height
      from += size
      return svg`<rect x=${n * step + 1} y=${height - from} width=${Math.max(1, step - 2)} height=${size} rx="1.5" fill="var(${colour})"></rect>`
    })
    const said = series.map(({ name, values }) => `${name}: ${values[n] ?? 0}`).join(', ')
    return svg`<g>${parts}<rect x=${n * step} y="0" width=${step} height=${height} fill="transparent"><title>${label}, ${said} ${unit}</title></rect></g>`
  })
  const middle = Math.floor(labels.length / 2)
  return html`<figure class="chart">
    <figcaption><h2>${title}</h2>${legend(series)}</figcaption>
    <div class="plot">
      <span class="top small muted">${top.toLocaleString('en')} ${unit}</span>
      <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
        <line x1="0" x2=${width} y1="0.5" y2="0.5"></line>
        <line x1="0" x2=${width} y1=${height / 2} y2=${height / 2}></line>
        <line x1="0" x2=${width} y1=${height - 0.5} y2=${height - 0.5}></line>
        ${columns}
      </svg>
      <div class="axis small muted"><span>${labels[0]}</span><span>${labels[middle]}</span><span>${labels.at(-1)}</span></div>
    </div>
    <div class="visually-hidden"><table>
      <caption>${title}</caption>
      <thead><tr><th scope="col">Hour</th>${series.map(({ name }) => html`<th scope="col">${name}</th>`)}</tr></thead>
      <tbody>
        ${labels.map((label, n) => html`<tr><th scope="row">${label}</th>${series.map(({ values }) => html`<td>${values[n] ?? 0}</td>`)}</tr>`)}
      </tbody>
    </table></div>
  </figure>`
}

const legend = (series: readonly Series[]) =>
  html`<ul>${series.map(({ name, colour }) => html`<li class="small"><svg width="10" height="10" aria-hidden="true"><rect width="10" height="10" rx="2" fill="var(${colour})"></rect></svg>${name}</li>`)}</ul>`

/** 1, 2 or 5 with zeros: a figure that can be halved in the head. */
export function niceTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const found = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10
  return Math.max(1, found * power)
}

/** The last 24 hours as the service names them, oldest first. */
export function lastHours(now: Date): string[] {
  const begin = Math.floor(now.getTime() / 3_600_000) * 3_600_000
  return Array.from(
    { length: 24 },
    (_, n) => `${new Date(begin - (23 - n) * 3_600_000).toISOString().slice(0, 13)}:00:00Z`,
  )
}

export const hourLabel = (hour: string): string =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }).format(new Date(hour))

export const charts = css`
  .chart {
    margin: 0;
    min-width: 0;
  }
  .chart figcaption {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    justify-content: space-between;
    gap: 4px 16px;
    margin-bottom: 12px;
  }
  .chart h2,
  h2.title {
    font: 600 14px / 22px var(--_font);
  }
  .chart ul {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .chart li {
    display: flex;
    align-items: center;
    gap: 6px;
    color: var(--_muted);
  }
  .plot svg {
    display: block;
    width: 100%;
    height: 120px;
  }
  .plot line {
    stroke: var(--_line);
    vector-effect: non-scaling-stroke;
  }
  .axis {
    display: flex;
    justify-content: space-between;
    margin-top: 4px;
  }
`
