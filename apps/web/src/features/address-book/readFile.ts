import type { Body } from '@coffer/contract'

export type ImportRow = Required<Body<'POST /api/v1/address/import/check'>['rows'][number]>

/** A row with its line in the file, from 1, in which empty lines count. */
export interface ReadRow {
  row: ImportRow
  line: number
}

/** Titles of the export's columns in each language, and common others. */
const titles: Record<keyof ImportRow, readonly string[]> = {
  network: ['network', 'chain', '网络', '链'],
  address: ['address', '地址'],
  label: ['label', 'name', '备注名', '名称'],
  memo: ['memo', 'tag', '转账备注'],
  beneficiary: ['beneficiary', '收款方'],
  wallet: ['wallet', '钱包类型'],
  institution: ['institution', '托管机构'],
}
const names = Object.keys(titles) as (keyof ImportRow)[]

/** Thrown when a file has no columns for network, address and label. */
export class NoColumns extends Error {}

/** Converts a sheet, whose first row has titles, to rows. Skips empty ones; columns of other titles are ignored. */
export function toRows(sheet: readonly (readonly unknown[])[]): ReadRow[] {
  const [head, ...body] = sheet
    .map((cells, index) => ({ cells, line: index + 1 }))
    .filter(({ cells }) => cells.some(cell => textOf(cell) !== ''))
  const columns = (head?.cells ?? []).map(cell => names.find(name => titles[name].includes(textOf(cell).toLowerCase())))
  if (!(['network', 'address', 'label'] as const).every(name => columns.includes(name))) throw new NoColumns()
  return body.map(({ cells, line }) => {
    const row = Object.fromEntries(names.map(name => [name, ''])) as ImportRow
    for (const [index, name] of columns.entries()) if (name) row[name] = textOf(cells[index]).slice(0, 1_000)
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
  return toRows(papa.parse<string[]>(decode(bytes), { skipEmptyLines: false }).data)
}

export function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}
