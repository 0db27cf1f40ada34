import type { Body } from '@coffer/contract'

export type ImportRow = Required<Body<'POST /api/v1/address/import/check'>['rows'][number]>

/** A row with its line in the file, from 1, in which empty lines count. */
export interface ReadRow {
  row: ImportRow
  line: number
}

/** Titles of the export's columns in each language, and common others. Of several in a file, the first here counts. */
const titles: Record<keyof ImportRow, readonly string[]> = {
  network: ['network', 'chain', '网络', '链', '公链', '主网'],
  address: ['address', '地址', '收款地址', '钱包地址', '提现地址', '提币地址'],
  label: ['label', 'name', '备注名', '名称', '地址备注', '标签', '备注'],
  memo: ['memo', 'tag', '转账备注'],
  beneficiary: ['beneficiary', '收款方'],
  wallet: ['wallet', '钱包类型'],
  institution: ['institution', '托管机构'],
}
const names = Object.keys(titles) as (keyof ImportRow)[]

/** Thrown when a file has no columns for network, address and label. */
export class NoColumns extends Error {}

/**
 * Converts a sheet, whose first row has titles, to rows. Skips empty ones; columns of other titles are ignored.
 * @param height lines that a row takes in the file
 */
export function toRows(
  sheet: readonly (readonly unknown[])[],
  height: (cells: readonly unknown[]) => number = () => 1,
): ReadRow[] {
  let next = 1
  const [head, ...body] = sheet
    .map(cells => {
      const line = next
      next += height(cells)
      return { cells, line }
    })
    .filter(({ cells }) => cells.some(cell => textOf(cell) !== ''))
  const heads = (head?.cells ?? []).map(cell => textOf(cell).toLowerCase())
  // -1 where no column has such a title.
  const at = (name: keyof ImportRow) => heads.indexOf(titles[name].find(title => heads.includes(title))!)
  if ((['network', 'address', 'label'] as const).some(name => at(name) < 0)) throw new NoColumns()
  return body.map(({ cells, line }) => {
    const row = Object.fromEntries(names.map(name => [name, textOf(cells[at(name)]).slice(0, 1_000)])) as ImportRow
    return { row, line }
  })
}

const textOf = (cell: unknown) => (cell === null || cell === undefined ? '' : String(cell).trim())

/** Reads an .xlsx or .csv file, as UTF-8 or, as spreadsheets in China write it, GB 18030. */
export async function readFile(file: File): Promise<ReadRow[]> {
  const bytes = await file.arrayBuffer()
  const isZip = new Uint8Array(bytes.slice(0, 2)).join() === '80,75'
  if (isZip) {
    const { readSheet } = await import('read-excel-file/browser')
    return toRows(await readSheet(file))
  }
  // No text has it; pictures and other programs' files do.
  if (new Uint8Array(bytes).includes(0)) throw new Error('not a text')
  const { default: papa } = await import('papaparse')
  const { data } = papa.parse<string[]>(decode(bytes), { skipEmptyLines: false })
  // A quoted cell may have line breaks.
  return toRows(data, cells => cells.join(' ').split(/\r\n?|\n/).length)
}

export function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}
