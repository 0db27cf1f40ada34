import { cell } from './cell.ts'

/** Whether the server is a sandbox, whose codes arrive in its inbox. False until the server has said so. */
export const isSandbox = cell(false)
