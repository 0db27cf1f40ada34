import { cell } from './cell.ts'
import { readStored, writeStored } from './storage.ts'

/** Whether the phone's balances are hidden, as chosen on this device. */
export const hidden = cell(readStored('hidden') !== null)

export function toggleHidden(): void {
  hidden.set(!hidden.get())
  writeStored('hidden', hidden.get() ? '1' : null)
}
