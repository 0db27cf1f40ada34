/** A cell: text stays text whatever it looks like; `number` is a decimal string that a spreadsheet may calculate with. */
export type Cell = string | { number: string }

/** Most characters that a cell can hold. */
const textMax = 32_767
/** Significant digits that a spreadsheet keeps; with more it would round without a word. */
const digitsMax = 15

// biome-ignore lint/suspicious/noControlCharactersInRegex: they cannot be written in XML 1.0
const special = /[&<>\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu

/** Words of ASCII, nothing to escape, a blank between two of them at most: most text is that, and it is found out fast. */
const plain = /^[!-%'-;=?-^`-~]+(?: [!-%'-;=?-^`-~]+)*$/

/** Writes text for XML. What XML cannot hold becomes _xHHHH_, the form of spreadsheets; text that looks like that form too. */
export const escapeText = (text: string) =>
  special.test(text) ? text.slice(0, textMax).replace(special, escapeOne) : text.slice(0, textMax)

function escapeOne(found: string): string {
  if (found === '&') return '&amp;'
  if (found === '<') return '&lt;'
  if (found === '>') return '&gt;'
  return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** Whether a spreadsheet shows exactly this number when it is written as one. */
export function isSafeNumber(text: string): boolean {
  if (!plainNumber.test(text)) return false
  if (text.length <= digitsMax) return true
  const digits = text.replace('-', '').replace('.', '').replace(/^0+/, '')
  return digits.length <= digitsMax
}

/** The letters of a column: 0 is A, 26 is AA. */
export const columnName = (index: number): string =>
  (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

/** What each cell of a column begins with; its row's number follows. */
export const cellStart = (index: number) => `<c r="${columnName(index)}`

/** One row of a sheet as XML. `starts` are those of its columns, `style` an index of the style sheet. */
export function rowXml(number: number, cells: readonly Cell[], starts: readonly string[], style = 0): string {
  const reference = style ? `${number}" s="${style}"` : `${number}"`
  let xml = `<row r="${number}">`
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!
    const text = typeof cell === 'string' ? cell : cell.number
    if (text === '') continue
    xml += starts[i] + reference
    xml += typeof cell === 'object' && isSafeNumber(text) ? `><v>${text}</v></c>` : textXml(text)
  }
  return `${xml}</row>`
}

const textXml = (text: string) =>
  plain.test(text) && text.length <= textMax
    ? ` t="inlineStr"><is><t>${text}</t></is></c>`
    : ` t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
