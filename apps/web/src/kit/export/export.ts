/** How the export stands. Rows are known before the first byte, bytes in all only when the server says so. */
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

export const exportIdle: ExportState = { step: 'idle' }

/** Progress that comes after the end (a late chunk of a cancelled export) changes nothing. */
export function nextExport(state: ExportState, event: ExportEvent): ExportState {
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
      return exportIdle
  }
}

/** Between 0 and 1, or null while nobody knows. */
export const progressOf = (state: ExportState): number | null =>
  state.step === 'running' && state.total ? Math.min(1, state.received / state.total) : null

/** A name and the time to the second, in the reader's clock. */
export function exportFileName(name: string, now: Date): string {
  const two = (part: number) => String(part).padStart(2, '0')
  const date = `${now.getFullYear()}${two(now.getMonth() + 1)}${two(now.getDate())}`
  return `${name}${date}${two(now.getHours())}${two(now.getMinutes())}${two(now.getSeconds())}.xlsx`
}

/** The rows that the server announces; null when it does not. */
export function announcedRows(header: string | null): number | null {
  return header !== null && /^\d{1,12}$/.test(header) ? Number(header) : null
}

/** Bytes for people: 512 B, 1.2 kB, 3.4 MB. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
