import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import pg from 'pg'
import type { Records } from './data.ts'

export interface DurationLog {
  /**
   * Returns the time (ms) that a backend has spent on statements since the last call. It writes before it answers its
   * client.
   */
  take: (pid: number) => number
  end: () => Promise<void>
}

/** Has PostgreSQL log the duration of each statement, without its text, until `end`. */
export async function logDurations({ url, log }: Pick<Records, 'url' | 'log'>): Promise<DurationLog> {
  const owner = new pg.Client(url)
  await owner.connect()
  await owner.query('alter system set log_duration = on')
  await owner.query('select pg_reload_conf()')
  const file = openSync(log, 'r')
  let place = fstatSync(file).size
  return {
    take: pid => {
      const bytes = Buffer.alloc(fstatSync(file).size - place)
      place += readSync(file, bytes, 0, bytes.length, place)
      const found = bytes.toString().matchAll(/ \[(\d+)\] LOG: {2}duration: ([\d.]+) ms/g)
      return found.reduce((sum, [, by, ms]) => (Number(by) === pid ? sum + Number(ms) : sum), 0)
    },
    end: async () => {
      closeSync(file)
      await owner.query('alter system reset log_duration')
      await owner.query('select pg_reload_conf()')
      await owner.end()
    },
  }
}
