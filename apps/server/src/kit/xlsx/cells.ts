/**
 * A cell. A string is always stored as text, and stays text when it is edited. `number` is an amount, a decimal string:
 * it is stored as a number, which has 15 digits, and shown with 2 to 6 decimals. `count` is a whole number, shown
 * without decimals. `date` is a date and time, in seconds since 1970 on the clock of its reader. An empty string is an
 * empty cell of any kind.
 */
export type SheetCell = string | { number: string } | { count: number } | { date: number }

/** Maximum number of characters in a cell. */
const textMax = 32_767
/** Significant digits of a spreadsheet number. More digits are rounded silently. */
const digitsMax = 15

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are invalid in XML 1.0
const special = /[&<>\u0000-\u0008\u000B\u000C\u000D\u000E-\u001F\uD800-\uDFFF\uFFFE\uFFFF]|_(?=x[0-9A-Fa-f]{4}_)/gu

/**
 * Text that a spreadsheet may run as a formula, also once it is edited or saved as CSV; fullwidth signs count in some
 * languages.
 */
export const formulaStartPattern = /^[=+\-@\t\r\n＝＋－＠]/

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

/** Reports whether a spreadsheet stores the digits of an amount without rounding. */
export function isSafeNumber(text: string): boolean {
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

/** The styles of amounts, of text that looks like a formula, of other text, of dates and of counts, in `stylesXml`. */
const amountStyle = ' s="2"'
const quotedStyle = ' s="3"'
const textStyle = ' s="4"'
const dateStyle = ' s="5"'
const countStyle = ' s="6"'

/** 1970-01-01 as a number of days, as spreadsheets count them. */
const epochDays = 25_569
/** In days. All digits are needed: a time below a full second is shown as the second before. */
const dateNumber = (seconds: number) => String(epochDays + seconds / 86_400)

/** Writes one row of a sheet as XML. `style` is a style index. */
export function rowXml(
  number: number,
  cells: readonly SheetCell[],
  columns: readonly SheetColumn[],
  style = 0,
): string {
  const reference = style ? `${number}" s="${style}"` : `${number}"`
  let xml = `<row r="${number}">`
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]!
    if (cell === '') continue
    const column = columns[i]!
    xml += column.start + reference
    if (typeof cell === 'object') xml += numberXml(cell)
    else if (cell === column.above) xml += column.aboveXml
    else {
      column.above = cell
      const textual = formulaStartPattern.test(cell) ? quotedStyle : textStyle
      xml += column.aboveXml = (style ? '' : textual) + textXml(cell)
    }
  }
  return `${xml}</row>`
}

function numberXml(cell: Exclude<SheetCell, string>): string {
  if ('number' in cell) return amountXml(cell.number)
  return 'date' in cell ? `${dateStyle}><v>${dateNumber(cell.date)}</v></c>` : `${countStyle}><v>${cell.count}</v></c>`
}

/** All digits of an amount are written: the reader takes the nearest number. Throws RangeError for what is none. */
function amountXml(text: string): string {
  if (!plainNumber.test(text)) throw new RangeError(`not an amount: ${text}`)
  return `${amountStyle}><v>${text}</v></c>`
}

const textXml = (text: string) =>
  plain.test(text) && text.length <= textMax
    ? ` t="inlineStr"><is><t>${text}</t></is></c>`
    : ` t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`
