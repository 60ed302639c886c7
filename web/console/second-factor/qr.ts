import { css, html, svg, type TemplateResult } from 'lit'
import { encode } from 'uqr'

/** For the camera of a phone: dark on light whatever the colours of the page are. */
export function qrCode(text: string, label: string): TemplateResult {
  const { data, size } = encode(text, { border: 2 })
  const dots = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return html`<svg class="qr" role="img" aria-label=${label} viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges">
    ${svg`<rect width=${size} height=${size} fill="#fff" /><path d=${dots.join('')} fill="#000" />`}
  </svg>`
}

export const qrLook = css`
  .qr {
    display: block;
    width: 184px;
    height: 184px;
    border: 1px solid var(--_line);
    border-radius: var(--_radius);
  }
`
