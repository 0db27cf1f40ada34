import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { registry } from '../kit/metrics.ts'
import type { SignerClient } from './client.ts'
import { type RunningSigner, startSigner } from './start.ts'

/** A signer that ran for this long (ms) resets the back-off. */
const stableMs = 60_000
const maxPauseMs = 60_000

const up = new Gauge({
  name: 'coffer_process_up',
  help: '1 while a process supervised by the server is running',
  labelNames: ['process'],
  registers: [registry],
})

export interface SupervisedSigner {
  /** Reconnects after each restart. */
  client: SignerClient
  stop: () => Promise<void>
}

interface SuperviseOptions {
  log: Logger
  /** Pause before the first restart (ms); doubles with each early exit. */
  pauseMs?: number
  start?: (folder: string) => Promise<RunningSigner>
}

/**
 * Starts the signer as a child of this process and restarts it whenever it exits. Rejects like `startSigner` when the
 * first start fails; later failures are logged and retried.
 */
export async function superviseSigner(folder: string, options: SuperviseOptions): Promise<SupervisedSigner> {
  const { log, pauseMs = 1_000, start = startSigner } = options
  const stopping = new AbortController()
  const { signal } = stopping
  let running = await start(folder)
  // Every start listens at the same path, so one client serves them all.
  const { client } = running
  up.set({ process: 'signer' }, 1)

  const supervise = async () => {
    let pause = pauseMs
    for (let since = performance.now(); ; ) {
      await running.ended
      if (signal.aborted) return
      up.set({ process: 'signer' }, 0)
      log.error({ pause }, 'the signer exited; restarting it')
      pause = performance.now() - since > stableMs ? pauseMs : pause
      await sleep(pause, undefined, { signal }).catch(() => {})
      pause = Math.min(pause * 2, maxPauseMs)
      if (signal.aborted) return
      since = performance.now()
      try {
        running = await start(folder)
        if (signal.aborted) return running.stop()
        up.set({ process: 'signer' }, 1)
      } catch (error) {
        log.error({ err: error }, 'the signer failed to start')
      }
    }
  }
  const supervising = supervise()
  return {
    client,
    async stop() {
      stopping.abort()
      client.close()
      await running.stop()
      // A restart may be under way.
      await supervising
    },
  }
}
