import { cell } from './cell.ts'

/** The path of the page before this one, empty for the first that was opened. */
export const previousPath = cell('')
