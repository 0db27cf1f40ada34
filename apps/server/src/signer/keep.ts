import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { registry } from '../kit/metrics.ts'
import type { SignerClient } from './client.ts'
import { type RunningSigner, startSigner } from './start.ts'

/** A signer that ended sooner than this (ms) after its start is started again after twice the pause it had. */
const longLife = 60_000
const longestPause = 60_000

const up = new Gauge({
  name: 'coffer_process_up',
  help: '1 while a process that the server keeps is there',
  labelNames: ['process'],
  registers: [registry],
})

export interface KeptSigner {
  /** Finds the signer again after each start. */
  client: SignerClient
  stop: () => Promise<void>
}

interface KeepOptions {
  log: Logger
  /** The first pause (ms) before it is started again. */
  pauseMs?: number
  start?: (folder: string) => Promise<RunningSigner>
}

/**
 * Starts the signer as a child that ends with us, and starts it again whenever it ends. Rejects as `startSigner` does when
 * the first start fails: later ones are logged and tried again.
 */
export async function keepSigner(folder: string, options: KeepOptions): Promise<KeptSigner> {
  const { log, pauseMs = 1_000, start = startSigner } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let running = await start(folder)
  // Every start listens at the same path, so that one client serves for all.
  const { client } = running
  up.set({ process: 'signer' }, 1)

  const keep = async () => {
    let pause = pauseMs
    for (let since = performance.now(); ; ) {
      await running.ended
      if (signal.aborted) return
      up.set({ process: 'signer' }, 0)
      log.error({ pause }, 'the signer ended, it is started again')
      pause = performance.now() - since > longLife ? pauseMs : pause
      await sleep(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(pause * 2, longestPause)
      if (signal.aborted) return
      since = performance.now()
      try {
        running = await start(folder)
        if (signal.aborted) return running.stop()
        up.set({ process: 'signer' }, 1)
      } catch (error) {
        log.error({ err: error }, 'the signer cannot start')
      }
    }
  }
  const kept = keep()
  return {
    client,
    async stop() {
      stopping.abort()
      client.close()
      await running.stop()
      // It may be starting.
      await kept
    },
  }
}
