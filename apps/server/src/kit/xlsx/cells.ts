/**
 * A cell. A string is always stored as text. `number` is an amount, a decimal string: it is stored as a number with all
 * of its digits and shown with 2 to 6 decimals.
 */
export type Cell = string | { number: string }

/** Maximum number of characters in a cell. */
const textMax = 32_767
/** Significant digits of a spreadsheet number. More digits are rounded silently. */
const digitsMax = 15

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are invalid in XML 1.0
const special = /[&<>\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu

/** Text that a spreadsheet may run as a formula, also once it is edited or saved as CSV; fullwidth signs count in some languages. */
export const startsFormula = /^[=+\-@\t\r\n＝＋－＠]/

/** Fast path: printable ASCII that needs neither escaping nor space preservation. Most text matches. */
const plain = /^[!-%'-;=?-^`-~]+(?: [!-%'-;=?-^`-~]+)*$/

/** Escapes text for XML. Characters that XML cannot hold become _xHHHH_ (ECMA-376); literal _xHHHH_ is escaped too. */
export const escapeText = (text: string) =>
  special.test(text) ? text.slice(0, textMax).replace(special, escapeOne) : text.slice(0, textMax)

function escapeOne(found: string): string {
  if (found === '&') return '&amp;'
  if (found === '<') return '&lt;'
  if (found === '>') return '&gt;'
  return `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}

const plainNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/** Reports whether a spreadsheet stores this number without rounding. */
export function isSafeNumber(text: string): boolean {
  if (!plainNumber.test(text)) return false
  if (text.length <= digitsMax) return true
  const digits = text.replace('-', '').replace('.', '').replace(/^0+/, '')
  return digits.length <= digitsMax
}

/** Returns the letters of a column: 0 is A, 26 is AA. */
export const columnName = (index: number): string =>
  (index >= 26 ? columnName(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))

/** A column as rows are written: its cells start alike, and often repeat the text above them, which is escaped once. */
export const sheetColumn = (index: number) => ({ start: `<c r="${columnName(index)}`, above: '', aboveXml: '' })
type SheetColumn = ReturnType<typeof sheetColumn>

/** The styles of amounts, and of text that looks like a formula, in `stylesXml`. */
const amountStyle = ' s="2"'
const quotedStyle = ' s="3"'

/** Writes one row of a sheet as XML. `style` is a style index. */
export function rowXml(number: number, cells: readonly Cell[], columns: readonly SheetColumn[], style = 0): string {
  const reference = style ? `${number}" s="${style}"` : `${number}"`
  let xml = `<row r="${number}">`
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!
    const text = typeof cell === 'string' ? cell : cell.number
    if (text === '') continue
    const column = columns[i]!
    xml += column.start + reference
    if (typeof cell === 'object' && isSafeNumber(text)) xml += `${amountStyle}><v>${text}</v></c>`
    else if (text === column.above) xml += column.aboveXml
    else {
      column.above = text
      xml += column.aboveXml = (!style && startsFormula.test(text) ? quotedStyle : '') + textXml(text)
    }
  }
  return `${xml}</row>`
}

const textXml = (text: string) =>
  plain.test(text) && text.length <= textMax
    ? ` t="inlineStr"><is><t>${text}</t></is></c>`
    : ` t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
