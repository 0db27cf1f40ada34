/** The parts of a workbook besides its rows (Office Open XML, ECMA-376). */
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeRels = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageRels = 'http://schemas.openxmlformats.org/package/2006/relationships'
const contentTypes = 'http://schemas.openxmlformats.org/package/2006/content-types'
const type = (name: string) => `application/vnd.openxmlformats-officedocument.spreadsheetml.${name}+xml`

const numbered = (sheets: readonly string[], one: (nr: number, name: string) => string) =>
  sheets.map((name, index) => one(index + 1, name)).join('')

export const contentTypesXml = (sheets: readonly string[]) =>
  `${head}<Types xmlns="${contentTypes}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${type('sheet.main')}"/><Override PartName="/xl/styles.xml" ContentType="${type('styles')}"/>${numbered(
    sheets,
    nr => `<Override PartName="/xl/worksheets/sheet${nr}.xml" ContentType="${type('worksheet')}"/>`,
  )}</Types>`

export const rootRelsXml = `${head}<Relationships xmlns="${packageRels}"><Relationship Id="rId1" Type="${officeRels}/officeDocument" Target="xl/workbook.xml"/></Relationships>`

/** `sheets` are sheet names. They must not need XML escaping. */
export const workbookXml = (sheets: readonly string[]) =>
  `${head}<workbook xmlns="${main}" xmlns:r="${officeRels}"><sheets>${numbered(
    sheets,
    (nr, name) => `<sheet name="${name}" sheetId="${nr}" r:id="rId${nr}"/>`,
  )}</sheets></workbook>`

export const workbookRelsXml = (sheets: readonly string[]) =>
  `${head}<Relationships xmlns="${packageRels}">${numbered(
    sheets,
    nr => `<Relationship Id="rId${nr}" Type="${officeRels}/worksheet" Target="worksheets/sheet${nr}.xml"/>`,
  )}<Relationship Id="rId${sheets.length + 1}" Type="${officeRels}/styles" Target="styles.xml"/></Relationships>`

/**
 * Style 0 is plain, style 1 bold for the header, style 2 shows amounts with 2 to 6 decimals like `formatAmount`, styles
 * 3 and 4 are text that stays text when it is edited (3 also where it begins like a formula), style 5 shows dates with
 * their time, and style 6 whole numbers.
 */
export const stylesXml = `${head}<styleSheet xmlns="${main}"><numFmts count="2"><numFmt numFmtId="164" formatCode="#,##0.00####"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="7"><xf/><xf fontId="1" applyFont="1"/><xf numFmtId="164" applyNumberFormat="1"/><xf numFmtId="49" applyNumberFormat="1" quotePrefix="1"/><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="165" applyNumberFormat="1"/><xf numFmtId="3" applyNumberFormat="1"/></cellXfs></styleSheet>`

/** Start of a sheet, up to the rows. Freezes the header row. `widths` are column widths in characters. */
export const renderSheetStart = (widths: readonly number[]) =>
  `${head}<worksheet xmlns="${main}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>${widths
    .map((width, index) => `<col min="${index + 1}" max="${index + 1}" width="${width}" customWidth="1"/>`)
    .join('')}</cols><sheetData>`

export const sheetEnd = '</sheetData></worksheet>'
