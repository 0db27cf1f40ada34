import type { RouteBody } from '@coffer/contract'
import { walletNames } from '@coffer/contract/labels/wallets.ts'
import {
  buildEncodingSamples,
  decodeText,
  decodeUnicodeText,
  type Encoding,
  type EncodingSample,
  encodings,
} from './encodings.ts'

export type AddressImportRow = Required<RouteBody<'POST /api/v1/address/import/check'>['rows'][number]>

/** A row with its line in the file, from 1, in which empty lines count. */
export interface AddressFileRow {
  row: AddressImportRow
  line: number
}

/** Titles of the export's columns in each language, and common others. Of several in a file, the first here counts. */
const titles: Record<keyof AddressImportRow, readonly string[]> = {
  network: ['network', 'chain', '网络', '链', '公链', '主网'],
  address: ['address', '地址', '收款地址', '钱包地址', '提现地址', '提币地址'],
  label: ['label', 'name', '备注名', '名称', '地址备注', '标签', '备注'],
  memo: ['memo', 'tag', '转账备注'],
  beneficiary: ['beneficiary', '收款方'],
  wallet: ['wallet', '钱包类型'],
  institution: ['custodian', 'institution', '托管机构'],
}
/** Kinds of wallets by their names in exports. */
const wallets = Object.values(walletNames).flatMap(names => Object.entries(names))
const names = Object.keys(titles) as (keyof AddressImportRow)[]
const needed = ['network', 'address', 'label'] as const

/** Thrown when a file has no columns for network, address and label. */
export class MissingColumnsError extends Error {}

/** Thrown when a line of a file cannot be read for certain. */
export class InvalidLineError extends Error {
  readonly why: 'quotes' | 'cells'
  readonly line: number
  constructor(why: 'quotes' | 'cells', line: number) {
    super(`line ${line}: ${why}`)
    this.why = why
    this.line = line
  }
}

/** Rows above the titles, such as the name of the sheet, among which the titles are looked for. */
const rowsAbove = 20

/** The column of each title, -1 where no column has one. */
const columnsOf = (cells: readonly unknown[]) => {
  const heads = cells.map(cell => textOf(cell).toLowerCase())
  return (name: keyof AddressImportRow) => heads.indexOf(titles[name].find(title => heads.includes(title))!)
}
const isHead = (cells: readonly unknown[]) => needed.every(name => columnsOf(cells)(name) >= 0)

/**
 * Converts a sheet to rows. The first row that names the columns needed is that of the titles; what stands above it,
 * empty rows and columns of other titles are ignored. A cell beyond the titles is refused: a comma in a name may have
 * cut it in two.
 * @param height lines that a row takes in the file
 */
export function toAddressFileRows(
  sheet: readonly (readonly unknown[])[],
  height: (cells: readonly unknown[]) => number = () => 1,
  firstLine = 1,
): AddressFileRow[] {
  let next = firstLine
  const filled = sheet
    .map(cells => {
      const line = next
      next += height(cells)
      return { cells, line }
    })
    .filter(({ cells }) => cells.some(cell => textOf(cell) !== ''))
  const at = filled.slice(0, rowsAbove + 1).findIndex(({ cells }) => isHead(cells))
  const head = filled[at]?.cells
  if (!head) throw new MissingColumnsError()
  const columnOf = columnsOf(head)
  return filled.slice(at + 1).map(({ cells, line }) => {
    if (cells.slice(head.length).some(cell => textOf(cell) !== '')) throw new InvalidLineError('cells', line)
    const read = (name: keyof AddressImportRow) => textOf(cells[columnOf(name)]).slice(0, 1_000)
    const row = Object.fromEntries(names.map(name => [name, read(name)])) as AddressImportRow
    const [wallet = row.wallet] = wallets.find(([, shown]) => shown.toLowerCase() === row.wallet.toLowerCase()) ?? []
    return { row: { ...row, wallet }, line }
  })
}

const textOf = (cell: unknown) => (cell === null || cell === undefined ? '' : String(cell).trim())

/** A first line by which spreadsheets name the separator. */
const separatorLine = /^sep=(.)(?:\r\n?|\n)/i

const separators = [',', ';', '\t', '|']

/** Reads the text of a .csv file. Throws for whatever the reader of it was not certain about. */
async function readText(text: string): Promise<AddressFileRow[]> {
  const { default: papa } = await import('papaparse')
  const [line = '', separator = ''] = separatorLine.exec(text) ?? []
  const parsed = (separator === '' ? separators : [separator]).map(delimiter =>
    papa.parse<string[]>(text.slice(line.length), { delimiter, skipEmptyLines: false }),
  )
  const { data, errors } = parsed.find(each => each.data.slice(0, rowsAbove + 1).some(isHead)) ?? parsed[0]!
  const firstLine = line === '' ? 1 : 2
  // A quoted cell may have line breaks.
  const height = (cells: readonly unknown[]) => cells.join(' ').split(/\r\n?|\n/).length
  const [error] = errors
  if (error) {
    const above = data.slice(0, error.row ?? 0)
    throw new InvalidLineError(
      'quotes',
      above.reduce((sum, cells) => sum + height(cells), firstLine),
    )
  }
  return toAddressFileRows(data, height, firstLine)
}

/** The rows of a file, or how it reads in each encoding that it may have, one of which is to be chosen. */
export type AddressFileResult = { rows: AddressFileRow[] } | { samples: EncodingSample[] }

/**
 * Reads an .xlsx or .csv file. Its encoding is certain where it is Unicode, or where its titles are in Chinese;
 * otherwise it is to be chosen, since a text in any of the others also reads as one in most of the rest.
 */
export async function readAddressFile(file: File, encoding?: Encoding): Promise<AddressFileResult> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const isZip = bytes.slice(0, 2).join() === '80,75'
  if (isZip) {
    const { readSheet } = await import('read-excel-file/browser')
    return { rows: toAddressFileRows(await readSheet(file)) }
  }
  const text = encoding ? decodeText(bytes, encoding) : (decodeUnicodeText(bytes) ?? textByTitles(bytes))
  return text === null ? { samples: buildEncodingSamples(bytes) } : { rows: await readText(text) }
}

/** The text in the only encoding in which a title that is needed reads as one in Chinese. */
function textByTitles(bytes: Uint8Array): string | null {
  const known = needed.flatMap(name => titles[name]).filter(title => /[^\0-\x7f]/.test(title))
  const texts = encodings.flatMap(each => {
    const text = decodeText(bytes, each)
    const cells = text?.split(/[\r\n,;\t"]+/).map(cell => cell.trim()) ?? []
    return text !== null && known.some(title => cells.includes(title)) ? [text] : []
  })
  return texts.length === 1 ? texts[0]! : null
}
