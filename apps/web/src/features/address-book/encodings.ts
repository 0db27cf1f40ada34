/**
 * The encodings that a text file without a mark may have, besides Unicode ones. `asked` names them in each language.
 */
export const encodings = [
  'gb18030',
  'big5',
  'shift_jis',
  'euc-kr',
  'windows-1252',
  'macintosh',
  'windows-1250',
  'windows-1251',
  'x-mac-cyrillic',
  'windows-1253',
  'windows-1254',
] as const
export type Encoding = (typeof encodings)[number]

/** How a file reads in an encoding: the first cells that are not ASCII. */
export interface EncodingSample {
  encoding: Encoding
  cells: string[]
}

const decoded = (bytes: Uint8Array, label: string): string | null => {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

const starts = (bytes: Uint8Array, ...mark: number[]) => mark.every((byte, index) => bytes[index] === byte)

/** The Unicode encoding that a file certainly has: it says so, or has a zero in every character that is ASCII. */
function unicodeOf(bytes: Uint8Array): string {
  if (starts(bytes, 0xff, 0xfe)) return 'utf-16le'
  if (starts(bytes, 0xfe, 0xff)) return 'utf-16be'
  const zeros = [0, 0]
  for (const [index, byte] of bytes.entries()) if (byte === 0) zeros[index % 2]!++
  if (zeros[0] === 0 && zeros[1]! > 0) return 'utf-16le'
  return zeros[0]! > 0 && zeros[1] === 0 ? 'utf-16be' : 'utf-8'
}

/**
 * The text of a file in Unicode, which cannot be mistaken; null in another encoding. Throws for a file that is no text.
 */
export function decodeUnicodeText(bytes: Uint8Array): string | null {
  const encoding = unicodeOf(bytes)
  const text = decoded(bytes, encoding)
  if (text?.includes('\0') || (text === null && (bytes.includes(0) || encoding !== 'utf-8')))
    throw new Error('not a text')
  return text
}

/**
 * The text of a file in an encoding; null if it is certainly another one, as some byte means no character of a text in
 * it.
 */
export function decodeText(bytes: Uint8Array, encoding: Encoding): string | null {
  const text = decoded(bytes, encoding)
  return text === null || /[^\P{C}\t\n\r]/u.test(text) ? null : text
}

const cellsShown = 4
const lengthShown = 24

/**
 * Cells of a file, as bytes, that show most of its bytes beyond ASCII, so that encodings differ in what is shown of
 * them. None of these separators is a part of a longer character.
 */
function tellingCells(bytes: Uint8Array): Uint8Array[] {
  const text = Array.from(bytes, byte => String.fromCharCode(byte)).join('')
  const wide = (cell: string) => new Set(cell.replace(/[\0-\x7f]/g, ''))
  const left = wide(text)
  let cells = [...new Set(text.split(/[\r\n,;\t"]+/))]
  const chosen: string[] = []
  while (left.size > 0 && chosen.length < cellsShown) {
    const newIn = (cell: string) => [...wide(cell.slice(0, lengthShown))].filter(byte => left.has(byte)).length
    const counted = cells.map(cell => ({ cell, count: newIn(cell) })).filter(each => each.count > 0)
    const best = counted.reduce((most, each) => (each.count > most.count ? each : most), { cell: '', count: 0 })
    if (best.count === 0) break
    chosen.push(best.cell)
    for (const byte of wide(best.cell)) left.delete(byte)
    cells = counted.map(each => each.cell)
  }
  return chosen.map(cell => Uint8Array.from(cell, each => each.charCodeAt(0)))
}

/** How a file reads in each encoding that it may have. Those in which it reads the same are one. */
export function buildEncodingSamples(bytes: Uint8Array): EncodingSample[] {
  const seen = new Set<string>()
  const telling = tellingCells(bytes)
  return encodings.flatMap(encoding => {
    const text = decodeText(bytes, encoding)
    if (text === null || seen.has(text)) return []
    seen.add(text)
    const cells = telling.map(cell => (decodeText(cell, encoding) ?? '').trim())
    return { encoding, cells: cells.map(cell => (cell.length > lengthShown ? `${cell.slice(0, lengthShown)}…` : cell)) }
  })
}
