import { formatWallTime } from '../../lib/days.ts'

/** State of an export. Rows are known before the first byte, total bytes only if the server sends them. */
export type ExportState =
  | { step: 'idle' }
  | { step: 'running'; rows: number | null; received: number; total: number | null }
  | { step: 'failed' }

export type ExportEvent =
  | { type: 'start' }
  | { type: 'rows'; rows: number | null }
  | { type: 'bytes'; received: number; total: number | null }
  | { type: 'done' }
  | { type: 'cancel' }
  | { type: 'fail' }
  | { type: 'dismiss' }

export const initialExportState: ExportState = { step: 'idle' }

/** Reducer of export states. Progress after the end, such as a late chunk of a cancelled export, is ignored. */
export function reduceExport(state: ExportState, event: ExportEvent): ExportState {
  switch (event.type) {
    case 'start':
      return { step: 'running', rows: null, received: 0, total: null }
    case 'rows':
      return state.step === 'running' ? { ...state, rows: event.rows } : state
    case 'bytes':
      return state.step === 'running' ? { ...state, received: event.received, total: event.total } : state
    case 'fail':
      return state.step === 'running' ? { step: 'failed' } : state
    case 'done':
    case 'cancel':
    case 'dismiss':
      return initialExportState
  }
}

/** Between 0 and 1, or null while unknown. */
export const computeExportProgress = (state: ExportState): number | null =>
  state.step === 'running' && state.total ? Math.min(1, state.received / state.total) : null

/** The name followed by the time (unix seconds) in the merchant's zone. */
export const formatExportFileName = (name: string, now: number, zone: string): string =>
  `${name}${formatWallTime(now, zone).replace(/\D/g, '')}.xlsx`

/** The number of rows announced by the server, or null. */
export function parseRowCountHeader(header: string | null): number | null {
  return header !== null && /^\d{1,12}$/.test(header) ? Number(header) : null
}
