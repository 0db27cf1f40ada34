import { encode } from 'uqr'

/** ISO/IEC 18004 asks for four modules of light around a code. */
const quietModules = 4

/** A QR code with quiet zone as an SVG path of unit squares; `size` is its width and height. */
export function qrPath(text: string): { size: number; path: string } {
  const { data, size } = encode(text, { ecc: 'M', border: quietModules })
  const path = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join('')).join('')
  return { size, path }
}
