import { type AccountKeys, AddressError, addressVerifier } from './addresses.ts'
import { type Row, rowsOfExport } from './export-file.ts'

/** Titles of the columns of the export of payments, in each language. */
const titles = {
  number: ['Platform order number', '平台订单号'],
  address: ['Receiving address', '收款地址'],
  index: ['Address index', '地址序号'],
}
type Columns = Record<keyof typeof titles, string>

/**
 * Verifies the addresses of an exported file of payments, offline. Prints a line for each that does not derive from the account keys, and a
 * summary. Throws Error when there is one, or when the file is not such an export.
 */
export async function verifyExport(path: string, keys: AccountKeys, print: (line: string) => void): Promise<void> {
  const verify = addressVerifier(keys)
  let columns: Columns | undefined
  let [good, bad, none] = [0, 0, 0]
  for await (const row of rowsOfExport(path)) {
    // Each sheet begins with the titles.
    const found = columnsOf(row)
    if (found) {
      columns = found
      continue
    }
    if (!columns) throw new Error(`${path} is not an export of payments with addresses and their indexes`)
    const { [columns.number]: number = '', [columns.address]: address = '', [columns.index]: index = '' } = row
    if (address === '') {
      none++
      continue
    }
    try {
      verify({ address, address_index: /^\d{1,10}$/.test(index) ? Number(index) : null })
      good++
    } catch (error) {
      if (!(error instanceof AddressError)) throw error
      bad++
      print(`${number}: ${error.message}`)
    }
  }
  if (!columns) throw new Error(`${path} is empty`)
  print(`${good} addresses derive from the keys, ${bad} do not; ${none} payments have none`)
  if (bad > 0) throw new Error(`${bad} addresses are not verified: nobody should pay to them`)
}

function columnsOf(row: Row): Columns | undefined {
  const found = Object.entries(titles).flatMap(([name, texts]) => {
    const column = Object.keys(row).find(letters => texts.includes(row[letters] ?? ''))
    return column ? [[name, column] as const] : []
  })
  return found.length === Object.keys(titles).length ? (Object.fromEntries(found) as Columns) : undefined
}
