import { cell } from './cell.ts'
import { readStored, writeStored } from './storage.ts'

/** How long (ms) payments of the counter are followed after the last one was opened: longer than one can be open. */
const followedMs = 7_200_000

/** Whether this device has opened payments at the counter lately, so that it should say when one is paid. */
export const isCounterDevice = cell(Date.now() - Number(readStored('counter')) < followedMs)

export function markCounterDevice(): void {
  writeStored('counter', String(Date.now()))
  isCounterDevice.set(true)
}
